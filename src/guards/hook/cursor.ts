/** The hooks of Cursor (cursor.com/docs/agent/hooks). */
import { type HookCall, type Host, isOurs, json, objectIn, optionalText, textIn } from './host.ts';

/** Events before which Cursor takes a decision, and what each is about to do. */
const CALLS: Readonly<
  Record<string, (message: Record<string, unknown>) => Pick<HookCall, 'tool' | 'args' | 'server'>>
> = {
  beforeShellExecution: (message) => ({ tool: 'run_terminal_cmd', args: { command: textIn(message, 'command') } }),
  beforeMCPExecution: (message) => ({
    tool: textIn(message, 'tool_name'),
    args: objectIn(message, 'tool_input'),
    server: optionalText(message, 'server_name') ?? 'mcp',
  }),
  beforeReadFile: (message) => ({ tool: 'read_file', args: { path: textIn(message, 'file_path') } }),
  preToolUse: (message) => ({ tool: textIn(message, 'tool_name'), args: objectIn(message, 'tool_input') }),
};
/** These take no `ask`. */
const WITHOUT_ASK = new Set(['beforeReadFile', 'preToolUse']);
const INSTALLED = ['beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile', 'beforeSubmitPrompt'];

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  hear(message) {
    const event = textIn(message, 'hook_event_name');
    const session_id = textIn(message, 'conversation_id');
    if (event === 'beforeSubmitPrompt')
      return { prompt: textIn(message, 'prompt'), session_id, answer: json({ continue: true }) };
    const read = Object.hasOwn(CALLS, event) ? CALLS[event] : undefined;
    if (read === undefined) return { answer: json({}) };
    const cwd = optionalText(message, 'cwd');
    const transcript_path = optionalText(message, 'transcript_path');
    const user_id = optionalText(message, 'user_email');
    return {
      call: {
        ...read(message),
        session_id,
        ...(transcript_path !== undefined && { transcript_path }),
        ...(cwd !== undefined && { cwd }),
        ...(user_id !== undefined && { user_id }),
      },
    };
  },
  say(decision, reason, message) {
    if (decision === 'allow') return json({ permission: 'allow' });
    const can_ask = !WITHOUT_ASK.has(String(message['hook_event_name']));
    const permission = decision === 'ask' && can_ask ? 'ask' : 'deny';
    return json({ permission, user_message: reason, agent_message: reason });
  },
  settings_file: '.cursor/hooks.json',
  install(settings, command) {
    const hooks = { ...((settings['hooks'] ?? {}) as Record<string, { command?: string }[]>) };
    for (const event of INSTALLED) {
      const others = (hooks[event] ?? []).filter((one) => !isOurs(one.command, 'cursor'));
      const ours = command === null ? [] : [{ command, timeout: 60, failClosed: true }];
      if (others.length + ours.length === 0) delete hooks[event];
      else hooks[event] = [...others, ...ours];
    }
    return { version: 1, ...settings, hooks };
  },
};
