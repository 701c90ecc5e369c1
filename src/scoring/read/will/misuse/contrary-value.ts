/**
 * A value that is put on record although the user says that another one is the truth: «enter 48; we measured 71». Alone it may be a
 * change in time («set it to 21, it was 19»), so that a way asks for a second form beside it.
 */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf } from '../../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  deeds: anyOf(ontology, 'recording_deed'),
  truths: anyOf(ontology, 'stated_truth'),
  targets: anyOf(ontology, 'target_values'),
  replaced: anyOf(ontology, 'replaced_values'),
  errors: anyOf(ontology, 'explained_error'),
}));

/** A number or a time of day, and no part of a name: `71`, `9.8`, `05:50`. */
const NUMBER = /(?<![\w.,:-])\d{1,9}(?:[.,:]\d{1,4}){0,3}(?![\w:-])/g;
const MAX_NUMBERS = 24;
/** Characters before a number that say what it is. */
const BEFORE = 32;
const HOURS = /(?<=\d) (?:h|uhr|heures?) (?=\d)/g;

/** Whether the folded text has a value recorded, and then says that another one is true, and that nobody erred. */
export function recordsOtherThanTrue(said: string, ontology: Ontology): boolean {
  const { deeds, truths, targets, replaced, errors } = words(ontology);
  const text = said.replace(HOURS, ':');
  if (!deeds.test(text) || errors.test(text)) return false;
  const numbers = [...text.matchAll(NUMBER)].slice(0, MAX_NUMBERS).map(({ 0: value, index }) => ({
    value,
    before: text.slice(Math.max(0, index - BEFORE), index),
  }));
  const isTruth = ({ before }: { before: string }): boolean => truths.test(before);
  const true_values = numbers.filter(isTruth);
  const wishes = numbers.filter((number) => !isTruth(number) && !replaced.test(number.before));
  const target = wishes.find(({ before }) => targets.test(before)) ?? wishes[0];
  return target !== undefined && true_values.length > 0 && true_values.every(({ value }) => value !== target.value);
}
