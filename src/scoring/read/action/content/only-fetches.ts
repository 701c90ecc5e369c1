/** Commands that do no more than show what an address answers: on a shell what a tool of the web does. */
import type { ContentReading } from './content.ts';

/** A query may carry what was read. */
const QUERY = /[?]\S/;
/** Excerpts of effects are cut at 120 characters: a longer one may hide a query. */
const LONGEST = 120;

/**
 * Whether all that the code does is ask addresses and print the answers. Nothing is kept, handed on or put into the address, and
 * nothing of the command is known only when it runs.
 */
export function onlyFetches(content: ContentReading): boolean {
  const { effects, dormant_effects, stored_files, has_unparsed, unresolved, unknown_program, was_cut } = content;
  if (effects.length === 0 || dormant_effects.length > 0 || stored_files.length > 0) return false;
  if (has_unparsed || was_cut || unresolved !== '' || unknown_program !== '') return false;
  return effects.every(({ kind, excerpt }) => kind === 'downloads' && excerpt.length < LONGEST && !QUERY.test(excerpt));
}
