/** Fallback for code that cannot be parsed: finds calls by their names, with the first string as their argument. */
import { HOLE } from '../data.ts';
import type { World } from '../world.ts';
import { type CallTable, NOTHING, text, type Value } from './values.ts';

const MAX_CALLS = 500;
const MAX_BLANKS = 4;
/** Names joined by dots, and characters of each, that are looked at. */
const MAX_PARTS = 5;
const MAX_PART = 41;
const MAX_NAME = MAX_PARTS * (MAX_PART + 1);

/** An opening bracket and the string behind it, if one stands there. */
const ARGUMENT = /\(\s{0,40}(?:[rbuf]{0,2}(["'`])((?:(?!\1)[^\\\n]|\\.){0,2000})\1)?/y;

/**
 * Looks for `name.name(` followed by `'string'`. Methods of unknown objects are ignored: many of them have the name of a method
 * with effects, and none.
 */
export function scanCalls(code: string, table: CallTable, world: World): void {
  let found = 0;
  let from = 0;
  for (let at = code.indexOf('('); at >= 0; at = code.indexOf('(', from)) {
    const name = nameBefore(code, from, at);
    ARGUMENT.lastIndex = at;
    const argument = name === '' ? null : ARGUMENT.exec(code);
    from = argument === null ? at + 1 : ARGUMENT.lastIndex;
    const handler = argument === null ? undefined : table.get(name);
    if (handler === undefined) continue;
    if (++found > MAX_CALLS) world.was_cut = true;
    if (found > MAX_CALLS || !world.step()) return;
    const given: Value = argument![2] === undefined ? NOTHING : text(argument![2]);
    handler({
      name,
      base: undefined,
      args: [given],
      named: new Map(),
      excerpt: (name + argument![0]).replaceAll(HOLE, ''),
      world,
      apply: () => NOTHING,
    });
  }
}

const isPart = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36;
const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** The name that ends at `to`, a bracket, and begins at `from` or behind it; '' when none does. */
function nameBefore(code: string, from: number, to: number): string {
  let end = to;
  while (end > from && to - end < MAX_BLANKS && /\s/.test(code[end - 1]!)) end--;
  let at = end;
  while (at > from && end - at < MAX_NAME && (isPart(code.charCodeAt(at - 1)) || code[at - 1] === '.')) at--;
  const parts = code.slice(at, end).split('.').slice(-MAX_PARTS);
  let name = '';
  for (const part of parts.reverse()) {
    let first = Math.max(0, part.length - MAX_PART);
    while (first < part.length && isDigit(part.charCodeAt(first))) first++;
    if (first === part.length) return name;
    name = name === '' ? part.slice(first) : `${part.slice(first)}.${name}`;
    if (first > 0) return name;
  }
  return name;
}
