/** Reads the names of action, tool and server: which languages the tool takes, and what it does to files. */
import type { AgentEvent } from '../../events/event.ts';
import { wordsOf } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, patternOf } from '../../ontology/words.ts';
import type { Dialect } from './dialects.ts';
import { programOfTool } from './tool-programs.ts';

/** Languages that the tool takes, according to the names of action, tool and server. */
export interface Hints {
  shell: boolean;
  python: boolean;
  javascript: boolean;
  /** Ruby, PHP, Perl, Lua or another language that is read by its calls. */
  script: boolean;
  sql: boolean;
  http: boolean;
  /** It runs, starts or passes on what it is given, of whatever kind. */
  runner: boolean;
  /** Which kind of shell it is, as far as a name says. */
  dialect: Dialect;
}

/** No name says that the tool runs code. */
export const NO_HINTS: Hints = {
  shell: false,
  python: false,
  javascript: false,
  script: false,
  sql: false,
  http: false,
  runner: false,
  dialect: 'shell',
};
const RUNNER: Hints = { ...NO_HINTS, runner: true };

export type FileVerb = 'write' | 'delete' | 'move' | 'copy' | 'read';
/** In order of precedence: a name may contain several verbs. */
const FILE_VERBS: readonly FileVerb[] = ['delete', 'move', 'copy', 'write', 'read'];

export interface ToolNames {
  hints: Hints;
  /** What the tool does to files; `null` when it does not handle files. */
  file_verb: FileVerb | null;
  /** The names say that it handles folders with all that is in them. */
  takes_trees: boolean;
  /** The client of the store or service that the tool administers; '' when it has none, `null` when it is for no such thing. */
  client: string | null;
  /** The program that the tool is named after, which its parameters leave out; '' for most tools. */
  program: string;
}

/** Most names that are cached. When there are more, the cache is emptied. */
const MAX_REMEMBERED = 2_000;

/** Reads names, with a cache by action, tool and server: most events repeat earlier names. */
class NameReader {
  readonly #languages: Readonly<
    Record<
      'any' | 'shell' | 'powershell' | 'cmd' | 'python' | 'javascript' | 'script' | 'sql' | 'http' | 'runner',
      RegExp
    >
  >;
  readonly #handles_files: RegExp;
  readonly #clients: ReadonlyMap<string, string>;
  readonly #runs: RegExp;
  readonly #trees: RegExp;
  readonly #verbs: readonly (readonly [FileVerb, RegExp])[];
  readonly #remembered = new Map<string, Map<string, Map<string, ToolNames>>>();
  #count = 0;

  readonly #ontology: Ontology;

  constructor(ontology: Ontology) {
    this.#ontology = ontology;
    const language = (name: string): RegExp => patternOf(ontology, 'tool_languages', name);
    this.#languages = {
      any: language('any'),
      shell: language('shell'),
      powershell: language('powershell'),
      cmd: language('cmd'),
      python: language('python'),
      javascript: language('javascript'),
      script: language('script'),
      sql: language('sql'),
      http: language('http'),
      runner: language('runner'),
    };
    this.#handles_files = patternOf(ontology, 'file_tools', 'names');
    this.#clients = inverseOf(ontology, 'store_clients');
    this.#trees = patternOf(ontology, 'file_tools', 'trees');
    this.#runs = patternOf(ontology, 'file_tools', 'runs');
    this.#verbs = FILE_VERBS.map((verb) => [verb, patternOf(ontology, 'file_tools', verb)]);
  }

  namesOf(event: AgentEvent): ToolNames {
    const tool = event.mcp_context?.tool_name ?? '';
    const server = event.mcp_context?.server_name ?? '';
    const known = this.#remembered.get(event.action)?.get(tool)?.get(server);
    if (known !== undefined) return known;
    if (this.#count++ >= MAX_REMEMBERED) {
      this.#remembered.clear();
      this.#count = 0;
    }
    const byTool = this.#remembered.get(event.action) ?? new Map<string, Map<string, ToolNames>>();
    const byServer = byTool.get(tool) ?? new Map<string, ToolNames>();
    const names = this.#read(event.action, tool, server);
    this.#remembered.set(event.action, byTool);
    byTool.set(tool, byServer);
    byServer.set(server, names);
    return names;
  }

  #read(action: string, tool: string, server: string): ToolNames {
    const all = `${action} ${tool} ${server}`;
    const names = `${action} ${tool}`.replace(/([a-z])([A-Z])/g, '$1_$2');
    const isHandling = this.#handles_files.test(names) && !this.#runs.test(names);
    return {
      hints: this.#languages.any.test(all) ? this.#hints(all) : this.#languages.runner.test(all) ? RUNNER : NO_HINTS,
      client: this.#clientOf(all),
      program: programOfTool(`${action} ${tool}`, this.#ontology),
      takes_trees: this.#trees.test(names),
      file_verb: isHandling ? (this.#verbs.find(([, pattern]) => pattern.test(names))?.[0] ?? null) : null,
    };
  }

  #clientOf(names: string): string | null {
    for (const word of wordsOf(names.replace(/[\s:]+/g, '_'))) {
      const client = this.#clients.get(word);
      if (client !== undefined) return client === 'none' ? '' : client;
    }
    return null;
  }

  #hints(names: string): Hints {
    return {
      shell: this.#languages.shell.test(names),
      python: this.#languages.python.test(names),
      javascript: this.#languages.javascript.test(names),
      script: this.#languages.script.test(names),
      sql: this.#languages.sql.test(names),
      http: this.#languages.http.test(names),
      runner: this.#languages.runner.test(names),
      dialect: this.#languages.powershell.test(names)
        ? 'powershell'
        : this.#languages.cmd.test(names)
          ? 'cmd'
          : 'shell',
    };
  }
}

export const nameReader = perOntology((ontology) => new NameReader(ontology));

/** What the names of action, tool and server of this event say. Cached. */
export function namesOf(ontology: Ontology, event: AgentEvent): ToolNames {
  return nameReader(ontology).namesOf(event);
}
