/**
 * The same action as different hosts send it. The host says nothing about the action, so the score itself must stay, within a
 * few points.
 */
import { type Change, partOf, type Sent, textOf, toolName } from './change.ts';
import { parametersOf, segment, snake, wordsOf } from './names.ts';

const commandOf = (event: Sent): string => {
  const { command, cmd } = parametersOf(event);
  return textOf(command) || textOf(cmd);
};

/** The `command` of an editor is the name of what it does to a file. */
const isEditor = (event: Sent): boolean =>
  Object.keys(parametersOf(event)).some((key) => /^(?:path|file|file_?text|old_str|new_str|insert_line)$/i.test(key));

const isCommand = (event: Sent): boolean => commandOf(event) !== '' && !isEditor(event);

/** PowerShell and cmd are no business of Bash. */
const isBash = (event: Sent): boolean => isCommand(event) && !/powershell|cmd|pwsh/i.test(toolName(event));

const server = (event: Sent): string => textOf(partOf(event, 'mcp_context')['server_name']) || 'tools';

/** What is declared beside the call stays: the shape of a call says nothing about its target. */
function asCall(event: Sent, action: string, parameters: Sent, mcp_context?: Sent): Sent {
  const { mcp_context: _mcp, ...rest } = event;
  return { ...rest, action: action.toLowerCase(), parameters, ...(mcp_context !== undefined && { mcp_context }) };
}

/** An action is in lower case, so a host parts the words of a name in another way. */
const inWords = (name: string): string => segment(snake(wordsOf(name)));

const shellShape = (name: string, about: string, make: (event: Sent, command: string) => Sent): Change => ({
  name,
  about: `a shell command as ${about}`,
  keeps: 'score',
  apply: (event) => (isBash(event) ? make(event, commandOf(event)) : null),
});

const toolShape = (name: string, about: string, make: (event: Sent, tool: string) => Sent): Change => ({
  name,
  about: `a call of a tool as ${about}`,
  keeps: 'score',
  apply: (event) => (toolName(event) === '' || isCommand(event) ? null : make(event, toolName(event))),
});

export const HOST_SHAPES: readonly Change[] = [
  shellShape('shell_as_plain_action', '`shell:command:execute`', (event, command) =>
    asCall(event, 'shell:command:execute', { command }),
  ),
  shellShape('shell_as_claude_code', '`claude-code:tool:Bash`, with a description', (event, command) =>
    asCall(event, 'claude-code:tool:Bash', { command, description: 'Run command' }, { tool_name: 'Bash' }),
  ),
  shellShape('shell_as_mcp_call', 'a call of an MCP server', (event, command) =>
    asCall(
      event,
      'mcp:shell:run_command',
      { command },
      { server_name: 'shell', tool_name: 'run_command', transport: 'stdio' },
    ),
  ),
  shellShape('shell_as_function_call', 'a function call with its arguments as a JSON string', (event, command) =>
    asCall(event, 'function:run_command:call', { name: 'run_command', arguments: JSON.stringify({ command }) }),
  ),
  shellShape('shell_as_legacy_event', 'an event of an older client', (event, command) =>
    asCall(event, 'tool:legacy:run_command', { command }, { tool_name: 'run_command' }),
  ),
  toolShape('tool_as_mcp_call', 'a call of an MCP server, `mcp:server:tool`', (event, tool) =>
    asCall(event, `mcp:${segment(server(event))}:${inWords(tool)}`, parametersOf(event), {
      server_name: server(event),
      tool_name: tool,
      transport: 'stdio',
    }),
  ),
  toolShape('tool_as_claude_code', '`claude-code:tool:mcp__server__tool`', (event, tool) =>
    asCall(event, `claude-code:tool:mcp__${segment(server(event))}__${inWords(tool)}`, parametersOf(event), {
      tool_name: `mcp__${segment(server(event))}__${tool}`,
    }),
  ),
  toolShape('tool_as_function_call', 'a function call with its arguments as a JSON string', (event, tool) =>
    asCall(
      event,
      `function:${inWords(tool)}:call`,
      { name: tool, arguments: JSON.stringify(parametersOf(event)) },
      { server_name: server(event) },
    ),
  ),
  toolShape('tool_as_legacy_event', 'an event of an older client', (event, tool) =>
    asCall(event, `tool:legacy:${inWords(tool)}`, parametersOf(event), { server_name: server(event), tool_name: tool }),
  ),
];
