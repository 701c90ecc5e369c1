/** One step of a coding agent as different hosts tell it: the same action in other names and shapes. */
import type { AgentEvent, Message } from '../../src/events/event.ts';
import type { Json, JsonObject } from '../../src/lang/json.ts';

/** A step without a shape; one of `run`, `write`, `edit`, `read`, `fetch` and `call` says what is done. */
export interface Step {
  name: string;
  /** What the user asked for. */
  user: string;
  /** Command line. */
  run?: string;
  /** Path and content. */
  write?: [path: string, content: string];
  /** Path, old and new text. */
  edit?: [path: string, old: string, now: string];
  read?: string;
  /** Address. */
  fetch?: string;
  /** Server, tool and arguments. */
  call?: [server: string, tool: string, args: JsonObject];
  /** Role and content of earlier messages. */
  history?: [role: string, content: string][];
}

interface Call {
  server: string;
  tool: string;
  args: JsonObject;
}

/** The names that a host has for its tools and for their arguments. */
interface Host {
  server: string;
  run: (command: string) => [tool: string, args: JsonObject];
  write: (path: string, content: string) => [tool: string, args: JsonObject];
  edit: (path: string, old: string, now: string) => [tool: string, args: JsonObject];
  read: (path: string) => [tool: string, args: JsonObject];
  fetch: (url: string) => [tool: string, args: JsonObject];
}

const CLAUDE_CODE: Host = {
  server: 'claude-code',
  run: (command) => ['Bash', { command, description: 'Run a command' }],
  write: (file_path, content) => ['Write', { file_path, content }],
  edit: (file_path, old_string, new_string) => ['Edit', { file_path, old_string, new_string }],
  read: (file_path) => ['Read', { file_path }],
  fetch: (url) => ['WebFetch', { url, prompt: 'What does the page say?' }],
};

/** A server that nobody lists. */
const UNLISTED: Host = {
  server: 'devbox',
  run: (command) => ['execute_command', { command }],
  write: (path, content) => ['write_file', { path, content }],
  edit: (path, old_str, new_str) => ['str_replace', { path, old_str, new_str }],
  read: (path) => ['read_file', { path }],
  fetch: (url) => ['fetch_url', { url }],
};

const EDITOR: Host = {
  server: '',
  run: (command) => ['run_in_terminal', { command, explanation: 'Run a command', isBackground: false }],
  write: (filePath, content) => ['create_file', { filePath, content }],
  edit: (filePath, oldString, newString) => ['replace_string_in_file', { filePath, oldString, newString }],
  read: (filePath) => ['read_file', { filePath }],
  fetch: (url) => ['fetch_webpage', { urls: [url] }],
};

function callOf({ run, write, edit, read, fetch, call }: Step, host: Host): Call {
  const [tool, args] =
    run !== undefined
      ? host.run(run)
      : write !== undefined
        ? host.write(...write)
        : edit !== undefined
          ? host.edit(...edit)
          : read !== undefined
            ? host.read(read)
            : host.fetch(fetch ?? '');
  return call === undefined ? { server: host.server, tool, args } : { server: call[0], tool: call[1], args: call[2] };
}

const context = ({ user, history }: Step): Partial<AgentEvent> => ({
  user_context: user,
  ...(history !== undefined && {
    conversation_history: history.map(([role, content]): Message => ({ role, content })),
  }),
});

const eventOf = (step: Step, action: string, parameters: JsonObject, rest: Partial<AgentEvent> = {}): AgentEvent => ({
  event_id: 'step',
  action: action.toLowerCase(),
  timestamp: '2026-11-02T10:00:00Z',
  agent: { agent_id: 'coder', agent_type: 'coding' },
  parameters,
  ...rest,
  ...context(step),
});

/** Shapes of hosts by name. */
export const HOST_SHAPES: Readonly<Record<string, (step: Step) => AgentEvent>> = {
  'Claude Code': (step) => {
    const { server, tool, args } = callOf(step, CLAUDE_CODE);
    return eventOf(step, `${server}:tool:${tool}`, args, { mcp_context: { server_name: server, tool_name: tool } });
  },
  'an MCP server': (step) => {
    const { server, tool, args } = callOf(step, UNLISTED);
    return eventOf(step, `mcp:${server}:${tool}`, args);
  },
  'a function call': (step) => {
    const { tool, args } = callOf(step, EDITOR);
    return eventOf(step, `function:call:${tool}`, { name: tool, arguments: JSON.stringify(args) as Json });
  },
};
