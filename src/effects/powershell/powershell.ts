/** Runs a script of PowerShell as far as values are known: variables and functions that its blocks share, and the bounds. */
import { withoutFences } from '../code/fences.ts';
import { environmentVariable } from '../key-variables.ts';
import type { World } from '../world.ts';
import { Scanner } from './scan.ts';
import type { Session } from './session.ts';
import { Block } from './statements.ts';
import { type Argument, EMPTY, list, NOTHING, plain, unknown, type Value } from './values.ts';
import { powershellWords } from './words.ts';

/** Levels of blocks, brackets and functions inside each other that are followed. */
const MAX_DEPTH = 24;
const MAX_VARIABLES = 512;
const MAX_STATEMENTS = 2_000;

export function readPowershell(code: string, world: World): void {
  const session = new OneSession(world);
  session.run(prepare(code));
  session.runUncalled();
}

/** Takes away code fences, prompts (`PS C:\>`) and the line numbers of transcripts. */
function prepare(code: string): string {
  let text = withoutFences(code);
  if (/^\s*PS\b/.test(text)) text = text.replace(/^[ \t]{0,64}PS(?: [A-Za-z]:[^>\n]{0,200})?> ?/gm, '');
  return text;
}

/** Variables, functions, and how deep the code is. */
class OneSession implements Session {
  readonly world: World;
  readonly #variables = new Map<string, Value>();
  readonly #functions = new Map<string, string>();
  readonly #called = new Set<string>();
  depth = 0;
  #statements = 0;
  /** A connection was opened: code known only at run time may come from it. */
  hasSocket = false;

  constructor(world: World) {
    this.world = world;
  }

  /** Runs the source of a script or block and returns what it prints. */
  run(source: string, subject?: Value): Value {
    if (++this.#statements > MAX_STATEMENTS || !this.world.step(source.length >> 4)) return this.#cut();
    return this.nested(() => {
      if (subject !== undefined) this.#variables.set('_', subject).set('psitem', subject).set('input', subject);
      return new Block(this, source).run();
    });
  }

  /** Runs a short block for each number of a list, as code does that spells a text; for anything else once, with the whole. */
  runEach(source: string, subject: Value | undefined): Value {
    const items = subject?.items ?? [];
    const isSpelling =
      source.length <= SHORT_BLOCK && items.length > 1 && items.every(({ text }) => /^-?\d{1,6}$/.test(text));
    if (!isSpelling) return this.run(source, subject);
    const made = new Map<string, Value>();
    for (const one of items) if (!made.has(one.text)) made.set(one.text, this.run(source, one));
    return list(items.map(({ text }) => made.get(text)!));
  }

  nested(read: () => Value): Value {
    if (this.depth >= MAX_DEPTH) return this.#cut();
    this.depth++;
    const out = read();
    this.depth--;
    return out;
  }

  #cut(): Value {
    this.world.has_unparsed = true;
    this.world.was_cut = true;
    return NOTHING;
  }

  variable(name: string): Value {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const { variables } = powershellWords(this.world.ontology);
    const fixed = variables.get(name);
    if (fixed !== undefined) return plain(fixed);
    if (name.startsWith('env:')) {
      const variable = name.slice(4);
      const { taint } = environmentVariable(this.world, variable.toUpperCase());
      return taint === 0 ? plain(`%${variable}%`) : unknown(taint);
    }
    return CONSTANTS.get(name) ?? NOTHING;
  }

  assign(name: string, value: Value): void {
    if (this.#variables.size < MAX_VARIABLES) this.#variables.set(name, value);
  }

  define(name: string, body: string): void {
    if (this.#functions.size < MAX_VARIABLES) this.#functions.set(name, body);
  }

  /** Calls a function of this script; `undefined` when there is none of that name. */
  call(name: string, args: readonly Argument[], subject: Value | undefined): Value | undefined {
    const body = this.#functions.get(name);
    if (body === undefined) return undefined;
    this.#called.add(name);
    if (this.depth >= MAX_DEPTH / 2) return NOTHING;
    for (const [i, a] of args.entries())
      if (a.name !== '' && args[i + 1]?.name === '') this.assign(a.name, args[i + 1]!.value);
    this.assign('args', list(args.filter((a) => a.name === '').map((a) => a.value)));
    const positional = args.filter((a) => a.name === '').map((a) => a.value);
    for (const [i, name_] of parameterNames(body).entries())
      if (positional[i] !== undefined && !args.some((a) => a.name === name_)) this.assign(name_, positional[i]!);
    return this.run(body, subject);
  }

  /** Functions that nothing here called: anyone who loads this file may call them. */
  runUncalled(): void {
    for (const [name, body] of this.#functions)
      if (!this.#called.has(name)) {
        this.#called.add(name);
        this.run(body);
      }
  }
}

/** Characters of a block that turns one number into one sign. */
const SHORT_BLOCK = 120;

const CONSTANTS: ReadonlyMap<string, Value> = new Map([
  ['true', plain('True')],
  ['false', plain('False')],
  ['null', EMPTY],
]);

/** Names in `param( … )` of a function, in order. */
function parameterNames(body: string): string[] {
  const at = /^\s{0,64}(?:\[CmdletBinding[^\]]{0,200}\]\s{0,64})?param\s{0,16}\(/i.exec(body);
  if (at === null) return [];
  const scanner = new Scanner(body);
  scanner.at = at[0].length - 1;
  return [...scanner.bracketed().matchAll(/\$(\w+)/g)].map((m) => m[1]!.toLowerCase());
}
