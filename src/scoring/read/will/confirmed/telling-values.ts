/** What tells an act from another one of its kind: numbers, addresses, names with digits, paths, the objects of commands. */
import { parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import { foldText } from '../../words/fold.ts';
import type { OrderParts } from '../asked/exact-order.ts';
import { objectNames } from '../asked/object-names.ts';

const words = perOntology((ontology) => ({
  remarks: setOf(ontology, 'remark_parameters'),
  flags: setOf(ontology, 'flag_words'),
  beside: anyOf(ontology, 'untelling_words'),
}));

/** Leaves of a call that are compared; a call with more is confirmed by no sentence. */
export const MAX_LEAVES = 80;
/** Longer values are texts. */
const LONGEST = 120;
const MOST_WORDS = 6;
const MAX_CODE = 4_000;
export const SHORT_NAME = 3;

/**
 * Folded, each once; names of people only where there is nothing else. Of a command whose objects cannot be told, its words with
 * digits, and small numbers only as far as `shown` has them.
 */
export function tellingValues(parts: OrderParts, shown: string): string[] {
  const { event, ontology, content, arguments: args } = parts;
  const { leaves } = parametersOf(event);
  if (leaves.length > MAX_LEAVES) return [];
  if (content.languages.length > 0) return valuesOfCode(parts, shown);
  const found = new Set<string>();
  const { remarks } = words(ontology);
  const spoken: string[] = [];
  for (const { name, value } of leaves) {
    if (typeof value === 'boolean' || value === null || remarks.has(name)) continue;
    const said = String(value).trim();
    if (said === '' || said.length > LONGEST || said.split(/\s+/).length > MOST_WORDS) continue;
    if (isTelling(said)) found.add(foldText(said));
    else if (/^\p{Lu}/u.test(said)) spoken.push(foldText(said.split(/\s+/)[0]!));
  }
  for (const { role, kind, value } of args)
    if (role !== '' && (kind === 'email' || kind === 'account' || kind === 'url' || kind === 'host'))
      found.add(foldText(value));
  return found.size > 0 ? [...found] : spoken;
}

function valuesOfCode(parts: OrderParts, shown: string): string[] {
  const { flags, beside } = words(parts.ontology);
  const names = (objectNames(parts) ?? []).map(foldText).filter((name) => !flags.has(name));
  const isPlain = names.every((name) => /^[a-z]*$/.test(name));
  const isAlone = (name: string): boolean => standsAlone(name, shown);
  if (names.length > 0 && (!isPlain || names.every(isAlone))) return [...new Set(names)];
  const code = parametersOf(parts.event).leaves.flatMap(({ value }) =>
    typeof value === 'string' && /\s/.test(value.trim()) ? [value] : [],
  );
  const found = new Set<string>();
  for (const token of code.join('\n').slice(0, MAX_CODE).match(TOKENS) ?? []) {
    const [, host = token] = /^[\w.-]{1,60}@([\w.-]{2,120})$/.exec(token) ?? [];
    const isShort = SHORT_NUMBER.test(host) && isAlone(host);
    if (isShort || (host.length <= LONGEST && isTelling(host) && !beside.test(host))) found.add(foldText(host));
  }
  return [...found];
}

/** Words of code, without the punctuation at their end. */
export const TOKENS = /[\p{L}\p{N}_~@%+./:-]{1,200}[\p{L}\p{N}_~@%+/-]/gu;
const SHORT_NUMBER = /^\d{1,2}$/;

/** A single digit is a count, and a date or a time of day identifies nothing. */
const isTelling = (value: string): boolean =>
  !DATED.test(value) && (MEASURE.test(value) || /\d{2}|[@/\\]|\d-?[a-z]|[a-z]-?\d|\w[._]\w/i.test(value));
/** `5 mg`, `0.5%` */
export const MEASURE = /^\d+(?:[.,]\d+)?\s?\p{L}{1,8}$|^\d+(?:[.,]\d+)?\s?%$/u;
const DATED = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ][\d:.+Z-]{2,24})?$|^\d{1,2}:\d{2}(?::\d{2})?(?:\s?-\s?\d{1,2}:\d{2})?$/;
