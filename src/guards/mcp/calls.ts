/** `tools/call`: the definition as it stands now, then Weir's verdict, then the server. */
import type { CallToolResult, Result } from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { toolAction } from '../../../clients/typescript/src/tool-action.ts';
import type { Verdict } from '../../../clients/typescript/src/types.ts';
import { guard, refusal, told } from './guard.ts';
import { type Extra, isObject, type Params, PassedError, passedError } from './peer.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { byteLength, type SessionRecord } from './record.ts';
import type { McpServer } from './server.ts';
import type { FoundTool, Tools } from './tools.ts';
import { USER, userOf, WORDS } from './user.ts';

export interface CallParts {
  options: ProxyOptions;
  servers: ReadonlyMap<string, McpServer>;
  tools: Tools;
  record: SessionRecord;
  session_id: string;
  max_result_bytes: number;
  agent: () => { agent_id: string; framework: string };
  /** Passes a request on to a server. */
  ask: (server: McpServer, method: string, params: Params, extra: Extra) => Promise<Result>;
  /** Tells the host that other tools pass than it was told. */
  onToolsChanged: () => void;
}

/** A server that gives no answer, or ends: the call may have been carried out. */
const NO_ANSWER: ReadonlySet<number> = new Set([ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed]);

export async function callTool(params: Params, extra: Extra, parts: CallParts): Promise<Result> {
  const { name, arguments: args = {} } = params;
  const { say } = parts.options;
  if (typeof name !== 'string' || !isObject(args))
    throw new PassedError(ErrorCode.InvalidParams, 'tools/call needs a name, and arguments as an object');
  const found = await parts.tools.find(name).catch((error: unknown) => Promise.reject(passedError(error)));
  if (parts.tools.has_changed) parts.onToolsChanged();
  if (found === null) throw new PassedError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
  if (found.definition === null) {
    say(`refused: \`${name}\`. ${found.reason}`);
    return told(`Refused by Weir. Not done: ${found.reason}`);
  }
  const verdict = await judge(found, args, extra, parts);
  // The host has given the call up while a person was asked.
  extra.signal.throwIfAborted();
  if (!verdict.is_allowed) {
    say(`refused: \`${name}\`. ${verdict.text}`);
    return refusal(verdict);
  }
  return carryOut(found, { ...params, name: found.name, arguments: args }, extra, parts);
}

function judge(found: FoundTool, args: Params, extra: Extra, parts: CallParts): Promise<Verdict> {
  const { options, record, session_id, agent } = parts;
  const { words, user_id } = userOf(extra, options.config);
  if (words !== undefined) record.asked(words);
  const server = parts.servers.get(found.server)!;
  const call = {
    server: found.server,
    tool: found.name,
    args,
    description: found.definition?.text ?? '',
    transport: server.transport,
    is_verified: server.config.isVerified,
    action: server.config.actions?.[found.name],
    agent: agent(),
    session: { session_id, ...(user_id !== undefined && { user_id: user_id.slice(0, 256) }) },
  };
  let round = 0;
  const onHeld = ({ event_id, reasoning }: { event_id: string; reasoning: string }): void => {
    if (round === 0) options.say(`held: \`${found.name}\`, event ${event_id}. ${reasoning}`);
    round += 1;
    tellProgress(extra, round, event_id);
  };
  return guard(options.client, call, record, { wait_s: options.wait_s, signal: extra.signal, onHeld });
}

/** For hosts that wait longer while they hear something. */
function tellProgress(extra: Extra, progress: number, event_id: string): void {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  const message = `waiting for a person to decide about event ${event_id}`;
  const params = { progressToken, progress, message };
  void extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
}

async function carryOut(found: FoundTool, params: Params, extra: Extra, parts: CallParts): Promise<Result> {
  const { record, servers, ask, max_result_bytes } = parts;
  const server = servers.get(found.server)!;
  const args = params['arguments'] as Params;
  const usual = toolAction({ tool: found.name, args, server: found.server }).event.action;
  record.called(found.server, found.name, args, server.config.actions?.[found.name] ?? usual);
  let result: Result;
  try {
    result = await ask(server, 'tools/call', withoutOurs(params), extra);
  } catch (error) {
    result = failed(found, passedError(error));
  }
  record.answered(result);
  const length = byteLength(result);
  if (length <= max_result_bytes) return result;
  return told(
    `The server \`${found.server}\` answered \`${found.name}\` with ${length} bytes; at most ${max_result_bytes} are passed on. The call was carried out. Ask for less of it.`,
  );
}

/** The user's words are for Weir. */
function withoutOurs(params: Params): Params {
  const { _meta, ...rest } = params;
  if (!isObject(_meta)) return rest;
  const { [WORDS]: _, [USER]: __, ...others } = _meta;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

/** The model can do something with a server that does not answer; an error of the protocol is passed on as it is. */
function failed({ server, name }: FoundTool, error: PassedError): CallToolResult {
  if (!NO_ANSWER.has(error.code)) throw error;
  return told(
    `The server \`${server}\` did not answer \`${name}\` (${error.message}). It may have been carried out or not: find out before you ask again.`,
  );
}
