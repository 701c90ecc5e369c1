/** Runs shell code statement by statement as far as constants are known: variables, functions, pipes, redirections. */

import {
  type Command,
  type CompoundList,
  type Coproc,
  type Function as FunctionNode,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type Word,
} from 'unbash';
import { withoutEnd } from '../../lang/ends.ts';
import { concat, type Data, FROM, HOLE, UNKNOWN } from '../data.ts';
import { keepShown } from '../deeds/network.ts';
import { type Programs, programsOf } from '../programs/index.ts';
import type { World } from '../world.ts';
import { type Call, type Field, field, programName } from './call.ts';
import { checkedVariables } from './checked-variables.ts';
import { noteDisguise } from './command-name.ts';
import { noteGuessing, readNames } from './guessing.ts';
import { readersOf, readRedirections, saysNothing, takesOutput, writeTargets } from './redirections.ts';
import { isActing, runCommand } from './run-command.ts';
import type { ShellDefinitions } from './shell-definitions.ts';
import { ShellEnvironment } from './shell-environment.ts';
import { noteLoop } from './shell-loops.ts';
import { calculators, pathVariables, type ShellVariables } from './shell-variables.ts';
import { type Expander, expandWord } from './shell-words.ts';

type Node = Statement['command'] | FunctionNode['body'];

/** Turns of one loop that are followed. */
const MAX_TURNS = 64;
const SUBSTITUTION_STEPS = 6;
const SILENT: Data = { text: '', taint: 0 };
/** The descriptors of a coprocess. */
const COPROCESS = { prints: '/dev/fd/60', reads: '/dev/fd/61' };

export class Shell {
  readonly world: World;
  readonly #source: string;
  readonly #programs: Programs;
  readonly #environment: ShellEnvironment;
  readonly #variables: ShellVariables;
  readonly #definitions: ShellDefinitions;
  readonly #expander: Expander;
  /** `$(< file)` takes what it reads, though no command stands there. */
  #isSubstituted = false;

  constructor(world: World, source: string, parent?: Shell) {
    this.world = world;
    this.#source = source;
    this.#programs = parent === undefined ? programsOf(world.ontology) : parent.#programs;
    this.#environment = new ShellEnvironment(world, parent === undefined ? undefined : parent.#environment);
    this.#variables = this.#environment.variables;
    this.#definitions = this.#environment.definitions;
    this.#expander = {
      variable: (name) => this.#environment.variable(name),
      elements: (name) => this.#variables.arrayOf(name) ?? [this.#environment.variable(name)],
      entry: (name, key) => this.#variables.entry(name, key),
      positional: () => (this.#environment.positional.length > 0 ? this.#environment.positional : [UNKNOWN]),
      separators: () => this.#variables.separators(),
      substitute: (read, text) => this.#substitute(read, text),
      calculate: (text) => {
        if (/\$\([^(]|`/.test(text)) this.#calculated(text);
      },
      depth: 0,
      noteObfuscation: (excerpt) => world.add('obfuscates', 'one', 'separator variable', excerpt),
      isPath: (name) => pathVariables(world.ontology).has(name),
      isChecked: checkedVariables(source, world.ontology),
    };
  }

  runScript(script: ParsedScript | CompoundList): Data {
    let out: Data = SILENT;
    for (const statement of script.commands) out = concat(out, this.#statement(statement));
    return out;
  }

  /** Branches: which of them runs is not known, so each does. */
  #runEach(lists: readonly CompoundList[]): Data {
    return lists.reduce<Data>((out, list) => concat(out, this.runScript(list)), SILENT);
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
        this.#definitions.addFunction(node);
        return SILENT;
      case 'Subshell':
      case 'BraceGroup':
        return this.#withInput(stdin, () => this.runScript(node.body));
      case 'If':
        return this.#runEach([
          node.clause,
          node.then,
          ...node.elif.flatMap((e) => [e.clause, e.then]),
          ...(node.else ? [node.else] : []),
        ]);
      case 'For':
      case 'Select':
        noteLoop(node, (part) => this.#text(part), this.world);
        noteGuessing([node.name.value], this.#text(node.body), this.world);
        return this.#forEach(node.name.value, node.wordlist, node.body);
      case 'ArithmeticFor':
        noteLoop(node, (part) => this.#text(part), this.world);
        return this.runScript(node.body);
      case 'While':
        noteLoop(node, (part) => this.#text(part), this.world);
        noteGuessing(readNames(this.#text(node.clause)), this.#text(node.body), this.world);
        return this.#withInput(stdin, () => concat(this.runScript(node.clause), this.runScript(node.body)));
      case 'Case':
        return this.#runEach(node.items.map((item) => item.body));
      case 'Coproc':
        return this.#coprocess(node);
      case 'TestCommand':
      case 'ArithmeticCommand':
        return this.#calculated(this.#text(node));
      default:
        return UNKNOWN;
    }
  }

  /** Arithmetic expands what stands in it: `[[ a[$(ls)] -eq 0 ]]` runs `ls`. */
  #calculated(text: string): Data {
    for (const m of text.matchAll(/\$\(([^()$]{2,400})\)|`([^`]{2,400})`/g)) {
      if (!this.world.step(SUBSTITUTION_STEPS)) break;
      this.#evaluate({ text: m[1] ?? m[2]!, taint: 0 });
    }
    return SILENT;
  }

  /** What a coprocess prints is read from one descriptor, and what is written to the other is its input. */
  #coprocess({ name, body }: Coproc): Data {
    const out = this.#node(body, null);
    this.world.files.set(COPROCESS.prints, out);
    const numbers = [COPROCESS.prints, COPROCESS.reads].map((path) => ({ text: path.slice(8), taint: 0 }));
    this.#variables.setElements(name?.value ?? 'COPROC', numbers);
    this.#environment.coprocesses.push(body);
    return SILENT;
  }

  #pipeline(commands: readonly Node[], stdin: Data | null): Data {
    let data = stdin;
    for (const command of commands) data = this.#node(command, data);
    return data ?? SILENT;
  }

  #withInput(stdin: Data | null, run: () => Data): Data {
    const out = this.#variables.withInput(stdin, run);
    return stdin === null ? out : { text: out.text, taint: out.taint };
  }

  #forEach(name: string, words: readonly Word[] | undefined, body: CompoundList): Data {
    const fields =
      words === undefined ? this.#environment.positional : words.flatMap((w) => expandWord(w, this.#expander));
    let out: Data = SILENT;
    if (fields.length > MAX_TURNS) this.world.was_cut = true;
    for (const value of fields.slice(0, MAX_TURNS)) {
      const glob = 'hasGlob' in value && value.hasGlob;
      this.#variables.setTurn(name, glob ? { text: value.text, taint: value.taint | FROM.listing } : value);
      out = concat(out, this.runScript(body));
    }
    if (fields.length === 0) out = this.runScript(body);
    return out;
  }

  #command(node: Command, stdin: Data | null): Data {
    for (const p of node.prefix) if (p.type === 'Assignment') this.#variables.assign(p, this.#expander);
    return this.#redirected(
      node.redirects,
      (input) => {
        if (node.name === undefined) return SILENT;
        const fields = this.#variables.takesName(node, this.#expander) ? [] : expandWord(node.name, this.#expander);
        noteDisguise(node.name, this.#text(node), this.world);
        for (const arg of node.args) if (arg.type === 'Word') this.#noteArithmetic(fields[0], arg);
        for (const arg of node.args) {
          if (arg.type === 'Word') fields.push(...expandWord(arg, this.#expander));
          else {
            const value = this.#variables.assign(arg, this.#expander);
            fields.push(field(`${arg.name}=${value.text}`, value.taint));
          }
        }
        const given = input ?? stdin ?? this.#inherited(fields[0]);
        const out = this.#invoke(fields, given, this.#text(node));
        for (const reader of readersOf(node.args.filter((arg) => arg.type === 'Word')))
          this.#feed(reader, { text: out.text, taint: out.taint | (given?.taint ?? 0) });
        return out;
      },
      saysNothing(node, this.world.ontology) && !this.#isSubstituted,
    );
  }

  /** `test -v 'a[$(ls)]'`: an index in quotes is expanded by what calculates with it. */
  #noteArithmetic(name: Field | undefined, { value }: Word): void {
    if (!value.includes('[$(') && !value.includes('[`')) return;
    if (name !== undefined && calculators(this.world.ontology).has(name.text)) this.#calculated(value);
  }

  /** Inside a loop, group or function that something is piped into, what only reads and prints takes it from there, or runs it. */
  #inherited(name: Field | undefined): Data | null {
    const program = name === undefined ? undefined : this.#programs.get(programName(name.text));
    return program?.isQuiet === true || program?.isInterpreter === true ? this.#variables.piped : null;
  }

  #redirected(redirects: readonly Redirection[], run: (stdin: Data | null) => Data, isIdle = false): Data {
    const redirected = readRedirections(redirects, this.#expander, this.world, (one) => this.#text(one), isIdle);
    const out = run(redirected.stdin);
    for (const reader of redirected.readers) this.#feed(reader, out);
    if (redirected.descriptors.includes(COPROCESS.reads.slice(8)))
      for (const body of this.#environment.coprocesses) this.#node(body, out);
    writeTargets(redirected.targets, out, this.world);
    return takesOutput(redirected) ? SILENT : out;
  }

  /** `> >(sh)`, `tee >(sh)`: a script that reads what the command prints. */
  #feed(reader: ParsedScript, data: Data): void {
    if (this.#environment.isTooDeep) {
      this.#environment.tooDeep();
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

  #invoke(words: readonly Field[], stdin: Data | null, excerpt: string): Data {
    const first = words[0];
    if (first === undefined || !this.world.step(8)) return UNKNOWN;
    const fields = this.world.affordable(words);
    const called = this.#definitions.function(first.text);
    if (called !== undefined) return this.#callFunction(called, fields, stdin);
    const alias = this.#definitions.alias(first.text);
    if (alias !== undefined) return this.#callAlias(alias, fields, stdin);
    const call = this.#call(programName(first.text), fields.slice(1), stdin, excerpt);
    return runCommand(first, call, this.#programs);
  }

  #call(name: string, args: readonly Field[], stdin: Data | null, excerpt: string): Call {
    return {
      name,
      args,
      stdin,
      excerpt,
      world: this.world,
      // A command that another one runs: `sudo nice xargs rm`.
      invoke: (inner, input) => this.#environment.nested(() => this.#invoke(inner, input, excerpt)),
      evaluate: (code) => this.#evaluate(code),
      variable: (name) => this.#environment.variable(name),
      setVariable: (variable, value) => this.#variables.give(variable, value),
      setElements: (variable, elements) => this.#variables.setElements(variable, elements),
      setAlias: (alias, command) => this.#definitions.addAlias(alias, command),
      separators: this.#variables.separators(),
      isActing: (word) => isActing(word, this.#programs),
      setPositional: (values) => {
        this.#environment.positional = values;
      },
    };
  }

  #callFunction(called: FunctionNode, fields: readonly Field[], stdin: Data | null): Data {
    const name = called.name.value;
    this.#definitions.noteCall(name);
    if (this.#definitions.isRunning(name)) {
      // A function that starts itself again in a pipe or in the background never ends and only grows.
      if (/[|&]/.test(this.#text(called.body)))
        this.world.add('exhausts_resources', 'everything', name, this.#text(called));
      return UNKNOWN;
    }
    return this.#environment.within(name, fields.slice(1), () => this.#node(called.body, stdin));
  }

  /** The command that an alias stands for, with the words behind the alias. */
  #callAlias(command: string, fields: readonly Field[], stdin: Data | null): Data {
    return this.#environment.within(fields[0]!.text, fields.slice(1), () => {
      const source = `${command} "$@"`;
      const shell = new Shell(this.world, source, this);
      return shell.#withInput(stdin, () => shell.#runFirst(parse(source), stdin ?? SILENT));
    });
  }

  #evaluate(code: Data): Data {
    return this.#environment.within('', this.#environment.positional, () =>
      new Shell(this.world, code.text, this).runScript(parse(code.text)),
    );
  }

  /** `read` parses what is substituted, which costs about as much as a command. */
  #substitute(read: () => ParsedScript | undefined, text: string): Data {
    if (!this.world.step(SUBSTITUTION_STEPS)) return UNKNOWN;
    const script = read();
    if (script === undefined) return UNKNOWN;
    if (this.#environment.isTooDeep) return this.#environment.tooDeep();
    const shell = new Shell(this.world, script.source ?? this.#source, this);
    shell.#isSubstituted = true;
    const out = shell.runScript(script);
    // The script goes on to work with it.
    keepShown(this.world, out);
    const plain = withoutEnd(out.text, /\n/);
    return { text: plain === '' && text !== '' ? HOLE : plain, taint: out.taint };
  }

  #text(node: { pos: number; end: number }): string {
    return this.#source.slice(node.pos, Math.min(node.end, node.pos + 240));
  }

  /** Runs functions that nothing called here: a script that sources this one may call them later. */
  runUncalled(): void {
    for (const { body } of this.#definitions.uncalled()) this.#node(body, null);
  }
}
