/** Fallback for code that cannot be parsed: finds calls by their names, with the first string as their argument. */
import { HOLE } from '../data.ts';
import type { World } from '../world.ts';
import { type CallTable, NOTHING, text, type Value } from './values.ts';

const MAX_CALLS = 500;

/**
 * Looks for `name.name(` followed by `'string'`. Methods of unknown objects are ignored: many of them have the name of a method
 * with effects, and none.
 */
export function scanCalls(code: string, table: CallTable, world: World): void {
  let found = 0;
  for (const m of code.matchAll(
    /([A-Za-z_$][\w$]{0,40}(?:\.[A-Za-z_$][\w$]{0,40}){0,4})\s{0,4}\(\s{0,40}(?:[rbuf]{0,2}(["'`])((?:(?!\2)[^\\\n]|\\.){0,2000})\2)?/g,
  )) {
    const handler = table.get(m[1]!);
    if (handler === undefined) continue;
    if (++found > MAX_CALLS) world.was_cut = true;
    if (found > MAX_CALLS || !world.step()) return;
    const argument: Value = m[3] === undefined ? NOTHING : text(m[3]);
    handler({
      name: m[1]!,
      base: undefined,
      args: [argument],
      named: new Map(),
      excerpt: m[0].replaceAll(HOLE, ''),
      world,
      apply: () => NOTHING,
    });
  }
}
