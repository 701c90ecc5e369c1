/** The guard: one call of a server's tool → Weir's verdict, and what the host is told when the answer is no. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { toolAction } from '../../../clients/typescript/src/tool-action.ts';
import type { Client, Event, GateOptions, Refused, Verdict } from '../../../clients/typescript/src/types.ts';
import type { Params } from './peer.ts';
import { byteLength, type SessionRecord } from './record.ts';

export interface GuardedCall {
  server: string;
  tool: string;
  args: Params;
  /** The text of the tool's definition. */
  description: string;
  transport: 'stdio' | 'http';
  is_verified: boolean | undefined;
  /** The action that the configuration gives the tool; default: by `clients/tools.json`. */
  action: string | undefined;
  agent: { agent_id: string; framework: string };
  session: { session_id: string; user_id?: string };
}

/** Bytes of an event, so that it stays below what Weir takes (1 MiB). */
const MAX_EVENT = 900_000;
/** Characters of `mcp_context.tool_description`. */
export const MAX_DESCRIPTION = 16_384;

/** Asks about one call; the record gives the conversation so far. */
export function guard(
  client: Client,
  call: GuardedCall,
  record: SessionRecord,
  options: GateOptions,
): Promise<Verdict> {
  const { server, tool, args, description, transport, is_verified, agent, session } = call;
  const { event } = toolAction({ tool, args, server });
  const known = {
    ...event,
    action: call.action ?? event.action,
    agent,
    session,
    mcp_context: {
      ...event.mcp_context,
      transport,
      ...(is_verified !== undefined && { is_verified }),
      tool_description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
    },
    preceding_actions: [...record.preceding],
  };
  const conversation = record.conversation(MAX_EVENT - byteLength(known));
  return client.gate({ ...conversation, ...known } as Event, options);
}

/** The refusal as the result of the call: the model reads why, and what to do. */
export function refusal({ event_id, why, text, score, risk_level }: Refused): CallToolResult {
  const held = why === 'undecided' ? 'Held by Weir. ' : 'Refused by Weir. ';
  return { ...told(held + text), _meta: { 'weir/verdict': { event_id, why, score, risk_level } } };
}

export const told = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
