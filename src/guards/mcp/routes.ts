/** Resources, prompts and completions of several servers: one list of each, and the server that a request is for. */
import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { type Named, shownNames } from './names.ts';
import { isObject, type Params, PassedError, textOf } from './peer.ts';
import type { McpServer } from './server.ts';

export interface Route {
  server: McpServer;
  params: Params;
}

const LISTS: Readonly<Record<string, { key: string; capability: string }>> = {
  'resources/list': { key: 'resources', capability: 'resources' },
  'resources/templates/list': { key: 'resourceTemplates', capability: 'resources' },
  'prompts/list': { key: 'prompts', capability: 'prompts' },
};
const OF_URI = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

export class Routes {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #say: (text: string) => void;
  #prompts = new Map<string, Named>();
  /** Address → server, as listed last; the first server in the configuration keeps an address that several list. */
  #resources = new Map<string, string>();
  /** The part of a template before its first variable → server. */
  #templates = new Map<string, string>();

  constructor(servers: ReadonlyMap<string, McpServer>, say: (text: string) => void) {
    this.#servers = servers;
    this.#say = say;
  }

  /** The answer to a list of all servers, in one page; `null` when the method is not a list. */
  async list(method: string): Promise<Result | null> {
    const kind = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
    if (kind === undefined) return null;
    const lists = await this.#read(method, kind.key, kind.capability);
    if (method === 'prompts/list') return { prompts: this.#namePrompts(lists) };
    const owners = method === 'resources/list' ? this.#resources : this.#templates;
    owners.clear();
    for (const [server, items] of lists) {
      for (const item of items) {
        const address = String(method === 'resources/list' ? item['uri'] : item['uriTemplate']).split('{')[0]!;
        if (!owners.has(address)) owners.set(address, server);
      }
    }
    return { [kind.key]: [...lists.values()].flat() };
  }

  /** Where a request goes, as the server knows it. Throws when no server takes it. */
  async to(method: string, params: Params): Promise<Route[]> {
    const [only] = this.#servers.values();
    if (this.#servers.size === 1 && only !== undefined) return [{ server: only, params }];
    if (method === 'logging/setLevel') return this.#with('logging').map((server) => ({ server, params }));
    if (OF_URI.has(method)) return [{ server: await this.#ownerOf(String(params['uri'])), params }];
    if (method === 'prompts/get') return [await this.#promptRoute(params)];
    if (method === 'completion/complete') return [await this.#completionRoute(params)];
    throw new PassedError(ErrorCode.MethodNotFound, 'Method not found');
  }

  #with(capability: string): McpServer[] {
    return [...this.#servers.values()].filter(({ capabilities }) => capabilities[capability] !== undefined);
  }

  async #read(method: string, key: string, capability: string): Promise<Map<string, Params[]>> {
    const read = this.#with(capability).map(async (server): Promise<[string, Params[]]> => {
      try {
        return [server.name, await server.list(method, key)];
      } catch (error) {
        this.#say(`${server.name}: no ${key}: ${(error as Error).message}`);
        return [server.name, []];
      }
    });
    return new Map(await Promise.all(read));
  }

  #namePrompts(lists: ReadonlyMap<string, Params[]>): Params[] {
    const named = [...lists].map(
      ([server, items]) => [server, items.flatMap(({ name }) => textOf(name) ?? [])] as const,
    );
    this.#prompts = shownNames(new Map(named));
    return [...this.#prompts].map(([shown, { server, name }]) => ({
      ...lists.get(server)!.find((prompt) => prompt['name'] === name),
      name: shown,
    }));
  }

  async #promptRoute(params: Params): Promise<Route> {
    const shown = String(params['name']);
    if (!this.#prompts.has(shown)) await this.list('prompts/list');
    const named = this.#prompts.get(shown);
    if (named === undefined) throw new PassedError(ErrorCode.InvalidParams, `Unknown prompt: ${shown}`);
    return { server: this.#servers.get(named.server)!, params: { ...params, name: named.name } };
  }

  async #completionRoute(params: Params): Promise<Route> {
    const ref = isObject(params['ref']) ? params['ref'] : {};
    if (ref['type'] === 'ref/resource') return { server: await this.#ownerOf(String(ref['uri'])), params };
    const { server, params: named } = await this.#promptRoute(ref);
    return { server, params: { ...params, ref: named } };
  }

  async #ownerOf(uri: string): Promise<McpServer> {
    if (!this.#resources.has(uri))
      await Promise.all([this.list('resources/list'), this.list('resources/templates/list')]);
    const [template] = [...this.#templates.keys()]
      .filter((start) => start !== '' && uri.startsWith(start))
      .toSorted((a, b) => b.length - a.length);
    const owner = this.#resources.get(uri) ?? (template === undefined ? undefined : this.#templates.get(template));
    const [only, second] = this.#with('resources');
    const server = owner === undefined && second === undefined ? only : this.#servers.get(owner ?? '');
    if (server === undefined) throw new PassedError(-32002, `Resource not found: ${uri.slice(0, 1_000)}`);
    return server;
  }
}
