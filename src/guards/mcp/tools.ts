/** Tools of all servers, as the host may see them: what the pins let pass, under names that name one tool each. */
import { type CheckOptions, check } from './catalog.ts';
import { type Definition, toolDefinition, toolId } from './definitions.ts';
import { type Named, SEPARATOR, shownNames } from './names.ts';
import { isObject, type Params } from './peer.ts';
import type { McpServer } from './server.ts';

type Checked = Omit<CheckOptions, 'server' | 'transport' | 'file'>;

interface Catalog {
  /** Tools that pass, by the server's name for them. */
  passed: Map<string, { tool: Params; definition: Definition }>;
  /** Why the others do not, by id. */
  refused: Map<string, string>;
}

export interface FoundTool extends Named {
  /** `null` when it does not pass; then there is a reason. */
  definition: Definition | null;
  reason: string;
}

export class Tools {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #check: () => Checked;
  readonly #fileOf: (server: string) => string;
  readonly #say: (text: string) => void;
  readonly #catalogs = new Map<string, Catalog>();
  readonly #running = new Map<string, Promise<Catalog>>();
  /** Names as the host was told last: what a server changes afterwards leads no call elsewhere. */
  #shown = new Map<string, Named>();
  #told = '';

  constructor(
    servers: ReadonlyMap<string, McpServer>,
    options: { check: () => Checked; fileOf: (server: string) => string; say: (text: string) => void },
  ) {
    this.#servers = servers;
    this.#check = options.check;
    this.#fileOf = options.fileOf;
    this.#say = options.say;
  }

  /** The answer to `tools/list`: all servers, one page. A server that does not answer is left out, and said to people. */
  async list(): Promise<Params[]> {
    const asked = [...this.#servers.values()].filter(({ capabilities }) => capabilities['tools'] !== undefined);
    await Promise.all(
      asked.map((server) =>
        this.#refresh(server).catch((error: Error) => this.#say(`${server.name}: no tools: ${error.message}`)),
      ),
    );
    this.#shown = shownNames(this.#passed());
    this.#told = this.#signature();
    return [...this.#shown].map(([shown, { server, name }]) => ({
      ...this.#catalogs.get(server)!.passed.get(name)!.tool,
      name: shown,
    }));
  }

  /**
   * The tool that the host means, with its definition as it stands now: the server is asked again before each call, because it may
   * have changed the definition since the host read it. `null`: no server has it.
   */
  async find(shown: string): Promise<FoundTool | null> {
    let named = this.#named(shown);
    if (named === null) {
      await this.list();
      named = this.#named(shown);
    }
    if (named === null) return null;
    const { passed, refused } = await this.#refresh(this.#servers.get(named.server)!);
    const definition = passed.get(named.name)?.definition ?? null;
    const gone = `The server \`${named.server}\` has no tool \`${named.name}\` any more.`;
    return { ...named, definition, reason: refused.get(toolId(named.name)) ?? gone };
  }

  /** Whether other tools pass than the host was told. */
  get has_changed(): boolean {
    return this.#told !== '' && this.#told !== this.#signature();
  }

  #named(shown: string): Named | null {
    const named = this.#shown.get(shown);
    if (named !== undefined) return named;
    // One that is hidden, so that the host learns why.
    for (const [server, { refused }] of this.#catalogs) {
      const name = shown.startsWith(server + SEPARATOR) ? shown.slice(server.length + SEPARATOR.length) : shown;
      if (refused.has(toolId(name))) return { server, name };
      if (refused.has(toolId(shown))) return { server, name: shown };
    }
    return null;
  }

  #passed(): Map<string, string[]> {
    return new Map(
      [...this.#servers.keys()].flatMap((name) => {
        const passed = this.#catalogs.get(name)?.passed;
        return passed === undefined ? [] : [[name, [...passed.keys()]] as const];
      }),
    );
  }

  #signature(): string {
    const of = ([name, { passed }]: [string, Catalog]): unknown => [
      name,
      [...passed.values()].map(({ definition }) => definition.hash),
    ];
    return JSON.stringify([...this.#catalogs].map(of));
  }

  /** Calls that come together share one listing. */
  #refresh(server: McpServer): Promise<Catalog> {
    const running = this.#running.get(server.name);
    if (running !== undefined) return running;
    const made = this.#read(server).finally(() => this.#running.delete(server.name));
    this.#running.set(server.name, made);
    return made;
  }

  async #read(server: McpServer): Promise<Catalog> {
    const found = new Map<string, { tool: Params; definition: Definition }>();
    for (const tool of await server.list('tools/list', 'tools')) {
      try {
        const { name, ...definition } = await toolDefinition(tool);
        found.set(name, { tool: isObject(tool) ? tool : {}, definition });
      } catch (error) {
        this.#say(`${server.name}: left out: ${(error as Error).message}`);
      }
    }
    const { name, transport } = server;
    const options = { ...this.#check(), server: name, transport, file: this.#fileOf(name) };
    const refused = await check(
      [...found.values()].map(({ definition }) => definition),
      options,
    );
    const before = this.#catalogs.get(name)?.refused;
    for (const [id, reason] of refused) if (before?.get(id) !== reason) this.#say(`${name}: hidden: ${reason}`);
    const passed = new Map([...found].filter(([tool]) => !refused.has(toolId(tool))));
    const catalog = { passed, refused };
    this.#catalogs.set(name, catalog);
    return catalog;
  }
}
