/** The lines that an edit brings, and those that it takes away. */
import type { Edit } from './edits.ts';

const MAX_LINES = 2_000;
/** A longer line is data. */
const MAX_LINE = 2_000;

export interface Changed {
  added: readonly string[];
  gone: readonly string[];
}

/** Compared without the blanks around them, in their order. */
export function changedLines({ before, after }: Edit): Changed {
  const old = before.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE));
  const now = after.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE));
  const stood = new Set(old.map((line) => line.trim()));
  const stands = new Set(now.map((line) => line.trim()));
  const others = (lines: readonly string[], known: ReadonlySet<string>): string[] =>
    lines.filter((line) => line.trim() !== '' && !known.has(line.trim()));
  return { added: others(now, stood), gone: others(old, stands) };
}
