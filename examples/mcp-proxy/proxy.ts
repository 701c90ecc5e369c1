/**
 * Everything between an MCP host and an MCP server goes through here as it is, but for `tools/call`: the gate is asked first,
 * and a call that is refused never reaches the server. The model gets the reasons as the result of its call.
 */
import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Action, Gate } from '../gate.ts';
import { byteLength, createConversation } from './conversation.ts';

export interface ProxyOptions {
  /** Where the model's host is, and where the server is. Neither is started yet. */
  host: Transport;
  server: Transport;
  gate: Gate;
  /** What the server is called in events. Default: what it calls itself. */
  server_name?: string;
  /** Default: what the host calls itself. */
  agent_id?: string;
  /** Actions of tools that Weir has a name for, by the tool's name. */
  actions: Readonly<Record<string, string>>;
  /** For people; the standard error of the process. */
  say: (text: string) => void;
}

type Arguments = Record<string, unknown>;

/** Requests whose answers bring text into the model's context. */
const READING = new Set(['tools/call', 'tasks/result', 'resources/read', 'prompts/get']);
/** Bytes of an event, so that it stays below what Weir takes (1 MiB). */
const MAX_EVENT = 900_000;

/** Starts both sides. Resolves when one of them is gone and the other is closed. */
export async function runProxy(options: ProxyOptions): Promise<void> {
  const { host, server, gate, say } = options;
  const session = { session_id: randomUUID() };
  const conversation = createConversation();
  const preceding: string[] = [];
  /** Requests of the host that the server has not answered, and what each reads. */
  const sent = new Map<RequestId, { method: string; source: string }>();
  /** Calls about which the gate is being asked. */
  const asking = new Map<RequestId, AbortController>();
  let server_name = options.server_name ?? '';
  let agent_id = options.agent_id ?? '';

  const toHost = (message: JSONRPCMessage): void => void host.send(message).catch(report);
  const toServer = (message: JSONRPCMessage): void => void server.send(message).catch(report);
  const report = (error: unknown): void => say(`a message could not be passed on: ${(error as Error).message}`);

  function asAction(name: string, args: Arguments): Action {
    const place = ['path', 'uri', 'url'].find((key) => typeof args[key] === 'string');
    const action = options.actions[name] ?? `${segment(server_name)}:tool:${segment(name)}`;
    const known = {
      action,
      parameters: args,
      ...(place !== undefined && {
        target: { resource_type: place === 'path' ? 'file' : place, resource_id: args[place] as string },
      }),
      agent: { agent_id, framework: 'mcp' },
      session,
      mcp_context: { server_name, transport: 'stdio', tool_name: name },
      preceding_actions: preceding.slice(-100),
    };
    return { ...known, conversation_history: conversation.history(MAX_EVENT - byteLength(known)) };
  }

  async function onCall(request: JSONRPCRequest, name: string, args: Arguments): Promise<void> {
    const controller = new AbortController();
    asking.set(request.id, controller);
    let round = 0;
    try {
      const event = asAction(name, args);
      const verdict = await gate.ask(event, {
        signal: controller.signal,
        onHeld({ event_id, reasoning }) {
          if (round === 0) say(`held: \`${name}\`, event ${event_id}. ${reasoning}`);
          round += 1;
          tellProgress(request, round, event_id);
        },
      });
      if (controller.signal.aborted) return;
      if (!verdict.is_allowed) {
        say(`refused: \`${name}\`. ${verdict.text}`);
        toHost({ jsonrpc: '2.0', id: request.id, result: refusal(verdict.text) });
        return;
      }
      preceding.push(event.action);
      conversation.called(name, args);
      forward({ ...request, params: { ...request.params, name, arguments: args } }, name);
    } catch (error) {
      // The host has given up on it, and expects no answer; anything else is a refusal, too.
      if (controller.signal.aborted) return;
      say(`refused: \`${name}\`. ${(error as Error).stack}`);
      toHost({ jsonrpc: '2.0', id: request.id, result: refusal('Not done: the gate to Weir failed.') });
    } finally {
      asking.delete(request.id);
    }
  }

  /** For hosts that wait longer while they hear something. */
  function tellProgress({ params }: JSONRPCRequest, progress: number, event_id: string): void {
    const progressToken = params?._meta?.progressToken;
    if (progressToken === undefined) return;
    const message = `waiting for a person to decide about event ${event_id}`;
    toHost({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message } });
  }

  function forward(request: JSONRPCRequest, source: string): void {
    sent.set(request.id, { method: request.method, source });
    toServer(request);
  }

  host.onmessage = (message: JSONRPCMessage): void => {
    const method = 'method' in message ? message.method : '';
    if (method === 'tools/call') onCallMessage(message);
    else if (isJSONRPCRequest(message)) {
      if (method === 'initialize' && agent_id === '') agent_id = nameIn(message.params, 'clientInfo');
      forward(message, method);
    } else if (method !== 'notifications/cancelled' || !stopAsking(message)) toServer(message);
  };

  function onCallMessage(message: JSONRPCMessage): void {
    // Without an id nobody would hear why it was refused: there is no such call in MCP.
    if (!isJSONRPCRequest(message)) {
      say('a tools/call without an id was dropped');
      return;
    }
    const { name, arguments: args = {} } = message.params ?? {};
    if (typeof name === 'string' && isObject(args)) return void onCall(message, name, args);
    const error = { code: -32602, message: 'tools/call needs a name, and arguments as an object' };
    toHost({ jsonrpc: '2.0', id: message.id, error });
  }

  /** Whether the host gave up a call that the server knows nothing of. */
  function stopAsking(message: JSONRPCMessage): boolean {
    const id = ('params' in message ? message.params?.['requestId'] : undefined) as RequestId;
    const controller = asking.get(id);
    controller?.abort();
    sent.delete(id);
    return controller !== undefined;
  }

  server.onmessage = (message: JSONRPCMessage): void => {
    if (!('method' in message) && message.id !== undefined) {
      const request = sent.get(message.id);
      sent.delete(message.id);
      if (request?.method === 'initialize' && 'result' in message && server_name === '') {
        server_name = nameIn(message.result, 'serverInfo');
      }
      if (request !== undefined && READING.has(request.method)) conversation.answered(request.source, message);
    }
    toHost(message);
  };

  const ended = Promise.withResolvers<void>();
  for (const [side, other, what] of [
    [host, server, 'the host'],
    [server, host, 'the server'],
  ] as const) {
    side.onerror = (error) => say(`${what}: ${error.message}`);
    side.onclose = () => {
      for (const held of asking.values()) held.abort();
      void other.close().finally(ended.resolve);
    };
  }
  await server.start();
  await host.start();
  await ended.promise;
}

function refusal(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** As a segment of an action may be. */
function segment(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64) || 'unknown';
}

function nameIn(params: Arguments | undefined, field: string): string {
  const info = params?.[field];
  return isObject(info) && typeof info['name'] === 'string' ? info['name'].slice(0, 256) : '';
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
