/** Values while PowerShell is read, and the named and positional arguments of its commands. */
import { built, type Data, HOLE } from '../data.ts';

export interface Value extends Data {
  /** Elements of an array. */
  items?: readonly Value[];
  /** Source of a script block. */
  block?: string;
  /** Name of the .NET type or class of an object, lower case. */
  type?: string;
  /** Entries of a hash table and properties that were set, by lower-case name. */
  fields?: Map<string, Value>;
  /** Was put together from pieces by the code: joined, formatted, replaced, indexed. */
  isBuilt?: boolean;
  /** Every object of a kind, as `Get-Mailbox` without a filter returns. */
  isAll?: boolean;
  /** Of files that a listing found: their paths as a pattern, `~/Music/*`. */
  found?: readonly string[];
  /** How a text in double quotes is written, where variables or code stand in it. */
  quoted?: string;
}

export const NOTHING: Value = { text: HOLE, taint: 0 };
export const EMPTY: Value = { text: '', taint: 0 };

export function plain(text: string, taint = 0): Value {
  return { text, taint };
}

export function unknown(taint = 0): Value {
  return { text: HOLE, taint };
}

/** Elements of an array that are kept: a command written as numbers has some hundreds. */
export const MAX_ITEMS = 512;

export function list(values: readonly Value[]): Value {
  const items = values.slice(0, MAX_ITEMS);
  return {
    text: built(items.map((v) => v.text).join(' ')),
    taint: values.reduce((t, v) => t | v.taint, 0),
    items,
    ...(items.some((v) => v.isBuilt) ? { isBuilt: true } : {}),
  };
}

export function itemsOf(value: Value): readonly Value[] {
  return value.items ?? [value];
}

/** The text that a list of numbers spells, as bytes or as characters; `null` where it is no such list. */
export function spelt(value: Value): Value | null {
  const items = value.items ?? [];
  if (items.length === 0 || !items.every(({ text }) => /^\d{1,5}$/.test(text))) return null;
  return builtOf(items.map(({ text }) => String.fromCharCode(Number(text) & 0xffff)).join(''), value);
}

/** A value made of others by the code. */
export function builtOf(text: string, ...from: readonly Value[]): Value {
  return { text: built(text), taint: from.reduce((t, v) => t | v.taint, 0), isBuilt: true };
}

/** One word of a command: a parameter's name, or a value. */
export interface Argument {
  /** Lower case, without its dash; '' for a value. */
  name: string;
  value: Value;
}

/** The arguments of a cmdlet. A parameter may be cut short as far as it stays unique. */
export class Arguments {
  readonly all: readonly Argument[];
  readonly #named: [name: string, value: Value][] = [];
  readonly positional: Value[] = [];

  readonly #switches: ReadonlySet<string>;

  /** `switches` are the parameters of any cmdlet that take no value; one of `valued` takes one, whatever begins like it. */
  constructor(all: readonly Argument[], switches: ReadonlySet<string>, valued: ReadonlySet<string>) {
    this.all = all;
    this.#switches = switches;
    for (let i = 0; i < all.length; i++) {
      const { name, value } = all[i]!;
      const next = all[i + 1];
      if (name === '') this.positional.push(value);
      else if (value !== EMPTY) this.#named.push([name, value]);
      else if (next === undefined || next.name !== '' || isSwitch(name, switches, valued))
        this.#named.push([name, EMPTY]);
      else {
        this.#named.push([name, next.value]);
        i++;
      }
    }
  }

  /** Whether one of these was given, in full or shortened; of a switch the first letter is enough, as in `rm -r -fo`. */
  has(...names: readonly string[]): boolean {
    return this.#named.some(([given]) =>
      names.some((name) => isShortFor(given, name) || (this.#switches.has(name) && name.startsWith(given))),
    );
  }

  /** The value of the first of these parameters that was given. */
  named(...names: readonly string[]): Value | undefined {
    for (const name of names) {
      const found = this.#named.find(([given]) => isShortFor(given, name));
      if (found !== undefined) return found[1];
    }
    return undefined;
  }

  /** The same, or the positional argument at this place. */
  value(at: number, ...names: readonly string[]): Value | undefined {
    return this.named(...names) ?? this.positional[at];
  }

  /** What is given, named or not, but for these parameters and switches. */
  givenBut(names: ReadonlySet<string>): readonly Value[] {
    return [...this.positional, ...this.#named.flatMap(([name, value]) => (names.has(name) ? [] : [value]))].filter(
      (value) => value !== EMPTY,
    );
  }

  names(): string[] {
    return this.#named.map(([name]) => name);
  }

  get taint(): number {
    return this.all.reduce((t, a) => t | a.value.taint, 0);
  }

  /** As the words of a program that does not know named parameters. */
  get words(): Value[] {
    return this.all.flatMap(({ name, value }) =>
      name === '' ? itemsOf(value) : [plain(`-${name}`), ...(value === EMPTY ? [] : [value])],
    );
  }
}

/** Two letters tell most parameters apart; one is enough only for the whole name's first letter of short parameters. */
function isShortFor(given: string, name: string): boolean {
  return given === name || (given.length >= 2 && name.startsWith(given));
}

/** A short name may also mean a parameter with a value; what follows it then counts as an argument without a name. */
function isSwitch(name: string, switches: ReadonlySet<string>, valued: ReadonlySet<string>): boolean {
  if (switches.has(name)) return true;
  if (valued.has(name)) return false;
  for (const s of switches) if (s.startsWith(name)) return true;
  return false;
}

/** `C:\\Program Files\\x.exe` is one word; in `rundll32 C:\\x.dll` and in `C:\\x.exe C:\\y` the first word is the program. */
export function isSpacedPath(text: string): boolean {
  const first = /^\S{1,1024}(?=\s)/.exec(text)?.[0] ?? '';
  return /[\\/]/.test(first) && !/\.(?:exe|com|cmd|bat)$/i.test(first) && !first.startsWith('"');
}

/** `[wmiclass]'Win32_Process'`, with the machine and the namespace before it or without. */
export const isProcessClass = ({ text }: Value): boolean => /(?:^|[:\\])win32_process$/i.test(text.slice(-80));
