/**
 * The same action as different hosts send it. The host says nothing about the action, so the score itself must stay, within a
 * few points.
 */
import type { Ontology } from '../../../src/ontology/index.ts';
import { setOf } from '../../../src/ontology/words.ts';
import { domainOf } from '../../../src/scoring/read/action/naming/action-domain.ts';
import { type Change, partOf, type Sent, textOf, toolName } from './change.ts';
import { isCloudService, parametersOf, segment, snake, wordsOf } from './names.ts';

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

/**
 * The server that a host calls. The action of the event may tell a domain of which neither tool nor server speaks; a host that writes
 * no action can tell it by the name of the server alone. `null` where that cannot be: the server of a cloud platform is a service of
 * its interface, and no name to add to.
 */
function serverOf(event: Sent, ontology: Ontology): string | null {
  const own = textOf(partOf(event, 'mcp_context')['server_name']);
  const [prefix = ''] = textOf(event['action']).split(':');
  const domain = setOf(ontology, 'calling_hosts').has(prefix) ? undefined : domainOf(prefix, ontology);
  const names = [own, toolName(event)].flatMap((name) => [name, ...wordsOf(name)]);
  if (domain === undefined || names.some((name) => domainOf(name, ontology) === domain)) return own || 'tools';
  if (isCloudService(event, ontology)) return null;
  return [own, prefix].filter((name) => name !== '').join('_');
}

/**
 * What is declared beside the call stays: the shape of a call says nothing about its target. A host tells earlier calls of the same
 * tool in the same shape.
 */
function asCall(event: Sent, named: string, parameters: Sent, mcp_context?: Sent): Sent {
  const { mcp_context: _mcp, preceding_actions, ...rest } = event;
  const action = named.toLowerCase();
  const earlier = Array.isArray(preceding_actions) && {
    preceding_actions: preceding_actions.map((one) => (one === event['action'] ? action : one)),
  };
  return { ...rest, action, parameters, ...earlier, ...(mcp_context !== undefined && { mcp_context }) };
}

/** An action is in lower case, so a host parts the words of a name in another way. */
const inWords = (name: string): string => segment(snake(wordsOf(name)));

/** `mcp__server__tool` as tool and server. */
const PREFIXED = /^mcp__(.+?)__(.+)$/;

/** The event with its tool under the name that its server has for it. */
function withOwnName(event: Sent): Sent {
  const context = partOf(event, 'mcp_context');
  const [, server, tool] = PREFIXED.exec(toolName(event)) ?? [];
  if (server === undefined || tool === undefined) return event;
  return {
    ...event,
    mcp_context: { ...context, server_name: textOf(context['server_name']) || server, tool_name: tool },
  };
}

const shellShape = (name: string, about: string, make: (event: Sent, command: string) => Sent): Change => ({
  name,
  about: `a shell command as ${about}`,
  keeps: 'score',
  apply: (event) => (isBash(event) ? make(event, commandOf(event)) : null),
});

const toolShape = (name: string, about: string, make: (event: Sent, tool: string, server: string) => Sent): Change => ({
  name,
  about: `a call of a tool as ${about}`,
  keeps: 'score',
  apply: (sent, ontology) => {
    const event = withOwnName(sent);
    const server = toolName(event) === '' || isCommand(event) ? null : serverOf(event, ontology);
    return server === null ? null : make(event, toolName(event), server);
  },
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
  toolShape('tool_as_mcp_call', 'a call of an MCP server, `mcp:server:tool`', (event, tool, server) =>
    asCall(event, `mcp:${segment(server)}:${inWords(tool)}`, parametersOf(event), {
      server_name: server,
      tool_name: tool,
      transport: 'stdio',
    }),
  ),
  toolShape('tool_as_claude_code', '`claude-code:tool:mcp__server__tool`', (event, tool, server) =>
    asCall(event, `claude-code:tool:mcp__${segment(server)}__${inWords(tool)}`, parametersOf(event), {
      tool_name: `mcp__${segment(server)}__${tool}`,
    }),
  ),
  toolShape('tool_as_function_call', 'a function call with its arguments as a JSON string', (event, tool, server) =>
    asCall(
      event,
      `function:${inWords(tool)}:call`,
      { name: tool, arguments: JSON.stringify(parametersOf(event)) },
      { server_name: server },
    ),
  ),
  toolShape('tool_as_legacy_event', 'an event of an older client', (event, tool, server) =>
    asCall(event, `tool:legacy:${inWords(tool)}`, parametersOf(event), { server_name: server, tool_name: tool }),
  ),
];
