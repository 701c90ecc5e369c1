/**
 * The tools: those of a real MCP server, the filesystem server, which may touch one folder. Tools of your own are as good: a
 * list, and a function that does a call. `asAction` is what Weir is told of a call, and the place to say what yours do.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Action } from '../gate.ts';
import type { Tool, ToolCall } from './model.ts';

export interface Tools {
  list(): Promise<Tool[]>;
  /** Does it. The text is for the model; an error of the tool is one, too. */
  run(call: ToolCall): Promise<string>;
  close(): Promise<void>;
}

/** Starts the MCP server with this command. */
export async function mcpTools(command: string, args: string[]): Promise<Tools> {
  const client = new Client({ name: 'weir-agent-loop', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  return {
    async list() {
      const { tools } = await client.listTools();
      return tools.map(({ name, description = '', inputSchema }) => ({ name, description, parameters: inputSchema }));
    },
    async run({ name, arguments: args }) {
      const { content } = (await client.callTool({ name, arguments: args })) as { content: { text?: string }[] };
      return content.map(({ text = '' }) => text).join('\n');
    },
    close: () => client.close(),
  };
}

/** Tools that Weir's ontology has a name for. For any other the name of the tool says what it does. */
const ACTIONS: Readonly<Record<string, string>> = {
  read_text_file: 'file:document:read',
  write_file: 'file:document:write',
  edit_file: 'file:document:edit',
  move_file: 'file:document:move',
  create_directory: 'file:directory:create',
  list_directory: 'file:directory:list',
};

/** What a call does, in Weir's words. The parameters are the very arguments that the tool gets. */
export function asAction({ name, arguments: parameters }: ToolCall): Action {
  const { path } = parameters;
  return {
    action: ACTIONS[name] ?? `filesystem:tool:${name}`,
    parameters,
    ...(typeof path === 'string' && { target: { resource_type: 'file', resource_id: path } }),
    mcp_context: { server_name: 'filesystem', transport: 'stdio', tool_name: name },
  };
}
