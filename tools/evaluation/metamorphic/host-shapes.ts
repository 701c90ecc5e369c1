/**
 * The same action as different hosts send it. The host says nothing about the action, so the score itself must stay, within a
 * few points.
 */
import { type Change, partOf, type Sent, textOf, toolName } from './change.ts';
import { parametersOf, segment } from './names.ts';

const commandOf = (event: Sent): string => {
  const { command, cmd } = parametersOf(event);
  return textOf(command) || textOf(cmd);
};

/** PowerShell and cmd are no business of Bash. */
const isBash = (event: Sent): boolean => commandOf(event) !== '' && !/powershell|cmd|pwsh/i.test(toolName(event));

const server = (event: Sent): string => textOf(partOf(event, 'mcp_context')['server_name']) || 'tools';

/** Without what the converter of the data derived from the tool: a host does not know it. */
function asCall(event: Sent, action: string, parameters: Sent, mcp_context?: Sent): Sent {
  const { mcp_context: _mcp, target, ...rest } = event;
  const { resource_type: _type, ...kept } = partOf({ target: target ?? {} }, 'target');
  return {
    ...rest,
    action: action.toLowerCase(),
    parameters,
    ...(Object.keys(kept).length > 0 && { target: kept }),
    ...(mcp_context !== undefined && { mcp_context }),
  };
}

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
  apply: (event) => (toolName(event) === '' || commandOf(event) !== '' ? null : make(event, toolName(event))),
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
    asCall(event, `mcp:${segment(server(event))}:${segment(tool)}`, parametersOf(event), {
      server_name: server(event),
      tool_name: tool,
      transport: 'stdio',
    }),
  ),
  toolShape('tool_as_claude_code', '`claude-code:tool:mcp__server__tool`', (event, tool) => {
    const name = `mcp__${segment(server(event))}__${tool}`;
    return asCall(event, `claude-code:tool:${segment(name)}`, parametersOf(event), { tool_name: name });
  }),
  toolShape('tool_as_function_call', 'a function call with its arguments as a JSON string', (event, tool) =>
    asCall(event, `function:${segment(tool)}:call`, { name: tool, arguments: JSON.stringify(parametersOf(event)) }),
  ),
  toolShape('tool_as_legacy_event', 'an event of an older client', (event, tool) =>
    asCall(event, `tool:legacy:${segment(tool)}`, parametersOf(event), { tool_name: tool }),
  ),
];
