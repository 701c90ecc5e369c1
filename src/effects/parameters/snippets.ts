/** Which parameters are code, in which language, and whether the call runs it or only stores it. */
import { type Leaf, type ParameterWalk, walkOf } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import { commandLine, text, unknown } from '../code/values.ts';
import { isUrl } from '../hosts.ts';
import type { Language } from '../world.ts';
import type { HttpCall } from './http.ts';
import { roleOf } from './parameter-roles.ts';
import { languageByShape, looksLikePython, looksLikeShell, looksLikeSql, startsWithProgram } from './shapes.ts';
import type { Hints } from './tool-names.ts';

export interface Snippet {
  language: Exclude<Language, 'http'>;
  code: string;
}

/** Language of one text under one key; `null` when it is no code, or prose that only mentions some. */
export function languageOf(key: string, code: string, hints: Hints, declared: string): Snippet['language'] | null {
  switch (roleOf(key)) {
    case 'shell':
      if (hints.python && looksLikePython(code)) return 'python';
      if (hints.shell || (startsWithProgram(code) && /\s|^\w+$/.test(code.trim()))) return 'shell';
      return languageByShape(code);
    case 'sql':
      if (looksLikeSql(code)) return 'sql';
      return hints.sql && key.toLowerCase() !== 'query' ? 'sql' : null;
    case 'code':
      return declaredLanguage(declared) ?? hinted(hints, code) ?? languageByShape(code);
    case 'carrier':
      return hints.shell || hints.python || hints.javascript ? languageByShape(code) : null;
    case 'prose':
    case 'arguments':
    case 'url':
    case 'method':
      return null;
    default:
      return code.length < 6 || !/[\s(]/.test(code) ? null : languageByShape(code);
  }
}

function declaredLanguage(declared: string): Snippet['language'] | null {
  if (/^(?:bash|sh|shell|zsh|powershell|console|terminal)$/i.test(declared)) return 'shell';
  if (/^(?:python\d?|py|ipython)$/i.test(declared)) return 'python';
  if (/^(?:javascript|js|typescript|ts|node(?:js)?)$/i.test(declared)) return 'javascript';
  return /sql/i.test(declared) ? 'sql' : null;
}

function hinted(hints: Hints, code: string): Snippet['language'] | null {
  if (hints.python) return 'python';
  if (hints.javascript) return 'javascript';
  if (hints.shell) return looksLikePython(code) && !looksLikeShell(code) ? 'python' : 'shell';
  return hints.sql && looksLikeSql(code) ? 'sql' : null;
}

/**
 * Strings under their keys, and argument lists joined to command lines; `isRun` leaves out what is only stored. `depth`:
 * how many texts of JSON these parameters stood in.
 */
export function findSnippets(
  walk: ParameterWalk,
  hints: Hints,
  parameters: { [key: string]: Json },
  isRun: (key: string) => boolean,
  depth = 0,
): Snippet[] {
  const found: Snippet[] = [];
  const declared = declaredBeside(parameters);
  for (const leaf of walk.leaves) {
    if (typeof leaf.value !== 'string' || leaf.value.length < 2 || leaf.is_element || !isRun(leaf.key)) continue;
    const role = roleOf(leaf.key);
    if (role === 'prose' || role === 'url') continue;
    if (role === 'arguments') {
      const inner = depth < MAX_INNER_DEPTH ? innerOf(leaf.value) : null;
      if (inner === null) readInput(leaf.value, hints, declared, parameters, found);
      else {
        const is_list = Array.isArray(inner);
        if (is_list) found.push(...fromList(leaf.key, inner, hints, parameters));
        found.push(...findSnippets(walkOf(inner), hints, is_list ? {} : inner, isRun, depth + 1));
      }
    } else readLeaf(leaf, leaf.value, hints, declared, parameters, found);
  }
  if (walk.longest_array > 0)
    for (const e of walk.entries)
      if (Array.isArray(e.value) && isRun(e.key)) found.push(...fromList(e.key, e.value, hints, parameters));
  return found;
}

function readLeaf(
  leaf: Leaf,
  code: string,
  hints: Hints,
  declared: string,
  parameters: { [key: string]: Json },
  found: Snippet[],
): void {
  const language = languageOf(leaf.key, code, hints, declared);
  if (language !== null)
    found.push({ language, code: language === 'shell' ? withArguments(code, leaf.path, parameters) : code });
}

function declaredBeside(parameters: { [key: string]: Json }): string {
  for (const key of ['language', 'lang', 'kernel', 'runtime']) {
    const value = parameters[key];
    if (typeof value === 'string') return value;
  }
  return '';
}

const MAX_INNER = 64 * 1024;
/** Calls of calls (`{"arguments": "{\"arguments\": …}"}`) are seen, and cannot go on for ever. */
const MAX_INNER_DEPTH = 3;

/** The whole input of a tool as one text: `tool_input: "rm -rf /"`. Beside a command it is that command's arguments. */
function readInput(
  code: string,
  hints: Hints,
  declared: string,
  parameters: { [key: string]: Json },
  found: Snippet[],
): void {
  if (hasCommand(parameters)) return;
  const language = declaredLanguage(declared) ?? hinted(hints, code) ?? languageByShape(code);
  if (language !== null) found.push({ language, code });
}

function hasCommand(parameters: { [key: string]: Json }): boolean {
  return Object.keys(parameters).some((key) => roleOf(key) === 'shell' && typeof parameters[key] === 'string');
}

/** Parameters written as JSON inside a parameter: `arguments: '{"command": ["rm", "-rf", "/"]}'`. */
function innerOf(json: string): Json[] | { [key: string]: Json } | null {
  if (json.length > MAX_INNER || !/^\s*[{[]/.test(json)) return null;
  try {
    return JSON.parse(json) as Json[] | { [key: string]: Json };
  } catch {
    return null;
  }
}

/** `command: "rm"` with `args: ["-rf", "/"]` beside it. */
function withArguments(command: string, path: string, parameters: { [key: string]: Json }): string {
  const args = path.includes('.') ? undefined : (parameters['args'] ?? parameters['arguments'] ?? parameters['argv']);
  if (typeof args === 'string' && !args.trim().startsWith('{')) return `${command} ${args}`;
  if (!Array.isArray(args) || !args.every((a) => typeof a === 'string')) return command;
  return `${command} ${commandLine({ ...unknown(), items: args.map((a) => text(a as string)) }).text}`;
}

/** A list is one command in words, or several commands. */
function fromList(key: string, values: readonly Json[], hints: Hints, parameters: { [key: string]: Json }): Snippet[] {
  const role = roleOf(key);
  const strings = values.filter((v) => typeof v === 'string');
  if (
    strings.length === 0 ||
    strings.length !== values.length ||
    (role !== 'shell' && role !== 'code' && role !== 'sql' && role !== 'arguments')
  )
    return [];
  if (role === 'arguments') {
    return !hasCommand(parameters) && hints.shell && startsWithProgram(strings[0]!) ? [words(strings)] : [];
  }
  if (
    role === 'shell' &&
    !/\s/.test(strings[0]!.trim()) &&
    strings.length > 1 &&
    !strings.every((s) => startsWithProgram(s))
  )
    return hints.shell || startsWithProgram(strings[0]!) ? [words(strings)] : [];
  const code = strings.join('\n');
  const language = languageOf(key, code, hints, '');
  return language === null ? [] : [{ language, code: role === 'sql' ? strings.join(';\n') : code }];
}

function words(strings: readonly string[]): Snippet {
  return { language: 'shell', code: commandLine({ ...unknown(), items: strings.map((s) => text(s)) }).text };
}

/** A call of HTTP told by a URL with a method beside it, or by the tool's name. */
export function findHttpCall(parameters: { [key: string]: Json }, hints: Hints): HttpCall | null {
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

/** URLs in parameters that name one. */
export function urlsOf(walk: ParameterWalk): string[] {
  const urls: string[] = [];
  for (const leaf of walk.leaves)
    if (roleOf(leaf.key) === 'url' && typeof leaf.value === 'string' && isUrl(leaf.value)) urls.push(leaf.value);
  return urls;
}
