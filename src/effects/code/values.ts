/** Values of the abstract interpreter for Python and JavaScript, and the types of its call table. */
import { type Data, HOLE } from '../data.ts';
import type { World } from '../world.ts';
import type { Node } from './syntax.ts';

export interface Value extends Data {
  /** Dotted name of the member or result: `subprocess.run`, `requests.Session()`; '' for plain values. */
  ref: string;
  number?: number;
  items?: Value[];
  entries?: Map<string, Value>;
  closure?: Closure;
  /** A text of bytes, which a loop takes as numbers. */
  is_bytes?: boolean;
  /** A function that was reached by a computed or listed name instead of its own. */
  is_hidden?: boolean;
  /** Its name is written out all the same, or may be one of many, so that honest code has such calls as well. */
  is_readable?: boolean;
  /** The object to which a method belongs, or the first argument of the call that made an object. */
  base?: Value;
}

export interface Closure {
  name: string;
  node: Node;
  scope: Scope;
  self?: Value;
}

/** Variables of a scope. A name is looked up from the innermost scope outwards. */
export class Scope {
  readonly variables = new Map<string, Value>();
  readonly parent: Scope | null;

  constructor(parent: Scope | null) {
    this.parent = parent;
  }
  get(name: string): Value | undefined {
    for (let s: Scope | null = this; s !== null; s = s.parent) {
      const value = s.variables.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  /** Sets the variable where it is declared; here when it is declared nowhere. */
  assign(name: string, value: Value): void {
    for (let s: Scope | null = this; s !== null; s = s.parent)
      if (s.variables.has(name)) {
        s.variables.set(name, value);
        return;
      }
    this.set(name, value);
  }
  set(name: string, value: Value): void {
    if (this.variables.size < 1_000) this.variables.set(name, value);
  }
}

export const NOTHING: Value = { text: HOLE, taint: 0, ref: '' };

export function unknown(taint = 0, ref = ''): Value {
  return { text: HOLE, taint, ref };
}
export function text(value: string, taint = 0): Value {
  return { text: value, taint, ref: '' };
}
export function reference(ref: string, taint = 0): Value {
  return { text: HOLE, taint, ref };
}
export function list(items: Value[]): Value {
  return { text: HOLE, taint: taintOf(items), ref: '', items };
}
const MAX_DEPTH = 3;

export function taintOf(values: readonly (Value | undefined)[]): number {
  return values.reduce((t, v) => t | (v === undefined ? 0 : v.taint | taintInside(v)), 0);
}
/** Taint of the elements of a list or object, as deep as hand-written arguments are nested. */
function taintInside(v: Value, depth = MAX_DEPTH): number {
  let taint = 0;
  for (const inner of [...(v.items ?? []), ...(v.entries?.values() ?? [])])
    taint |= inner.taint | (depth > 1 ? taintInside(inner, depth - 1) : 0);
  return taint;
}

/** One call, as its handler gets it. */
export interface CodeCall {
  /** Dotted name; `.method` for a method of an unknown object. */
  name: string;
  base: Value | undefined;
  args: Value[];
  named: Map<string, Value>;
  excerpt: string;
  world: World;
  /** Calls a function value. Higher-order functions need it. */
  apply: (f: Value, args: Value[]) => Value;
}
export type Handler = (c: CodeCall) => Value | undefined;
export type CallTable = ReadonlyMap<string, Handler>;

/** The argument with one of these names or, when there is none, at this position. */
export function arg(c: CodeCall, at: number, ...names: string[]): Value | undefined {
  for (const n of names) {
    const v = c.named.get(n);
    if (v !== undefined) return v;
  }
  return c.args[at];
}

/** A list of words, such as `['rm', '-rf', x]`, as a command line. */
export function commandLine(v: Value): Data {
  if (v.items === undefined) return v;
  const words = v.items.map((i) =>
    /^[\w./:=@%+,~-]+$/.test(i.text) ? i.text : `'${i.text.replaceAll("'", "'\\''")}'`,
  );
  return { text: words.join(' '), taint: v.taint | taintOf(v.items) };
}
