/** The hooks of Claude Code (code.claude.com/docs/en/hooks) and of Codex (developers.openai.com/codex/hooks), which share a protocol. */
import { type Decision, type Heard, type Host, isOurs, json, objectIn, optionalText, SILENT, textIn } from './host.ts';

const EVENT = 'PreToolUse';

function hear(message: Record<string, unknown>): Heard {
  if (textIn(message, 'hook_event_name') !== EVENT) return { answer: SILENT };
  const cwd = optionalText(message, 'cwd');
  const transcript_path = optionalText(message, 'transcript_path');
  return {
    call: {
      tool: textIn(message, 'tool_name'),
      args: objectIn(message, 'tool_input'),
      session_id: textIn(message, 'session_id'),
      ...(transcript_path !== undefined && { transcript_path }),
      ...(cwd !== undefined && { cwd }),
    },
  };
}

const decided = (permissionDecision: Decision, permissionDecisionReason: string) =>
  json({ hookSpecificOutput: { hookEventName: EVENT, permissionDecision, permissionDecisionReason } });

interface Group {
  matcher?: string;
  hooks?: { type?: string; command?: string; timeout?: number; onFailure?: string }[];
}

/** `{hooks: {PreToolUse: [{matcher, hooks: [{type, command}]}]}}`. */
const installer =
  (host: string, more: object): Host['install'] =>
  (settings, command) => {
    const hooks = (settings['hooks'] ?? {}) as Record<string, Group[]>;
    const others = (hooks[EVENT] ?? [])
      .map((group) => ({ ...group, hooks: (group.hooks ?? []).filter((one) => !isOurs(one.command, host)) }))
      .filter((group) => group.hooks.length > 0);
    const ours =
      command === null ? [] : [{ matcher: '*', hooks: [{ type: 'command', command, timeout: 60, ...more }] }];
    const groups = [...others, ...ours];
    const { [EVENT]: _, ...rest } = hooks;
    if (groups.length > 0) return { ...settings, hooks: { ...rest, [EVENT]: groups } };
    const { hooks: __, ...without } = settings;
    return Object.keys(rest).length === 0 ? without : { ...settings, hooks: rest };
  };

/** Without a decision the host's own permission rules apply, so that the hook never loosens them. */
export const claudeCode: Host = {
  name: 'claude-code',
  title: 'Claude Code',
  hear,
  say: (decision, reason) => (decision === 'allow' ? SILENT : decided(decision, reason)),
  settings_file: '.claude/settings.json',
  // From 2.1.295 a hook that crashes blocks the call; earlier versions ignore the field.
  install: installer('claude-code', { onFailure: 'block' }),
};

/** Codex takes no `ask`: it would report an unsupported answer and run the call. */
export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  hear,
  say: (decision, reason) => (decision === 'allow' ? SILENT : decided('deny', reason)),
  settings_file: '.codex/hooks.json',
  install: installer('codex', {}),
};
