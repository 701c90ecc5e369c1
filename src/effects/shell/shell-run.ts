/** Runs shell code statement by statement as far as constants are known: variables, functions, pipes, redirections. */

import {
  type Assignment,
  type Command,
  type CompoundList,
  type Function as FunctionNode,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash';
import { withoutEnd } from '../../lang/ends.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../ontology/words.ts';
import { built, concat, type Data, FROM, HOLE, isKnown, UNKNOWN } from '../data.ts';
import { emptyPath, keepShown, readFile, runFile, writeFile } from '../deeds.ts';
import { REMOTE_COMMANDS } from '../effects.ts';
import { type KnownProgram, type Programs, programsOf } from '../programs/index.ts';
import { runUnlisted } from '../programs/unlisted.ts';
import type { CommandWord, World } from '../world.ts';
import { type Call, type Field, field, onlyExplains, programName } from './call.ts';
import { commandName } from './command-name.ts';
import { isEndless, noteEndlessLoop, noteLongLoop } from './shell-loops.ts';
import { type Expander, expandText, expandWord, joinText } from './shell-words.ts';

export const namedVariables = perOntology((ontology) => ({
  history: setOf(ontology, 'history_variables'),
  loading: setOf(ontology, 'loading_variables'),
  unchecking: setOf(ontology, 'unchecking_variables'),
  shells: inverseOf(ontology, 'shell_variables'),
}));

type Node = Statement['command'] | FunctionNode['body'];

/** Levels of functions calling functions that are followed. */
const MAX_CALLS = 8;
/** Turns of one loop that are followed. */
const MAX_TURNS = 64;
/** Levels of commands inside commands, and of substitutions inside substitutions, that are followed. */
const MAX_DEPTH = 10;
const SUBSTITUTION_STEPS = 6;
const SILENT: Data = { text: '', taint: 0 };

export class Shell {
  readonly world: World;
  readonly #source: string;
  readonly #programs: Programs;
  readonly #variables: Map<string, Data>;
  readonly #arrays: Map<string, readonly Data[]>;
  readonly #functions: Map<string, FunctionNode>;
  readonly #running: string[];
  readonly #called: Set<string>;
  readonly #expander: Expander;
  #positional: readonly Data[];
  #depth: number;

  constructor(world: World, source: string, parent?: Shell) {
    this.world = world;
    this.#source = source;
    this.#programs = parent === undefined ? programsOf(world.ontology) : parent.#programs;
    this.#variables = parent === undefined ? new Map() : parent.#variables;
    this.#arrays = parent === undefined ? new Map() : parent.#arrays;
    this.#functions = parent === undefined ? new Map() : parent.#functions;
    this.#running = parent === undefined ? [] : parent.#running;
    this.#called = parent === undefined ? new Set() : parent.#called;
    this.#positional = parent === undefined ? [] : parent.#positional;
    this.#depth = parent === undefined ? 0 : parent.#depth + 1;
    this.#expander = {
      variable: (name) => this.#variable(name),
      elements: (name) => this.#elements(name),
      positional: () => (this.#positional.length > 0 ? this.#positional : [UNKNOWN]),
      separators: () => separatorsOf(this.#variables.get('IFS')),
      substitute: (read, text) => this.#substitute(read, text),
      depth: 0,
      noteObfuscation: (excerpt) => world.add('obfuscates', 'one', 'separator variable', excerpt),
    };
  }

  runScript(script: ParsedScript | CompoundList): Data {
    let out: Data = SILENT;
    for (const statement of script.commands) out = concat(out, this.#statement(statement));
    return out;
  }

  #statement(statement: Statement): Data {
    if (!this.world.step()) return UNKNOWN;
    return this.#node(statement.command, null);
  }

  #node(node: Node, stdin: Data | null): Data {
    if (!this.world.step()) return UNKNOWN;
    switch (node.type) {
      case 'Command':
        return this.#command(node, stdin);
      case 'Pipeline':
        return this.#pipeline(node.commands, stdin);
      case 'AndOr':
        return node.commands.reduce<Data>((out, c) => concat(out, this.#node(c, stdin)), SILENT);
      case 'CompoundList':
        return this.runScript(node);
      case 'Redirected':
        return this.#redirected(node.redirects, (input) => this.#node(node.command, input ?? stdin));
      case 'Function':
        this.#functions.set(node.name.value, node);
        return SILENT;
      case 'Subshell':
      case 'BraceGroup':
        return this.#withInput(stdin, () => this.runScript(node.body));
      case 'If':
        return [
          node.clause,
          node.then,
          ...node.elif.flatMap((e) => [e.clause, e.then]),
          ...(node.else ? [node.else] : []),
        ].reduce<Data>((out, list) => concat(out, this.runScript(list)), SILENT);
      case 'For':
      case 'Select':
        noteLongLoop(node.wordlist?.map((w) => w.text).join(' ') ?? '', node.body, this.#text(node), this.world);
        return this.#forEach(node.name.value, node.wordlist, node.body);
      case 'ArithmeticFor':
        if (node.test !== undefined) noteLongLoop(this.#text(node.test), node.body, this.#text(node), this.world);
        else noteEndlessLoop(node.body, this.#text(node), this.world);
        return this.runScript(node.body);
      case 'While': {
        const test = withoutEnd(this.#text(node.clause), /[;\s]/).trim();
        if (isEndless(node.kind, test, this.world)) noteEndlessLoop(node.body, this.#text(node), this.world);
        return this.#withInput(stdin, () => concat(this.runScript(node.clause), this.runScript(node.body)));
      }
      case 'Case':
        return node.items.reduce<Data>((out, item) => concat(out, this.runScript(item.body)), SILENT);
      case 'Coproc':
        return this.#node(node.body, null);
      case 'TestCommand':
      case 'ArithmeticCommand':
        return SILENT;
      default:
        return UNKNOWN;
    }
  }

  #pipeline(commands: readonly Node[], stdin: Data | null): Data {
    let data = stdin;
    for (const command of commands) data = this.#node(command, data);
    return data ?? SILENT;
  }

  /** `read` inside a loop or group takes its value from what is piped in. */
  #withInput(stdin: Data | null, run: () => Data): Data {
    const before = this.#variables.get(PIPED);
    if (stdin !== null) this.#variables.set(PIPED, stdin);
    const out = run();
    if (before !== undefined) this.#variables.set(PIPED, before);
    else this.#variables.delete(PIPED);
    return stdin === null ? out : { text: out.text, taint: out.taint };
  }

  #forEach(name: string, words: readonly Word[] | undefined, body: CompoundList): Data {
    const fields = words === undefined ? this.#positional : words.flatMap((w) => expandWord(w, this.#expander));
    let out: Data = SILENT;
    if (fields.length > MAX_TURNS) this.world.was_cut = true;
    for (const value of fields.slice(0, MAX_TURNS)) {
      const glob = 'hasGlob' in value && value.hasGlob;
      this.world.noteVariable(name);
      this.#variables.set(name, glob ? { text: value.text, taint: value.taint | FROM.listing } : value);
      out = concat(out, this.runScript(body));
    }
    if (fields.length === 0) out = this.runScript(body);
    return out;
  }

  #command(node: Command, stdin: Data | null): Data {
    for (const p of node.prefix) if (p.type === 'Assignment') this.#assign(p);
    return this.#redirected(node.redirects, (input) => {
      if (node.name === undefined) return SILENT;
      const fields = expandWord(node.name, this.#expander);
      this.#noteDisguise(node);
      for (const arg of node.args) {
        if (arg.type === 'Word') fields.push(...expandWord(arg, this.#expander));
        else {
          const value = this.#assign(arg);
          fields.push(field(`${arg.name}=${value.text}`, value.taint));
        }
      }
      const given = input ?? stdin ?? this.#inherited(fields[0]);
      const out = this.#invoke(fields, given, this.#text(node));
      for (const reader of readersOf(node.args.filter((arg) => arg.type === 'Word')))
        this.#feed(reader, { text: out.text, taint: out.taint | (given?.taint ?? 0) });
      return out;
    });
  }

  /** Whether this is a known program that does more than print. */
  #isActing(word: string): boolean {
    return this.#programs.get(programName(word))?.isQuiet === false;
  }

  /** Inside a loop or group that something is piped into, what only reads and prints takes it from there. */
  #inherited(name: Field | undefined): Data | null {
    if (name === undefined || this.#programs.get(programName(name.text))?.isQuiet !== true) return null;
    return this.#variables.get(PIPED) ?? null;
  }

  /** `c""at`, `w'h'oami`, `r\m`: quotes inside a name have no use but to hide it. */
  #noteDisguise(node: Command): void {
    const { text, value } = node.name!;
    if (text === value || !/^[a-z][a-z0-9_-]{1,20}$/.test(value) || /^(?:\\?[a-z][\w-]*|"[^"]*"|'[^']*')$/.test(text))
      return;
    if (/["'\\]/.test(text) && !/[$`]/.test(text)) this.world.add('obfuscates', 'one', value, this.#text(node));
  }

  #assign(a: Assignment): Data {
    if (a.value.type === 'ArrayValue') {
      const before = a.append === true ? this.#elements(a.name) : [];
      return this.#setArray(a.name, [...before, ...a.value.elements.flatMap((w) => expandWord(w, this.#expander))]);
    }
    const given = expandText(a.value, this.#expander);
    if (a.index !== undefined || this.#arrays.has(a.name)) {
      const at = a.index === undefined ? 0 : Number(a.index.text);
      if (a.append !== true && Number.isInteger(at) && at >= 0 && at < MAX_TURNS) {
        const elements = [...(this.#arrays.get(a.name) ?? [])];
        elements[at] = given;
        return this.#setArray(
          a.name,
          Array.from(elements, (e) => e ?? SILENT),
        );
      }
    }
    const value = a.append === true ? concat(this.#variable(a.name), given) : given;
    this.#set(a.name, value);
    return value;
  }

  /** Keeps the elements one by one; the variable itself is read as all of them. */
  #setArray(name: string, elements: readonly Data[]): Data {
    const all = {
      text: elements.map((i) => i.text).join(' '),
      taint: elements.reduce((t, i) => t | i.taint, 0),
    };
    this.#set(name, all);
    if (this.#arrays.size < MAX_TURNS) this.#arrays.set(name, elements.slice(0, MAX_TURNS));
    return all;
  }

  #set(name: string, value: Data | null): void {
    this.#arrays.delete(name);
    this.world.noteVariable(name);
    if (value === null) this.#variables.delete(name);
    else if (this.#variables.size < 512) this.#variables.set(name, { text: built(value.text), taint: value.taint });
    const { history, loading, unchecking } = namedVariables(this.world.ontology);
    if (history.has(name) && (value === null || /^(?:0|\/dev\/null|\*|)$/.test(value.text)))
      this.world.add('tampers_with_logs', 'one', name, `${name}=${value?.text ?? ''}`);
    if (loading.has(name) && value !== null && value.text !== '')
      this.world.add('persists', 'one', name, `${name}=${value.text}`);
    if (unchecking.has(name) && value !== null) this.world.add('bypasses_checks', 'one', name, `${name}=${value.text}`);
  }

  #redirected(redirects: readonly Redirection[], run: (stdin: Data | null) => Data): Data {
    let stdin: Data | null = null;
    const targets: { path: string; operator: string; hasOutput: boolean; isSeveral: boolean }[] = [];
    const readers: ParsedScript[] = [];
    for (const r of redirects) {
      if (!this.world.step(4)) break;
      if (r.type === 'HereDoc')
        stdin = r.body.parts === undefined ? { text: r.body.text, taint: 0 } : joinText(r.body.parts, this.#expander);
      else if (r.type === 'HereString') stdin = expandText(r.target, this.#expander);
      else if (r.target !== undefined) {
        const reader = readersOf([r.target])[0];
        if (reader !== undefined) {
          if (!isForErrors(r)) readers.push(reader);
          continue;
        }
        const target = expandWord(r.target, this.#expander)[0] ?? field('');
        const excerpt = this.#text(r);
        if (!/^(?:\d+|-|\/dev\/null)$/.test(target.text)) this.world.has_redirection = true;
        if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) this.#noteSocket(target.text, excerpt);
        else if (r.operator === '<') stdin = target.content ?? readFile(this.world, target.text, excerpt);
        else if (!/^(?:\d+|-)$/.test(target.text))
          targets.push({
            path: target.text,
            operator: r.operator,
            hasOutput: !isForErrors(r),
            isSeveral: target.hasGlob || (target.taint & FROM.listing) !== 0,
          });
      }
    }
    const out = run(stdin);
    for (const reader of readers) this.#feed(reader, out);
    for (const t of targets) {
      const excerpt = `${t.operator} ${t.path}`;
      const old = t.operator.includes('>>') ? this.world.files.get(this.world.describe(t.path).path) : undefined;
      const written = t.hasOutput ? out : SILENT;
      if (t.hasOutput && out.text === '' && !t.operator.includes('>>'))
        emptyPath(this.world, t.path, excerpt, t.isSeveral);
      writeFile(this.world, t.path, old === undefined ? written : concat(old, written), excerpt);
    }
    return readers.length > 0 || targets.some((t) => t.hasOutput) ? SILENT : out;
  }

  /** `> >(sh)`, `tee >(sh)`: a script that reads what the command prints. */
  #feed(reader: ParsedScript, data: Data): void {
    if (this.#depth >= MAX_DEPTH) {
      this.#tooDeep();
      return;
    }
    const shell = new Shell(this.world, reader.source ?? this.#source, this);
    shell.#withInput(data, () => shell.#runFirst(reader, data));
  }

  /** The script with what is piped in as the input of its first statement. */
  #runFirst(script: ParsedScript, stdin: Data): Data {
    let out: Data = SILENT;
    for (const [i, statement] of script.commands.entries())
      out = concat(out, i === 0 ? this.#node(statement.command, stdin) : this.#statement(statement));
    return out;
  }

  #noteSocket(target: string, excerpt: string): void {
    const host = target.split('/')[3] ?? '';
    this.world.noteHost(host);
    this.world.add('opens_channel', 'one', host === '' ? target : host, excerpt);
  }

  #invoke(words: readonly Field[], stdin: Data | null, excerpt: string): Data {
    const first = words[0];
    if (first === undefined || !this.world.step(8)) return UNKNOWN;
    const fields = this.world.affordable(words);
    const called = this.#functions.get(first.text);
    if (called !== undefined) return this.#callFunction(called, fields, stdin);
    const args = fields.slice(1);
    this.world.noteCall({ program: calledName(first.text), words: args.map(wordOf), cwd: this.world.cwd });
    const { names, isUnsure } = commandName(first, this.#acting());
    if (isUnsure) return this.#invokeUnsure(first, names, args, stdin, excerpt);
    const name = programName(first.text);
    const program = this.#programs.get(name);
    keepShown(this.world, first);
    if (first.taint & FROM.network) this.world.add('downloads_and_runs', 'one', 'downloaded command', excerpt);
    else if (first.taint & FROM.decoded) this.world.add('obfuscates', 'one', name, excerpt);
    if (program?.isQuiet !== true) this.world.has_unknown = true;
    const taint = args.reduce((t, a) => t | a.taint, stdin?.taint ?? 0);
    if (program !== undefined || !first.text.includes('/')) this.world.noteProgram(name);
    if (program !== undefined && !first.text.includes('/') && onlyExplains(name, args, this.world.ontology))
      return { text: HOLE, taint };
    if (program !== undefined)
      return this.#run(program, this.#call(name, args, stdin, excerpt)) ?? { text: HOLE, taint };
    if (/\//.test(first.text) || this.world.files.has(this.world.describe(first.text).path))
      runFile(this.world, first.text, null, excerpt);
    if (isKnown(first) && (!first.text.includes('/') || PROGRAM_FOLDER.test(first.text)))
      runUnlisted(this.#call(name, args, stdin, excerpt), (word) => this.#isActing(word));
    return { text: HOLE, taint };
  }

  #run({ run, isQuiet }: KnownProgram, call: Call): Data | undefined {
    const before = this.world.added;
    const out = run(call);
    if (!isQuiet && this.world.added === before) this.world.has_silent = true;
    return out;
  }

  /** Programs that do more than print. */
  #acting(): ReadonlySet<string> {
    return actingPrograms(this.#programs);
  }

  /**
   * A command whose name is known only in part or not at all: does what each program would do that it may be. Where nothing
   * is known it may be a shell, which runs what is fetched or decoded and piped in, or the beginning of the command behind it.
   */
  #invokeUnsure(
    first: Field,
    names: readonly string[],
    args: readonly Field[],
    stdin: Data | null,
    excerpt: string,
  ): Data {
    const taint = args.reduce((t, a) => t | a.taint, stdin?.taint ?? 0);
    this.world.unresolved ||= excerpt;
    this.world.has_unknown = true;
    keepShown(this.world, first);
    if (first.taint & FROM.network) this.world.add('downloads_and_runs', 'one', 'downloaded command', excerpt);
    else if (first.taint & FROM.decoded || names.length > 0)
      this.world.add('obfuscates', 'one', names[0] ?? 'decoded command', excerpt);
    for (const name of names) this.#nested([field(name), ...args], stdin, excerpt);
    if (names.length > 0) return { text: HOLE, taint };
    const fed = stdin?.taint ?? 0;
    if (fed & (FROM.network | FROM.socket | FROM.decoded)) {
      keepShown(this.world, stdin!);
      if (fed & FROM.socket) this.world.add('opens_channel', 'one', REMOTE_COMMANDS, excerpt);
      this.world.add(fed & FROM.decoded ? 'obfuscates' : 'downloads_and_runs', 'one', 'unknown program', excerpt);
    }
    if (args.length > 0) runUnlisted(this.#call('', args, stdin, excerpt), (word) => this.#isActing(word));
    return { text: HOLE, taint };
  }

  #call(name: string, args: readonly Field[], stdin: Data | null, excerpt: string): Call {
    return {
      name,
      args,
      stdin,
      excerpt,
      world: this.world,
      invoke: (inner, input) => this.#nested(inner, input, excerpt),
      evaluate: (code) => this.#evaluate(code),
      variable: (name) => this.#variable(name),
      setVariable: (variable, value) => this.#set(variable, value),
      setPositional: (values) => {
        this.#positional = values;
      },
    };
  }

  /** A command that another one runs: `sudo nice xargs rm`. */
  #nested(fields: readonly Field[], stdin: Data | null, excerpt: string): Data {
    if (this.#depth >= MAX_DEPTH) return this.#tooDeep();
    this.#depth++;
    const out = this.#invoke(fields, stdin, excerpt);
    this.#depth--;
    return out;
  }

  #tooDeep(): Data {
    this.world.has_unparsed = true;
    return this.#unread();
  }

  #unread(): Data {
    this.world.was_cut = true;
    return UNKNOWN;
  }

  #callFunction(called: FunctionNode, fields: readonly Field[], stdin: Data | null): Data {
    const name = called.name.value;
    this.#called.add(name);
    if (this.#running.includes(name)) {
      // A function that starts itself again in a pipe or in the background never ends and only grows.
      if (/[|&]/.test(this.#text(called.body)))
        this.world.add('exhausts_resources', 'everything', name, this.#text(called));
      return UNKNOWN;
    }
    if (this.#running.length >= MAX_CALLS) return this.#unread();
    const before = this.#positional;
    this.#positional = fields.slice(1);
    this.#running.push(name);
    const out = this.#node(called.body, stdin);
    this.#running.pop();
    this.#positional = before;
    return out;
  }

  #evaluate(code: Data): Data {
    const inner = parse(code.text);
    if (this.#running.length >= MAX_CALLS) return this.#unread();
    this.#running.push('');
    const out = new Shell(this.world, code.text, this).runScript(inner);
    this.#running.pop();
    return out;
  }

  /** `read` parses what is substituted, which costs about as much as a command. */
  #substitute(read: () => ParsedScript | undefined, text: string): Data {
    if (!this.world.step(SUBSTITUTION_STEPS)) return UNKNOWN;
    const script = read();
    if (script === undefined) return UNKNOWN;
    if (this.#depth >= MAX_DEPTH) return this.#tooDeep();
    const shell = new Shell(this.world, script.source ?? this.#source, this);
    const out = shell.runScript(script);
    // The script goes on to work with it.
    keepShown(this.world, out);
    const plain = withoutEnd(out.text, /\n/);
    return { text: plain === '' && text !== '' ? HOLE : plain, taint: out.taint };
  }

  #variable(name: string): Data {
    if (/^[1-9]\d*$/.test(name)) return this.#positional[Number(name) - 1] ?? this.world.variables[name] ?? UNKNOWN;
    if (name === 'IFS') return { text: ' ', taint: 0 };
    const known = this.#variables.get(name) ?? ENVIRONMENT[name] ?? this.world.variables[name];
    if (known !== undefined) return known;
    const shell = namedVariables(this.world.ontology).shells.get(name);
    return shell === undefined ? UNKNOWN : { text: shell, taint: 0 };
  }

  /** The elements of an array, or the one value of a plain variable. */
  #elements(name: string): readonly Data[] {
    return this.#arrays.get(name) ?? [this.#variable(name)];
  }

  #text(node: { pos: number; end: number }): string {
    return this.#source.slice(node.pos, Math.min(node.end, node.pos + 240));
  }

  /** Runs functions that nothing called here: a script that sources this one may call them later. */
  runUncalled(): void {
    for (const [name, f] of this.#functions) {
      if (this.#called.has(name)) continue;
      this.#called.add(name);
      this.#node(f.body, null);
    }
  }
}

/** The scripts of `>(…)` among the words: they read what the command prints. */
function readersOf(words: readonly Word[]): ParsedScript[] {
  return words.flatMap((w) =>
    (w.parts ?? []).flatMap((p) =>
      p.type === 'ProcessSubstitution' && p.operator === '>' && p.script !== undefined ? [p.script] : [],
    ),
  );
}

const actingByPrograms = new WeakMap<Programs, ReadonlySet<string>>();

function actingPrograms(programs: Programs): ReadonlySet<string> {
  let acting = actingByPrograms.get(programs);
  if (acting === undefined) {
    acting = new Set([...programs].filter(([, program]) => !program.isQuiet).map(([name]) => name));
    actingByPrograms.set(programs, acting);
  }
  return acting;
}

/** Variable under which a loop finds what is piped into it. */
export const PIPED = '\u0000piped';

const ENVIRONMENT: Readonly<Record<string, Data>> = {
  HOME: { text: '~', taint: 0 },
  TMPDIR: { text: '/tmp', taint: 0 },
  PWD: { text: '.', taint: 0 },
  [PIPED]: UNKNOWN,
};

const WHITE_SPACE = /\s+/;

/** Separators of a given `IFS`. White space always is one: `IFS=, read a b` holds for that one command only. */
function separatorsOf(own: Data | undefined): RegExp {
  const signs = own === undefined ? '' : own.text.slice(0, 16).replace(/[^!-/:-@[-`{-~\w]/g, '');
  return signs === '' ? WHITE_SPACE : new RegExp(`[\\s${signs.replace(/[\]\\^-]/g, '\\$&')}]+`);
}

/** Folders of installed programs: a path into one stands for the program of that name. */
const PROGRAM_FOLDER = /^\/(?:usr\/|opt\/[\w.-]+\/)?(?:local\/)?s?bin\/[^/]+$/;

/** Letters that the name of an installed program has. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_.+-]*$/;

/**
 * The name under which a call is kept. A file of the same name in another folder, or in other letters, is another program
 * and keeps the name that it was called by.
 */
function calledName(text: string): string {
  const name = PROGRAM_FOLDER.test(text) ? programName(text) : text;
  return PLAIN_NAME.test(name) ? name : text;
}

function wordOf(word: Field): CommandWord {
  return { text: word.text, is_known: isKnown(word) && word.taint === 0, has_wildcard: word.hasGlob };
}

/** `2> file`: what the program prints still goes on down the pipe. */
function isForErrors({ descriptor }: Redirection): boolean {
  return descriptor?.type === 'FileDescriptor' && descriptor.value === 2;
}
