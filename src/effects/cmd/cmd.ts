/** Reads command lines and batch files of the Windows command processor, and runs their programs. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, tableOf } from '../../ontology/words.ts';
import { bounded, type Data, FROM, HOLE, UNKNOWN } from '../data.ts';
import { keepShown } from '../deeds/network.ts';
import { copiedProgram, readFile, wantsAnySecret } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import { UNKNOWN_COMMAND } from '../effects.ts';
import { type Programs, programsOf } from '../programs/index.ts';
import { runCommandOptions } from '../programs/unlisted/handed-code.ts';
import { runProgramFile, runUnlisted } from '../programs/unlisted/unlisted.ts';
import { type Call, type Field, field, programName } from '../shell/call.ts';
import type { World } from '../world.ts';
import { type Token, tokensOf } from './cmd-tokens.ts';

const MAX_COMMANDS = 400;
const MAX_DEPTH = 12;
const MAX_ITEMS = 16;
const SILENT: Data = { text: '', taint: 0 };

/** Variables that every session has, without `env:`. */
export const cmdVariables = perOntology(
  (ontology) =>
    new Map(
      [...inverseOf(ontology, 'powershell_variables')]
        .filter(([name]) => name.startsWith('env:'))
        .map(([name, value]) => [name.slice(4), value]),
    ),
);

const cmdWords = perOntology((ontology) => {
  const words = tableOf(ontology, 'cmd_words');
  return {
    controls: new Set(words.get('controls')),
    conditionOptions: new Set(words.get('condition_options')),
    conditions: new Set(words.get('conditions')),
  };
});

export function readCmd(code: string, world: World): void {
  new CommandPrompt(world).readLines(code);
}

/** Each `old` by `by`, in upper or lower case; with a star, all up to the first one. */
function substituted(value: string, hasStar: boolean, old: string, by: string): string {
  const parts = value.toLowerCase().split(old.toLowerCase());
  if (hasStar && parts.length > 1) return by + value.slice(parts[0]!.length + old.length);
  let at = 0;
  return parts
    .map((part) => {
      const own = value.slice(at, at + part.length);
      at += part.length + old.length;
      return own;
    })
    .join(by);
}

class CommandPrompt {
  readonly #world: World;
  readonly #programs: Programs;
  readonly #variables: Map<string, string>;
  /** Where the values of loop variables come from, by `%name`. */
  readonly #origins = new Map<string, number>();
  #commands = 0;
  #depth = 0;

  constructor(world: World) {
    this.#world = world;
    this.#programs = programsOf(world.ontology);
    this.#variables = new Map(cmdVariables(world.ontology));
  }

  readLines(code: string): void {
    for (const { tokens, text } of tokensOf(code)) this.#line(tokens, text);
  }

  /** Commands connected by `&`, `&&`, `||` and `|`. */
  #line(tokens: readonly Token[], text: string): Data {
    let out: Data = SILENT;
    let piped: Data | null = null;
    let from = 0;
    for (let i = 0; i <= tokens.length; i++) {
      const t = tokens[i];
      const isBody = i === from && cmdWords(this.#world.ontology).controls.has(t?.text.toLowerCase() ?? '');
      if (isBody) {
        out = this.#controlled(tokens.slice(i), text, piped);
        return out;
      }
      if (t !== undefined && !(t.isOperator && /^[&|()]/.test(t.text))) continue;
      if (i > from) out = this.#command(tokens.slice(from, i), text, piped);
      piped = t?.text === '|' ? out : null;
      from = i + 1;
    }
    return out;
  }

  /** `if condition command`, `for %i in (…) do command`: the rest of the line is the body. */
  #controlled(tokens: readonly Token[], text: string, piped: Data | null): Data {
    if (++this.#depth > MAX_DEPTH) {
      this.#world.was_cut = true;
      return UNKNOWN;
    }
    const out = /^for$/i.test(tokens[0]!.text) ? this.#loop(tokens, text) : this.#condition(tokens, text, piped);
    this.#depth--;
    return out;
  }

  #condition(tokens: readonly Token[], text: string, _piped: Data | null): Data {
    const { conditionOptions, conditions } = cmdWords(this.#world.ontology);
    let at = 1;
    while (conditionOptions.has(tokens[at]?.text.toLowerCase() ?? '')) at++;
    const test = tokens[at]?.text ?? '';
    if (conditions.has(test.toLowerCase())) at += 2;
    else if (/==/.test(test) && !/==$/.test(test)) at += 1;
    else if (/==$/.test(test)) at += 2;
    else at += 3;
    return this.#line(tokens.slice(at), text);
  }

  #loop(tokens: readonly Token[], text: string): Data {
    const open = tokens.findIndex((t) => t.isOperator && t.text === '(');
    const close = tokens.findIndex((t, i) => i > open && t.isOperator && t.text === ')');
    const doAt = tokens.findIndex((t, i) => i > close && /^do$/i.test(t.text));
    if (open < 0 || close < 0 || doAt < 0) return UNKNOWN;
    const head = tokens.slice(1, open).map((t) => t.text);
    const name = head.find((t) => /^%{1,2}\w$/.test(t))?.replace(/%/g, '') ?? '';
    const items = tokens.slice(open + 1, close);
    const body = tokens.slice(doAt + 1);
    const values: readonly Data[] = head.some((t) => /^\/[fr]$/i.test(t))
      ? [this.#lines(items, text)]
      : items.slice(0, MAX_ITEMS).map((t) => ({ text: t.text, taint: 0 }));
    let out: Data = SILENT;
    for (const value of values.length === 0 ? [UNKNOWN] : values) {
      this.#variables.set(`%${name}`, value.text);
      this.#origins.set(`%${name}`, value.taint);
      out = this.#line(body, text);
    }
    return out;
  }

  /** What `for /f` goes through: the output of a command in quotes, the lines of a file. */
  #lines(items: readonly Token[], text: string): Data {
    const [first] = items;
    if (first === undefined) return UNKNOWN;
    const whole = items.map((t) => t.text).join(' ');
    if (/^['`]/.test(whole)) {
      const before = this.#downloads();
      let taint = 0;
      for (const line of tokensOf(whole.replace(/^['`]|['`]$/g, ''))) taint |= this.#line(line.tokens, line.text).taint;
      // What the command fetched is what it prints, unless it is known to print something else.
      return { text: HOLE, taint: this.#downloads() > before ? taint | FROM.network : taint };
    }
    return first.isQuoted ? UNKNOWN : { text: HOLE, taint: readFile(this.#world, this.#expand(whole), text).taint };
  }

  #downloads(): number {
    return this.#world.effects.items.filter(({ kind }) => kind === 'downloads').length;
  }

  #command(tokens: readonly Token[], text: string, piped: Data | null): Data {
    if (++this.#commands > MAX_COMMANDS || !this.#world.step(6)) {
      this.#world.was_cut = true;
      return UNKNOWN;
    }
    const words: Field[] = [];
    const targets: string[] = [];
    let stdin = piped;
    for (let i = 0; i < tokens.length; i++) {
      const t = tokens[i]!;
      if (!t.isOperator) {
        const value = this.#expand(t.text);
        // What an unquoted variable holds is split like what was typed.
        const parts = !t.isQuoted && value !== t.text ? value.split(/\s+/).filter((p) => p !== '') : [value];
        for (const part of parts) words.push(field(part, this.#originOf(t.text), /[*?]/.test(part)));
      } else if (/>$/.test(t.text)) targets.push(/^2/.test(t.text) ? '' : this.#expand(tokens[++i]?.text ?? ''));
      else if (t.text === '<') stdin = readFile(this.#world, this.#expand(tokens[++i]?.text ?? ''), text);
    }
    const first = /^call$/i.test(tokens[0]?.text ?? '') ? tokens[1] : tokens[0];
    if (first !== undefined) this.#noteDisguise(first, words[0]?.text ?? '', text);
    const out = this.#invoke(words, stdin, text);
    for (const target of targets) if (target !== '') writeFile(this.#world, target, out, text);
    return out;
  }

  /** `p^owe"r"shell`, `%a%%b%`, `%comspec:~-7,1%`: signs inside a name that have no use but to hide it. */
  #noteDisguise(first: Token, name: string, excerpt: string): void {
    const pieces = first.text.match(/%\w{1,64}(?::[^%]{0,140})?%|![\w]{1,64}(?::[^!]{0,140})?!/g) ?? [];
    if (first.isBroken || /([%!])\w{1,64}:[^%!]{1,140}\1/.test(first.text) || pieces.length >= 2)
      this.#world.add('obfuscates', 'one', name, excerpt);
  }

  /** Replaces `%name%`, `!name!`, `%name:~from,length%`, `%name:old=new%` and the variable of a loop. */
  #expand(given: string): string {
    if (!/[%!]/.test(given)) return given;
    const text = given.replace(
      /([%!])(\w{1,64}):(\*?)([^%!=~][^%!=]{0,64})=([^%!]{0,64})\1/g,
      (all, _sign, name: string, star: string, old: string, by: string) => {
        const value = this.#variables.get(name.toLowerCase());
        return value === undefined ? all : substituted(value, star !== '', old, by);
      },
    );
    return text
      .replace(
        /%(\w{1,64})(?::~(-?\d{1,4})(?:,(-?\d{1,4}))?)?%|!(\w{1,64})!/g,
        (all, name?: string, from?: string, length?: string, late?: string) => {
          const value = this.#variables.get((name ?? late)!.toLowerCase());
          if (value === undefined) return from === undefined ? all : HOLE;
          if (from === undefined) return value;
          const rest = value.slice(Number(from));
          return length === undefined ? rest : rest.slice(0, Number(length));
        },
      )
      .replace(
        /%{1,2}(?:~\w{0,4})?([a-zA-Z])(?!\w{0,64}%)/g,
        (all, name: string) => this.#variables.get(`%${name}`) ?? all,
      );
  }

  /** Where the value of a loop variable in this word comes from. */
  #originOf(text: string): number {
    if (this.#origins.size === 0) return 0;
    let taint = 0;
    for (const [, name = ''] of text.matchAll(/%{1,2}(?:~\w{0,4})?([a-zA-Z])(?!\w{0,64}%)/g))
      taint |= this.#origins.get(`%${name}`) ?? 0;
    return taint;
  }

  /** What another command or the network prints is run as a command. */
  #noteUnsure(first: Field, excerpt: string): void {
    this.#world.unresolved ||= excerpt;
    this.#world.has_unknown = true;
    keepShown(this.#world, first);
    if (first.taint & FROM.network) this.#world.add('downloads_and_runs', 'one', 'downloaded command', excerpt);
    else if (first.taint & FROM.decoded) this.#world.add('obfuscates', 'one', 'decoded command', excerpt);
    else this.#world.add('runs_code', 'one', UNKNOWN_COMMAND, excerpt);
  }

  #invoke(fields: readonly Field[], stdin: Data | null, excerpt: string): Data {
    const [first, ...args] = fields;
    if (first === undefined || first.text === '') return SILENT;
    if (first.text.startsWith(HOLE)) this.#noteUnsure(first, excerpt);
    const typed = first.text.replace(/^@/, '');
    const name = programName(typed).replace(/\.(?:com|cmd|bat)$/, '');
    const own = this.#builtIn(name, args, stdin, excerpt);
    if (own !== null) return own;
    const copied = this.#programs.has(name) ? '' : copiedProgram(this.#world, typed);
    if (copied !== '' && this.#programs.has(copied)) return this.#invoke([field(copied), ...args], stdin, excerpt);
    const program = this.#programs.get(name);
    if (program?.isQuiet !== true) this.#world.has_unknown = true;
    const call = this.#call(name, args, stdin, excerpt);
    if (program !== undefined) {
      runCommandOptions(call);
      return program.run(call) ?? UNKNOWN;
    }
    if (/^[a-z]+-[a-z]+$/.test(name))
      this.#world.run('powershell', [typed, ...args.map((a) => quotedWord(a.text))].join(' '));
    else if (/[\\/]/.test(typed) || this.#world.files.has(this.#world.describe(typed).path))
      runProgramFile(call, typed, null);
    else runUnlisted(call, (word) => this.#programs.get(programName(word))?.isQuiet === false);
    return UNKNOWN;
  }

  /** Commands of the processor itself; `null` when it is none. */
  #builtIn(name: string, args: readonly Field[], stdin: Data | null, excerpt: string): Data | null {
    const line = args.map((a) => a.text).join(' ');
    switch (name) {
      case 'rem':
      case 'title':
      case 'goto':
      case 'setlocal':
      case 'endlocal':
      case 'pause':
      case 'exit':
      case 'cls':
        return SILENT;
      case 'echo':
      case 'echo.':
        return { text: bounded(line), taint: args.reduce((t, a) => t | a.taint, 0) };
      case 'set': {
        const m = /^(?:\/[ap]\s{1,8})?"?(\w{1,64})=(.*?)"?$/is.exec(line);
        if (m !== null && this.#variables.size < 256) this.#variables.set(m[1]!.toLowerCase(), m[2]!);
        return SILENT;
      }
      case 'call':
        return this.#invoke(args, stdin, excerpt);
      case 'start': {
        const at = args.findIndex(
          (a, i) => !a.text.startsWith('/') && !(i === 0 && a.text.includes(' ')) && a.text !== '',
        );
        return at < 0 ? SILENT : this.#invoke(args.slice(at), stdin, excerpt);
      }
      case 'dir':
      case 'where':
        this.#noteSearch(args, excerpt);
        return null;
      case 'cd':
      case 'chdir':
      case 'pushd':
        this.#world.cwd = this.#world.describe(args.at(-1)?.text ?? '').path;
        return SILENT;
      default:
        return null;
    }
  }

  /** Notes keys and stores of passwords that are looked for in all folders below one: `dir /s *.pem`, `where /r c:\\ *.kdbx`. */
  #noteSearch(args: readonly Field[], excerpt: string): void {
    if (!args.some(({ text }) => /^\/[rs]$/i.test(text))) return;
    const given = args
      .filter(({ text }) => !text.startsWith('/'))
      .map(({ text }) => (/^\.\w{1,16}$/.test(text) ? `*${text}` : text));
    const secrets = given.filter((text) => this.#world.describe(text).is_credential);
    if (secrets.length === 0) return;
    const isEverywhere = given.some((text) => /^(?:[a-z]:)?\\[^\\]{0,64}$/i.test(text));
    const reach = wantsAnySecret(this.#world, secrets, isEverywhere) ? 'everything' : 'many';
    this.#world.add('reads_credentials', reach, secrets[0]!, excerpt);
  }

  #call(name: string, args: readonly Field[], stdin: Data | null, excerpt: string): Call {
    return {
      name,
      args,
      stdin,
      excerpt,
      world: this.#world,
      invoke: (fields, input) => {
        if (++this.#depth > MAX_DEPTH) return UNKNOWN;
        const out = this.#invoke(fields, input, excerpt);
        this.#depth--;
        return out;
      },
      evaluate: (code) => {
        this.#world.run('cmd', code.text);
        return { text: HOLE, taint: code.taint & FROM.network };
      },
      variable: (variable) => {
        const value = this.#variables.get(variable.toLowerCase());
        return value === undefined ? UNKNOWN : { text: value, taint: 0 };
      },
      setPositional: () => undefined,
      setVariable: (variable, value) => {
        this.#variables.set(variable.toLowerCase(), value?.text ?? '');
      },
    };
  }
}

function quotedWord(text: string): string {
  return /[\s;]/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
