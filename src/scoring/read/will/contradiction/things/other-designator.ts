/**
 * A thing of a numbered series other than the one that the user calls by its letter or number: «car E» is `TWR2-E` in a list that has
 * `TWR2-C`, too, and the action takes `TWR2-C`.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import type { Contradiction } from '../contradicted.ts';

const MAX_REQUEST = 4_096;
const MAX_PASSAGES = 4;
const MAX_PASSAGE = 32_768;
const MAX_LEAVES = 60;
const MAX_SERIES = 400;
/** `car E`, `pump no. 3`, `Gate B12`: a noun and a capital letter, a number, or both. */
const DESIGNATED =
  /(?<![\p{L}\p{N}])(\p{L}{3,20})\s{1,2}(?:no\.?\s{0,1}|nr\.?\s{0,1}|#|number\s)?([A-Z]\d{0,3}|\d{1,3})(?![\p{L}\p{N}]|[.,:/-]\p{N}|\s?(?:%|°|€|\$))/gu;
/** Parts of an id: `TWR2-C` is `TWR2` and `C`. */
const ID = /^(\p{L}[\p{L}\p{N}]{0,24}(?:[-_./][\p{L}\p{N}]{1,24}){0,4})[-_./]([A-Za-z]\d{0,3}|\d{1,3})$/u;
const WORD = /[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+){0,6}/gu;

interface Designated {
  said: string;
  noun: string;
  designator: string;
}

const designatedBy = perRequest((said): readonly Designated[] =>
  [...said.slice(0, MAX_REQUEST).matchAll(DESIGNATED)].map(([whole, noun = '', designator = '']) => ({
    said: whole,
    noun: singular(noun.toLowerCase()),
    designator: plain(designator),
  })),
);

/** Whether an id ends in the letter or number by which people call the thing: `PS2-P-07` is pump 7. */
export function isCalled(id: string, designator: string): boolean {
  const last = ID.exec(id)?.[2];
  return last !== undefined && plain(last) === plain(designator);
}

/** Leading zeros and case tell nothing: `pump-03` is pump 3. */
const plain = (designator: string): string => designator.toUpperCase().replace(/^([A-Z]?)0{1,3}([1-9])/, '$1$2');

/**
 * Empty where the user calls nothing by a letter or number, or the action takes what the user calls so. The noun has to stand in the name
 * of the parameter or of the action: «floor 3» says nothing of `room-4`.
 */
export function otherDesignators(event: AgentEvent, text: TextReading): readonly Contradiction[] {
  const designated = designatedBy(text);
  if (designated.length === 0 || text.untrusted.length === 0) return [];
  const names = wordsOf(event.action.replaceAll(':', '_'));
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    const [, series = '', last = ''] = typeof value === 'string' ? (ID.exec(value) ?? []) : [];
    if (series === '') continue;
    const nouns = new Set([...names, ...wordsOf(path)].map(singular));
    const meant = designated.filter(({ noun }) => nouns.has(noun));
    if (meant.length === 0 || designated.some(({ designator }) => designator === plain(last))) continue;
    const listed = seriesIn(text, series);
    if (!listed.has(plain(last))) continue;
    const other = meant.find(({ designator }) => listed.has(designator));
    if (other !== undefined)
      return [{ parameter: path, asked: other.said, used: String(value), kind: 'name', factor: 1, is_less: false }];
  }
  return [];
}

/** Letters and numbers of the ids of a series in the last results. */
function seriesIn(text: TextReading, series: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const passage of text.untrusted.slice(-MAX_PASSAGES))
    for (const [word] of passage.text.slice(0, MAX_PASSAGE).matchAll(WORD)) {
      const [, head = '', last = ''] = ID.exec(word) ?? [];
      if (head === series && found.size < MAX_SERIES) found.add(plain(last));
    }
  return found;
}
