/** Whether a text of a look-up is about the thing that an action takes: it shares a word or an id with the parameters. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsIn } from '../../words/fold.ts';

const SHORTEST = 4;
const MAX_ANCHORS = 60;
const MAX_LEAVES = 200;
const MAX_VALUE = 400;
const MAX_TEXT = 65_536;

/** Words of at least four letters and ids of the parameters, folded; numbers alone are none. */
export function anchorsOf(event: AgentEvent): ReadonlySet<string> {
  const found = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ value }) => (typeof value === 'string' ? anchorWords(value.slice(0, MAX_VALUE)) : []));
  return new Set(found.slice(0, MAX_ANCHORS));
}

export const isAbout = (passage: string, anchors: ReadonlySet<string>): boolean =>
  anchors.size > 0 && anchorWords(passage.slice(0, MAX_TEXT)).some((word) => anchors.has(word));

/** Words of at least four letters, and ids. */
export const anchorWords = (said: string): string[] =>
  wordsIn(said).filter((word) => /\p{L}/u.test(word) && (word.length >= SHORTEST || /\d|[^\x00-\x7f]{2}/.test(word)));
