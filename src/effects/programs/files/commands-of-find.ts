/** Commands inside a search: what it runs for each file that it finds. */

import { type Data, HOLE } from '../../data.ts';
import type { Call, Field } from '../../shell/call.ts';

/** The tests and actions of a search, without the commands that it runs for what it finds. */
export function outsideCommands(
  tests: readonly Field[],
  commandOptions: ReadonlySet<string>,
  ends: ReadonlySet<string>,
): Field[] {
  let isInside = false;
  return tests.filter(({ text }) => {
    const wasInside = isInside;
    if (wasInside) isInside = !ends.has(text);
    else isInside = commandOptions.has(text);
    return !wasInside;
  });
}

/** `-exec … ;` with the found names in place of `{}`; what the commands print, `null` when there are none. */
export function runFound(
  c: Call,
  isFd: boolean,
  tests: readonly Field[],
  found: readonly Field[],
  commandOptions: ReadonlySet<string>,
  ends: ReadonlySet<string>,
): Data | null {
  let taint: number | null = null;
  for (let i = 0; i < tests.length; i++) {
    if (!commandOptions.has(tests[i]!.text)) continue;
    const end = tests.findIndex((t, j) => j > i && ends.has(t.text));
    const command = tests.slice(i + 1, end < 0 ? undefined : end);
    const filled = command.flatMap((f) =>
      f.text === '{}' ? found : f.text.includes('{}') ? [{ ...f, text: f.text.replaceAll('{}', found[0]!.text) }] : [f],
    );
    const out = c.invoke(isFd && filled.length === command.length ? [...filled, ...found] : filled, null);
    taint = (taint ?? 0) | out.taint;
    if (end < 0) break;
    i = end;
  }
  return taint === null ? null : { text: HOLE, taint };
}
