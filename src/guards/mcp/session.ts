/**
 * One session of a host: everything passes between the host and its servers, but for `tools/call`, about which Weir is asked first,
 * and for definitions that are not pinned.
 */
import { randomUUID } from 'node:crypto';
import { mergeCapabilities } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  LATEST_PROTOCOL_VERSION,
  type RequestId,
  type Result,
  ResultSchema,
  type ServerCapabilities,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { callTool } from './calls.ts';
import { check } from './catalog.ts';
import { INSTRUCTIONS, instructionsDefinition } from './definitions.ts';
import { type Extra, isObject, type Params, PassedError, Peer, passedError, textOf } from './peer.ts';
import { pinsFile } from './pins.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { createRecord } from './record.ts';
import { Routes } from './routes.ts';
import { McpServer } from './server.ts';
import { Tools } from './tools.ts';

const TIMEOUT_S = 300;
const MAX_RESULT_BYTES = 4 * 1024 * 1024;
const NAMELESS = 'mcp-host';
const TOOLS_CHANGED = 'notifications/tools/list_changed';

export class Session {
  readonly #options: ProxyOptions;
  readonly #host = new Peer();
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #tools: Tools;
  readonly #routes: Routes;
  readonly #record = createRecord();
  readonly #session_id = randomUUID();
  /** Requests of the host that each server works on: what the server asks meanwhile belongs to the newest. */
  readonly #open = new Map<string, RequestId[]>();
  #agent_id = NAMELESS;
  /** Called when the host is gone and the servers are closed. */
  onend: () => void = () => {};

  constructor(options: ProxyOptions) {
    this.#options = options;
    const { config, say, state_dir } = options;
    this.#servers = new Map(Object.keys(config.mcpServers).map((name) => [name, this.#makeServer(name)]));
    const fileOf = (server: string): string => pinsFile(state_dir, 'tools', server);
    this.#tools = new Tools(this.#servers, { check: () => this.#checking(), fileOf, say });
    this.#routes = new Routes(this.#servers, say);
    this.#host.fallbackRequestHandler = ({ method, params }, extra) => this.#onRequest(method, params, extra);
    this.#host.fallbackNotificationHandler = ({ method, params }) => this.#toServers(method, params);
    this.#host.onerror = ({ message }) => say(`host: ${message.slice(0, 300)}`);
    this.#host.onclose = () => void this.#closeServers().finally(() => this.onend());
  }

  connect(transport: Transport): Promise<void> {
    return this.#host.connect(transport);
  }

  close(): Promise<void> {
    return this.#host.close();
  }

  #makeServer(name: string): McpServer {
    const { config, say } = this.#options;
    return new McpServer({
      name,
      config: config.mcpServers[name]!,
      timeout_ms: this.#timeoutMs(),
      max_result_bytes: this.#maxResultBytes(),
      onRequest: (method, params, extra) => this.#askHost(name, method, params, extra),
      onNotification: (method, params) => this.#tellHost(name, method, params),
      say,
    });
  }

  #timeoutMs(): number {
    return (this.#options.config.timeoutSeconds ?? TIMEOUT_S) * 1_000;
  }

  #maxResultBytes(): number {
    return this.#options.config.maxResultBytes ?? MAX_RESULT_BYTES;
  }

  async #closeServers(): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map((server) => server.close()));
  }

  async #onRequest(method: string, params: Params = {}, extra: Extra): Promise<Result> {
    if (method === 'initialize') return this.#initialize(params);
    if (method === 'tools/list') return { tools: await this.#tools.list() };
    if (method === 'tools/call') return this.#call(params, extra);
    const listed = await this.#routes.list(method);
    if (listed !== null) return listed;
    const routes = await this.#routes.to(method, params);
    const asked = routes.map((route) => this.#ask(route.server, method, route.params, extra));
    const results = await Promise.all(asked).catch((error: unknown) => Promise.reject(passedError(error)));
    // What stands in a resource or a prompt is text from outside, like the result of a tool.
    if (method === 'resources/read' || method === 'prompts/get') for (const one of results) this.#record.answered(one);
    return results[0] ?? {};
  }

  #call(params: Params, extra: Extra): Promise<Result> {
    return callTool(params, extra, {
      options: this.#options,
      servers: this.#servers,
      tools: this.#tools,
      record: this.#record,
      session_id: this.#session_id,
      max_result_bytes: this.#maxResultBytes(),
      agent: () => this.#agent(),
      ask: (server, method, sent, from) => this.#ask(server, method, sent, from),
      onToolsChanged: () => void this.#host.notification({ method: TOOLS_CHANGED }).catch(() => {}),
    });
  }

  /** Passes a request on, with the host's cancellation and its progress. */
  async #ask(server: McpServer, method: string, params: Params, extra: Extra): Promise<Result> {
    const open = (): RequestId[] => this.#open.get(server.name) ?? [];
    this.#open.set(server.name, [...open(), extra.requestId]);
    try {
      return await server.request(method, params, { signal: extra.signal, ...progressTo(extra) });
    } finally {
      this.#open.set(
        server.name,
        open().filter((id) => id !== extra.requestId),
      );
    }
  }

  /** Sampling, elicitation, roots: the host answers, in the stream of the call that they belong to. */
  async #askHost(server: string, method: string, params: Params | undefined, extra: Extra): Promise<Result> {
    // A model reads the messages of a request for sampling: they are text of the server.
    if (method === 'sampling/createMessage') this.#record.answered(params);
    const request = { method, ...(params && { params }) };
    const options = {
      signal: extra.signal,
      timeout: this.#timeoutMs(),
      ...progressTo(extra),
      ...this.#related(server),
    };
    return this.#host
      .request(request, ResultSchema, options)
      .catch((error: unknown) => Promise.reject(passedError(error)));
  }

  #tellHost(server: string, method: string, params: Params | undefined): Promise<void> {
    return this.#host.notification({ method, ...(params && { params }) }, this.#related(server));
  }

  #related(server: string): { relatedRequestId?: RequestId } {
    const relatedRequestId = this.#open.get(server)?.at(-1);
    return relatedRequestId === undefined ? {} : { relatedRequestId };
  }

  async #toServers(method: string, params: Params | undefined): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map((server) => server.notify(method, params)));
  }

  async #initialize(params: Params): Promise<Result> {
    const asked = String(params['protocolVersion']);
    const protocolVersion = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
    // Tasks are not passed on: their results would arrive outside of the call that was judged.
    const { tasks: _, ...capabilities } = isObject(params['capabilities']) ? params['capabilities'] : {};
    const clientInfo = isObject(params['clientInfo']) ? params['clientInfo'] : { name: NAMELESS, version: '0' };
    this.#agent_id = (textOf(clientInfo['name']) ?? NAMELESS).slice(0, 256);
    const greeting = { protocolVersion, capabilities, clientInfo };
    const greeted = await Promise.all([...this.#servers.values()].map((server) => this.#greet(server, greeting)));
    const started = greeted.flatMap(({ server, result }) => (result === undefined ? [] : [{ server, result }]));
    const [first] = started;
    if (first === undefined) {
      const reasons = greeted.map(({ server, reason }) => `${server.name}: ${reason}`);
      throw new PassedError(
        ErrorCode.InternalError,
        `no MCP server behind the proxy has started: ${reasons.join('; ')}`,
      );
    }
    const instructions = await this.#instructions(started);
    const { instructions: __, ...own } = this.#servers.size === 1 ? first.result : {};
    return {
      ...own,
      protocolVersion,
      capabilities: capabilitiesOf(started.map(({ server }) => server.capabilities)),
      ...(this.#servers.size > 1 && { serverInfo: { name: 'weir-mcp-proxy', version: this.#options.version } }),
      ...(instructions !== '' && { instructions }),
    };
  }

  /** A server that does not start is left out: the others are of use without it. */
  async #greet(server: McpServer, greeting: Parameters<McpServer['greet']>[0]) {
    try {
      return { server, result: await server.greet(greeting) };
    } catch (error) {
      const reason = (error as Error).message;
      this.#options.say(`${server.name}: it did not start: ${reason}`);
      return { server, reason };
    }
  }

  /** Instructions of servers go into the model's context, so that they are pinned like the descriptions of tools. */
  async #instructions(started: readonly { server: McpServer; result: Result }[]): Promise<string> {
    const texts: string[] = [];
    for (const { server, result } of started) {
      const definition = await instructionsDefinition(result['instructions']);
      if (definition === null) continue;
      const { name, transport } = server;
      const file = pinsFile(this.#options.state_dir, 'instructions', name);
      const refused = await check([definition], { ...this.#checking(), server: name, transport, file });
      const reason = refused.get(INSTRUCTIONS);
      if (reason !== undefined) this.#options.say(`${name}: its instructions are withheld: ${reason}`);
      else texts.push(this.#servers.size > 1 ? `# ${name}\n${result['instructions']}` : String(result['instructions']));
    }
    return texts.join('\n\n');
  }

  #checking() {
    const { client, config } = this.#options;
    return { client, agent: this.#agent(), first_use: config.firstUse ?? ('pin' as const) };
  }

  #agent() {
    return { agent_id: this.#options.agent_id ?? this.#agent_id, framework: 'mcp' };
  }
}

/** The progress of a request that is passed on, to where it came from. */
function progressTo(extra: Extra): { onprogress?: (progress: object) => void } {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return {};
  const method = 'notifications/progress';
  return {
    onprogress: (progress) =>
      void extra.sendNotification({ method, params: { ...progress, progressToken } }).catch(() => {}),
  };
}

/** What the servers offer together. The proxy itself tells of changed tools. */
function capabilitiesOf(all: readonly Params[]): ServerCapabilities {
  const { tasks: _, ...merged } = all.reduce<ServerCapabilities>((sum, one) => mergeCapabilities(sum, one), {});
  return { ...merged, ...(merged.tools !== undefined && { tools: { ...merged.tools, listChanged: true } }) };
}
