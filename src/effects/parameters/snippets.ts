/** Finds the code among the parameters of a call, with its language. */
import { type Leaf, type ParameterWalk, walkOf } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { commandLine, text, unknown } from '../code/values.ts';
import { isUrl } from '../hosts.ts';
import type { Language } from '../world.ts';
import { dialectOfTool } from './dialects.ts';
import type { HttpCall } from './http.ts';
import { rolesOf } from './parameter-roles.ts';
import { languageByShape, looksLikePython, looksLikeShell, looksLikeSql, startsWithProgram } from './shapes.ts';
import type { Hints } from './tool-names.ts';

export interface Snippet {
  language: Exclude<Language, 'http'>;
  code: string;
}

/** Names of parameters and languages. Memoized per ontology. */
export const snippetWords = perOntology((ontology) => ({
  roleOf: rolesOf(ontology),
  language_parameters: listOf(ontology, 'language_parameters'),
  argument_parameters: listOf(ontology, 'argument_parameters'),
  languages: {
    shell: patternOf(ontology, 'code_languages', 'shell'),
    powershell: patternOf(ontology, 'code_languages', 'powershell'),
    cmd: patternOf(ontology, 'code_languages', 'cmd'),
    python: patternOf(ontology, 'code_languages', 'python'),
    javascript: patternOf(ontology, 'code_languages', 'javascript'),
    sql: patternOf(ontology, 'code_languages', 'sql'),
  },
}));

type Parameters = { [key: string]: Json };
type CodeLanguage = Snippet['language'];

const MAX_INNER = 64 * 1024;
/** Levels of JSON within JSON (`{"arguments": "{\"arguments\": …}"}`) that are read. */
const MAX_INNER_DEPTH = 3;

/**
 * The code in strings and in argument lists, which are joined to command lines. `isRun` tells by the key whether the call runs
 * a text; other texts are ignored.
 */
export function findSnippets(
  ontology: Ontology,
  walk: ParameterWalk,
  hints: Hints,
  parameters: Parameters,
  isRun: (key: string) => boolean,
): Snippet[] {
  return new SnippetFinder(ontology, hints, isRun).find(walk, parameters, 0);
}

class SnippetFinder {
  readonly #ontology: Ontology;
  readonly #words: ReturnType<typeof snippetWords>;
  readonly #hints: Hints;
  readonly #isRun: (key: string) => boolean;

  constructor(ontology: Ontology, hints: Hints, isRun: (key: string) => boolean) {
    this.#ontology = ontology;
    this.#words = snippetWords(ontology);
    this.#hints = hints;
    this.#isRun = isRun;
  }

  /** `depth`: levels of JSON around these parameters. */
  find(walk: ParameterWalk, parameters: Parameters, depth: number): Snippet[] {
    const found: Snippet[] = [];
    const declared = this.#declaredBeside(parameters);
    for (const leaf of walk.leaves) {
      if (typeof leaf.value !== 'string' || leaf.value.length < 2 || leaf.is_element || !this.#isRun(leaf.key))
        continue;
      const role = this.#words.roleOf(leaf.key);
      if (role === 'prose' || role === 'url') continue;
      // The input of a tool that runs commands may be wrapped in JSON under any name, more than once.
      const is_input = role === 'arguments' || role === 'shell' || this.#hints.shell;
      const inner = is_input && depth < MAX_INNER_DEPTH ? innerOf(leaf.value) : null;
      if (inner !== null) {
        const is_list = Array.isArray(inner);
        if (is_list) found.push(...this.#fromList(leaf.key, inner, parameters));
        found.push(...this.find(walkOf(inner), is_list ? {} : inner, depth + 1));
      } else if (role === 'arguments') this.#readInput(leaf.value, declared, parameters, found);
      else this.#readLeaf(leaf, leaf.value, declared, parameters, found);
    }
    if (walk.longest_array > 0)
      for (const e of walk.entries)
        if (Array.isArray(e.value) && this.#isRun(e.key)) found.push(...this.#fromList(e.key, e.value, parameters));
    return found;
  }

  #readLeaf(leaf: Leaf, code: string, declared: string, parameters: Parameters, found: Snippet[]): void {
    const language = this.#languageOf(leaf.key, code, declared);
    if (language === null) return;
    const line = language === 'shell' ? this.#withArguments(code, leaf.path, parameters) : code;
    found.push({ language: this.#inDialect(language, line), code: line });
  }

  #inDialect(language: CodeLanguage, code: string): CodeLanguage {
    if (language !== 'shell' || this.#hints.dialect === 'shell') return language;
    return dialectOfTool(code, this.#hints.dialect, this.#ontology);
  }

  /** The language of the text under a key; `null` for text that is no code, and for prose that only mentions code. */
  #languageOf(key: string, code: string, declared: string): CodeLanguage | null {
    const hints = this.#hints;
    switch (this.#words.roleOf(key)) {
      case 'shell':
        if (hints.python && looksLikePython(code, this.#ontology)) return 'python';
        if (hints.shell || (startsWithProgram(code, this.#ontology) && /\s|^\w+$/.test(code.trim()))) return 'shell';
        return languageByShape(code, this.#ontology);
      case 'sql':
        if (looksLikeSql(code, this.#ontology)) return 'sql';
        return hints.sql && key.toLowerCase() !== 'query' ? 'sql' : null;
      case 'code':
        return this.#languageOfCode(code, declared);
      case 'carrier':
        return hints.shell || hints.python || hints.javascript ? languageByShape(code, this.#ontology) : null;
      case 'prose':
      case 'arguments':
      case 'url':
      case 'method':
        return null;
      default:
        return code.length < 6 || !/[\s(]/.test(code) ? null : languageByShape(code, this.#ontology);
    }
  }

  #languageOfCode(code: string, declared: string): CodeLanguage | null {
    return this.#declaredLanguage(declared) ?? this.#hintedLanguage(code) ?? languageByShape(code, this.#ontology);
  }

  #declaredLanguage(declared: string): CodeLanguage | null {
    const { languages } = this.#words;
    if (languages.shell.test(declared)) return 'shell';
    if (languages.powershell.test(declared)) return 'powershell';
    if (languages.cmd.test(declared)) return 'cmd';
    if (languages.python.test(declared)) return 'python';
    if (languages.javascript.test(declared)) return 'javascript';
    return languages.sql.test(declared) ? 'sql' : null;
  }

  #hintedLanguage(code: string): CodeLanguage | null {
    const hints = this.#hints;
    if (hints.python) return 'python';
    if (hints.javascript) return 'javascript';
    if (hints.shell)
      return looksLikePython(code, this.#ontology) && !looksLikeShell(code, this.#ontology) ? 'python' : 'shell';
    return hints.sql && looksLikeSql(code, this.#ontology) ? 'sql' : null;
  }

  #declaredBeside(parameters: Parameters): string {
    for (const key of this.#words.language_parameters) {
      const value = parameters[key];
      if (typeof value === 'string') return value;
    }
    return '';
  }

  /** Reads a tool's whole input in one text: `tool_input: "rm -rf /"`. Next to a command, the text is its arguments. */
  #readInput(code: string, declared: string, parameters: Parameters, found: Snippet[]): void {
    if (this.#hasCommand(parameters)) return;
    const language = this.#languageOfCode(code, declared);
    if (language !== null) found.push({ language, code });
  }

  #hasCommand(parameters: Parameters): boolean {
    return Object.keys(parameters).some(
      (key) => this.#words.roleOf(key) === 'shell' && typeof parameters[key] === 'string',
    );
  }

  /** Adds the arguments next to a command: `command: "rm"` with `args: ["-rf", "/"]`. */
  #withArguments(command: string, path: string, parameters: Parameters): string {
    let args: Json | undefined;
    if (!path.includes('.')) for (const key of this.#words.argument_parameters) args ??= parameters[key];
    if (typeof args === 'string' && !args.trim().startsWith('{')) return `${command} ${args}`;
    if (!Array.isArray(args) || !args.every((a) => typeof a === 'string')) return command;
    return `${command} ${commandLine({ ...unknown(), items: args.map((a) => text(a as string)) }).text}`;
  }

  /** Reads a list as one command in words, or as several commands. */
  #fromList(key: string, values: readonly Json[], parameters: Parameters): Snippet[] {
    const role = this.#words.roleOf(key);
    const strings = values.filter((v) => typeof v === 'string');
    if (
      strings.length === 0 ||
      strings.length !== values.length ||
      (role !== 'shell' && role !== 'code' && role !== 'sql' && role !== 'arguments')
    )
      return [];
    const [first] = strings;
    if (role === 'arguments')
      return !this.#hasCommand(parameters) && this.#hints.shell && startsWithProgram(first!, this.#ontology)
        ? [asCommand(strings)]
        : [];
    if (
      role === 'shell' &&
      !/\s/.test(first!.trim()) &&
      strings.length > 1 &&
      !strings.every((s) => startsWithProgram(s, this.#ontology))
    )
      return this.#hints.shell || startsWithProgram(first!, this.#ontology) ? [asCommand(strings)] : [];
    const code = strings.join('\n');
    const language = this.#languageOf(key, code, '');
    return language === null
      ? []
      : [{ language: this.#inDialect(language, code), code: role === 'sql' ? strings.join(';\n') : code }];
  }
}

/** Parses parameters that are JSON in a parameter: `arguments: '{"command": ["rm", "-rf", "/"]}'`. */
function innerOf(json: string): Json[] | Parameters | null {
  if (json.length > MAX_INNER || !/^\s*[{[]/.test(json)) return null;
  try {
    return JSON.parse(json) as Json[] | Parameters;
  } catch {
    return null;
  }
}

function asCommand(strings: readonly string[]): Snippet {
  return { language: 'shell', code: commandLine({ ...unknown(), items: strings.map((s) => text(s)) }).text };
}

/** The HTTP request of a call: its parameters have a URL and a method, or its tool's name says HTTP. */
export function findHttpCall(ontology: Ontology, parameters: Parameters, hints: Hints): HttpCall | null {
  const { roleOf } = snippetWords(ontology);
  let url = '';
  let method = '';
  let hasBody = false;
  for (const key of Object.keys(parameters)) {
    const value = parameters[key];
    const role = roleOf(key);
    if (role === 'url' && typeof value === 'string' && url === '' && isUrl(value)) url = value;
    else if (role === 'method' && typeof value === 'string') method = value.toUpperCase();
    else if ((role === 'carrier' || role === 'payload') && value !== null && value !== '') hasBody = true;
  }
  if (url === '' || (method === '' && !hints.http)) return null;
  return { url, method, has_body: hasBody };
}

/** URLs in parameters whose name announces a URL. */
export function urlsOf(ontology: Ontology, walk: ParameterWalk): string[] {
  const { roleOf } = snippetWords(ontology);
  const urls: string[] = [];
  for (const leaf of walk.leaves)
    if (roleOf(leaf.key) === 'url' && typeof leaf.value === 'string' && isUrl(leaf.value)) urls.push(leaf.value);
  return urls;
}
