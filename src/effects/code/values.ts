/** Values of Python and JavaScript code as far as constants carry, and the tables of calls that act on the world. */
import { type Data, HOLE } from '../data.ts';
import type { World } from '../world.ts';
import type { Node } from './syntax.ts';

export interface Value extends Data {
  /** What it stands for, by dotted name: `subprocess.run`, `requests.Session()`; '' for plain values. */
  ref: string;
  number?: number;
  items?: Value[];
  entries?: Map<string, Value>;
  closure?: Closure;
  /** The object a method was taken from, or the first argument an object was made with. */
  base?: Value;
}

export interface Closure {
  name: string;
  node: Node;
  scope: Scope;
  self?: Value;
}

/** Variables, looked up from the inside out. */
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
export function taintOf(values: readonly (Value | undefined)[]): number {
  return values.reduce((t, v) => t | (v === undefined ? 0 : v.taint | taintInside(v)), 0);
}
/** Taint of what a list or object holds, one level deep: enough for arguments as people write them. */
function taintInside(v: Value): number {
  let taint = 0;
  for (const i of v.items ?? []) taint |= i.taint;
  for (const i of v.entries?.values() ?? []) taint |= i.taint;
  return taint;
}

/** One call as a table of calls sees it. */
export interface CodeCall {
  /** Dotted name, `.method` for a method of something unknown. */
  name: string;
  base: Value | undefined;
  args: Value[];
  named: Map<string, Value>;
  excerpt: string;
  world: World;
  /** Calls a function value, for higher-order functions. */
  apply: (f: Value, args: Value[]) => Value;
}
export type Handler = (c: CodeCall) => Value | undefined;
export type CallTable = ReadonlyMap<string, Handler>;

/** Argument by position or one of its names. */
export function arg(c: CodeCall, at: number, ...names: string[]): Value | undefined {
  for (const n of names) {
    const v = c.named.get(n);
    if (v !== undefined) return v;
  }
  return c.args[at];
}

/** `['rm', '-rf', x]` as a command line. */
export function commandLine(v: Value): Data {
  if (v.items === undefined) return v;
  const words = v.items.map((i) =>
    /^[\w./:=@%+,~-]+$/.test(i.text) ? i.text : `'${i.text.replaceAll("'", "'\\''")}'`,
  );
  return { text: words.join(' '), taint: v.taint | taintOf(v.items) };
}
