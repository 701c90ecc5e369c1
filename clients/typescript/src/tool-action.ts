/** Tool calls as actions. The table is Weir's own (`clients/tools.json`), so that policies and scores use the same names. */
import { TOOLS } from './tools.ts';
import type { ToolAction } from './types.ts';

/** Host prefixes of MCP tools: `mcp__<server>__<tool>`. */
const OF_SERVER = /^mcp__(.+?)__(.+)$/;
/** Arguments that name what a call works on, and the type of resource that each means. */
const TARGETS = [
  ['file_path', 'file'],
  ['path', 'file'],
  ['notebook_path', 'file'],
  ['uri', 'uri'],
  ['url', 'url'],
] as const;

export type ToolCall = { tool: string; args?: Record<string, unknown>; server?: string };

/**
 * What calling a tool does, as the part of an event that names it. `is_recognised: false` when the table does not list the
 * tool: then the action is `<server>:tool:<tool>`, and Weir scores it by the words of its name and by its arguments.
 */
export function toolAction({ tool, args = {}, server }: ToolCall): { event: ToolAction; is_recognised: boolean } {
  const [, of_server, own_name = tool] = OF_SERVER.exec(tool) ?? [];
  const server_name = server ?? of_server;
  const listed = findTool(own_name, server_name ?? '');
  const action = listed ?? `${segment(server_name ?? 'agent')}:tool:${segment(own_name)}`;
  const named = TARGETS.find(([name]) => typeof args[name] === 'string' && args[name] !== '');
  const event: ToolAction = {
    action: action.toLowerCase(),
    parameters: args,
    ...(named !== undefined && { target: { resource_type: named[1], resource_id: String(args[named[0]]) } }),
    mcp_context: { ...(server_name !== undefined && { server_name }), tool_name: own_name },
  };
  return { event, is_recognised: listed !== undefined };
}

/** The action of a listed tool: that of this server, else the riskiest of its name, because a name alone is only a claim. */
function findTool(tool: string, server: string): string | undefined {
  const entries = Object.hasOwn(TOOLS, tool.toLowerCase()) ? TOOLS[tool.toLowerCase()]! : [];
  const words = new Set(wordsOf(server));
  const own = entries.filter(([name]) => server !== '' && wordsOf(name).some((word) => words.has(word)));
  return (own[0] ?? entries[0])?.[1];
}

/** `GitHubServer`, `github-server` → their words in lower case, split as Weir splits names. */
const wordsOf = (name: string): string[] =>
  (name.slice(0, 256).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());

const segment = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64) || 'unknown';
