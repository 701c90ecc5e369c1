/** Finds the code among the parameters of a call, with its language. */
import { type Leaf, type ParameterWalk, walkOf } from '../../events/parameters.ts';
import { isObject, type Json } from '../../lang/json.ts';
import type { Ontology } from '../../ontology/index.ts';
import { commandLine, text, unknown } from '../code/values.ts';
import { type CodeLanguage, CodeLanguages, snippetWords } from './code-languages.ts';
import { asCommand, innerOf, isInvocation, isProgramName, MAX_INNER, type Parameters } from './command-words.ts';
import { givenVariables } from './given-variables.ts';
import {
  decodedForms,
  decodedText,
  disguisedForms,
  isCompressed,
  pairsIn,
  pairsInFragment,
  textOfCodes,
} from './inner-texts.ts';
import { languageByShape, looksLikeShell, startsWithProgram } from './shapes.ts';
import { structuredCommand } from './structured-commands.ts';
import type { Hints } from './tool-names.ts';

/** Base64 or hexadecimal digits, longer than a name of a program, or one word with the escapes of blanks: `rm%20-rf`, `rm\x20-rf`. */
const ENCODED_COMMAND =
  /^\s*(?:[A-Za-z0-9+/_-]{20,}={0,2}|(?:[0-9a-f]{2}){12,}|\S{0,64}(?:%20|\\x20|\\u0020|\\040|&#(?:32|x20);)\S{1,4000})\s*$/i;
/** A sign that parts or joins commands, as a word of its own. */
const SHELL_SIGN = /^(?:\|{1,2}|&&|;|>{1,2}|<)$/;

export interface Snippet {
  language: CodeLanguage;
  code: string;
  /** The code was written as base64 or as hexadecimal digits. */
  is_decoded?: boolean;
  /** Nothing but the tool's name says that it runs: what it holds is compressed. */
  is_sealed?: boolean;
  /** Words of a list, quoted as a POSIX shell quotes: the code in them may be another shell's, and the line is not. */
  is_quoted?: boolean;
  /** It only has the shape of code: neither the tool nor the name of the parameter says that code stands there. */
  is_incidental?: boolean;
}

const ENCODED = /^[A-Za-z0-9+/_-]{1,65536}={0,2}$/;

/** A path from the root, the home or a drive, without options, further paths or signs of a shell. */
const PLAIN_PATH = /^(?:~?\/|[a-z]:[\\/])(?:[^|;&<>$`*"'\s]| (?![-/~])){1,1000}$/i;
/** Texts of a list that are read. */
const MAX_LISTED = 256;
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
  readonly #languages: CodeLanguages;
  readonly #isRun: (key: string) => boolean;
  /** A command stands in clear among these parameters. */
  #has_command = false;

  constructor(ontology: Ontology, hints: Hints, isRun: (key: string) => boolean) {
    this.#ontology = ontology;
    this.#words = snippetWords(ontology);
    this.#hints = hints;
    this.#languages = new CodeLanguages(ontology, hints);
    this.#isRun = isRun;
  }

  /** `depth`: levels of JSON around these parameters. */
  find(walk: ParameterWalk, parameters: Parameters, depth: number): Snippet[] {
    const found: Snippet[] = [];
    const declared = this.#declaredBeside(parameters);
    this.#has_command = this.#hasCommand(parameters);
    const split = this.#splitCommand(parameters);
    if (split !== null) found.push(split);
    const given = Array.isArray(parameters) ? '' : givenVariables(parameters, this.#ontology);
    if (given !== '') found.push({ language: 'shell', code: given });
    for (const { value } of walk.entries) {
      const inner = isObject(value) ? (this.#splitCommand(value) ?? this.#wordsOf(value)) : null;
      if (inner !== null) found.push(inner);
    }
    for (const leaf of walk.leaves) {
      if (typeof leaf.value !== 'string' || leaf.value.length < 2 || leaf.is_element || !this.#isRun(leaf.key))
        continue;
      const role = this.#words.roleOf(leaf.key);
      if (role === 'url') {
        found.push(...this.#fromPairs(pairsInFragment(leaf.value)), ...this.#held(leaf.value));
        continue;
      }
      // What a tool is given may be wrapped in JSON under any name, more than once. What a request sends is for another.
      const isSent = role === 'payload' && this.#hints.http;
      const inner = !isSent && depth < MAX_INNER_DEPTH ? (innerOf(leaf.value) ?? this.#encodedIn(leaf)) : null;
      if (role === 'prose' && inner === null) continue;
      if (typeof inner === 'string') {
        const wrapped = { [leaf.key]: inner };
        found.push(...this.find(walkOf(wrapped), wrapped, depth + 1));
      } else if (inner !== null) {
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

  /** Parameters as JSON in an encoding: `payload: "eyJjbWQiOi…"`. Files are sent that way, so contents are left out. */
  #encodedIn({ key, value }: Leaf): Json[] | Parameters | string | null {
    if (typeof value !== 'string' || this.#words.roleOf(key) === 'carrier') return null;
    const plain = decodedText(value);
    return plain === null ? null : innerOf(plain);
  }

  #readLeaf(leaf: Leaf, code: string, declared: string, parameters: Parameters, found: Snippet[]): void {
    const language = this.#languages.ofText(leaf.key, code, declared);
    if (language === null) {
      found.push(...this.#within(leaf.key, code));
      return;
    }
    const line = language === 'shell' ? this.#withArguments(code, leaf.path, parameters) : code;
    const is_incidental = this.#words.roleOf(leaf.key) === 'other' && !this.#isForCode();
    found.push({ language: this.#languages.inDialect(language, line), code: line, is_incidental });
    // One word that no program is called, in place of a command: the tool may decode it.
    if (language === 'shell' && line === code && ENCODED_COMMAND.test(code))
      found.push(...this.#within(leaf.key, code));
  }

  #isForCode(): boolean {
    const { shell, python, javascript, sql } = this.#hints;
    return shell || python || javascript || sql;
  }

  /** Code in a text that is none itself: in the names and values of a document, or in an encoding. */
  #within(key: string, value: string): Snippet[] {
    if (this.#words.roleOf(key) === 'carrier' && !this.#hints.shell && !this.#hints.runner) return [];
    const told = this.#fromPairs(pairsIn(value));
    if (told.length > 0) return told;
    const decoded = this.#decoded(key, value);
    return decoded === null ? [] : [decoded];
  }

  /** The code under the first name that says that code stands there. */
  #fromPairs(pairs: readonly [name: string, value: string][]): Snippet[] {
    for (const [name, inner] of pairs) {
      const role = this.#words.roleOf(name);
      if (role !== 'shell' && role !== 'code') continue;
      const language = this.#languages.ofText(name, inner, '') ?? languageByShape(inner, this.#ontology);
      if (language !== null) return [{ language: this.#languages.inDialect(language, inner), code: inner }];
    }
    return [];
  }

  /** Code in an address that holds its content, where the tool runs what it is given. */
  #held(address: string): Snippet[] {
    if (!this.#hints.runner || !address.startsWith('data:')) return [];
    const decoded = this.#decoded('', address);
    return decoded === null ? [] : [decoded];
  }

  /** Code that a value holds in an encoding. Files are often sent that way, so contents are left out. */
  #decoded(key: string, value: string): Snippet | null {
    const { shell, runner } = this.#hints;
    if (this.#words.roleOf(key) === 'carrier' && !shell && !runner) return null;
    const forms = decodedForms(value);
    // Beside a command in clear a path is the place where it runs: «…/Ta la» turned by rot13 only happens to be one.
    if (runner && !(this.#has_command && PLAIN_PATH.test(value))) forms.push(...disguisedForms(value));
    for (const { text: code, is_hidden } of forms) {
      const language = languageByShape(code, this.#ontology);
      if (language !== null) return { language, code, is_decoded: is_hidden };
    }
    return runner && isCompressed(value) ? { language: 'shell', code: '', is_sealed: true } : null;
  }

  /** A program and its words under two keys of any name: `program: "rm"` with `arguments: ["-rf", "/"]`. */
  #splitCommand(parameters: Parameters): Snippet | null {
    if (Array.isArray(parameters) || this.#hasCommand(parameters)) return null;
    const structured = structuredCommand(parameters, this.#ontology);
    if (structured !== null) return asCommand(structured);
    let args: Json | undefined;
    for (const key of this.#words.argument_parameters) args ??= parameters[key];
    if (!Array.isArray(args) || args.length === 0 || !args.every((a) => typeof a === 'string')) return null;
    const words = args as string[];
    if (!words.some((word) => /^-\w|^[~/]|[\s(;]/.test(word))) return null;
    if (isProgramName(words[0]!) && startsWithProgram(words[0]!, this.#ontology)) return asCommand(words);
    for (const [key, value] of Object.entries(parameters))
      if (
        typeof value === 'string' &&
        this.#isRun(key) &&
        isProgramName(value) &&
        startsWithProgram(value, this.#ontology)
      )
        return asCommand([value, ...words]);
    return null;
  }

  /** A command whose words stand under names of any kind, in their order, for a tool that runs what it is given. */
  #wordsOf(values: Parameters): Snippet | null {
    const words = Object.values(values);
    if (!this.#hints.runner || words.length < 2 || !words.every((one) => typeof one === 'string')) return null;
    return isInvocation(words) && startsWithProgram(words[0]!, this.#ontology) ? asCommand(words) : null;
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
    const language = this.#languages.ofCode(code, declared);
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
    // Signs of a shell among the words mean something only where a shell reads them.
    if (args.some((a) => SHELL_SIGN.test(a as string))) return `${command} ${args.join(' ')}`;
    return `${command} ${commandLine({ ...unknown(), items: args.map((a) => text(a as string)) }).text}`;
  }

  /** One command line that was cut into pieces: only the first of them begins with a program. */
  #joined(pieces: readonly string[]): Snippet | null {
    const code = pieces.join('');
    if (pieces.length < 2 || code.length > MAX_INNER) return null;
    if (pieces.slice(1).some((one) => startsWithProgram(one, this.#ontology))) return null;
    return looksLikeShell(code, this.#ontology) ? { language: 'shell', code } : null;
  }

  #read(key: string, code: string): Snippet[] {
    const language = this.#languages.ofText(key, code, '');
    return language === null ? [] : [{ language: this.#languages.inDialect(language, code), code }];
  }

  /** Reads a list as one command in words, or as several commands. */
  #fromList(key: string, values: readonly Json[], parameters: Parameters): Snippet[] {
    const role = this.#words.roleOf(key);
    const spelt = textOfCodes(values);
    if (spelt !== null) {
      const language = languageByShape(spelt, this.#ontology);
      return language === null ? [] : [{ language, code: spelt, is_decoded: true }];
    }
    const strings = values.filter((v) => typeof v === 'string');
    if (strings.length === 0 || strings.length !== values.length) return [];
    // Under a name that says nothing each text is read by its shape, as it is outside of a list.
    if (role === 'other' || role === 'carrier') {
      const pieces = strings.slice(0, MAX_LISTED) as string[];
      // Files are sent whole: pieces of one text are put together to be run, whatever holds them.
      const isPieces = pieces.length > 1 && pieces.every((one) => ENCODED.test(one));
      const whole = isPieces ? this.#decoded('', pieces.join('')) : this.#joined(pieces);
      if (this.#isRun(key) && isInvocation(pieces) && startsWithProgram(pieces[0]!, this.#ontology))
        return [asCommand(pieces)];
      if (whole !== null) return [whole];
      const read = pieces.flatMap((one) => this.#read(key, one));
      // Several commands run in turn, and what one fetches another runs.
      const isScript = read[0]?.language === 'shell' && pieces.every((one) => startsWithProgram(one, this.#ontology));
      return isScript ? [{ language: 'shell', code: pieces.join('\n') }] : read;
    }
    if (role !== 'shell' && role !== 'code' && role !== 'sql' && role !== 'arguments') return [];
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
    const language = this.#languages.ofText(key, code, '');
    return language === null
      ? []
      : [{ language: this.#languages.inDialect(language, code), code: role === 'sql' ? strings.join(';\n') : code }];
  }
}
