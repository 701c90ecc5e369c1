/** Bounds in lines of code: two lines that differ in their numbers only, and how much the one bounds less. */
import type { Ontology } from '../../ontology/index.ts';
import { secondsOfUnits } from '../time-units.ts';

/** A bound that grows so much bounds nothing. */
const FAR_MORE = 50;
/** A number, and the word that stands directly behind it, which may be a unit of time. */
const NUMBER = /(\d[\d_]{0,15})([a-z]{1,11}\b)?/gi;

/** The line without its numbers and their units of time: `expiresIn: '15m'` and `expiresIn: '10y'` are the same. */
export function withoutNumbers(line: string, ontology: Ontology): string {
  const units = secondsOfUnits(ontology);
  return line.trim().replace(NUMBER, (_, __, unit = '') => (units.has(unit.toLowerCase()) ? '0' : `0${unit}`));
}

/** The first of the lines that are the same apart from their numbers, by what they have in common. */
export function firstOfEach(lines: readonly string[], ontology: Ontology): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const line of lines) {
    const form = withoutNumbers(line, ontology);
    if (!first.has(form)) first.set(form, line);
  }
  return first;
}

/** Whether the first number of a line bounds far less than that of the line before. */
export const isFarMore = (line: string, before: string, ontology: Ontology): boolean =>
  amountIn(line, ontology) >= FAR_MORE * amountIn(before, ontology);

function amountIn(line: string, ontology: Ontology): number {
  const [, digits = '0', unit = ''] = line.matchAll(NUMBER).next().value ?? [];
  return (Number(digits.replaceAll('_', '')) || 0) * (secondsOfUnits(ontology).get(unit.toLowerCase()) ?? 1);
}
