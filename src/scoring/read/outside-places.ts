/** Where an argument's value stands in text from outside; looked up once for all readings that ask. */
import type { Argument } from './argument.ts';
import type { Corpus } from './corpus.ts';
import { locate, type Place } from './locate.ts';
import { readValue } from './normalise.ts';

const PLACES = new WeakMap<Argument, Place[]>();

export function keepOutsidePlaces(argument: Argument, places: Place[]): void {
  PLACES.set(argument, places);
}

export function outsidePlaces(argument: Argument, corpus: Corpus): Place[] {
  const known = PLACES.get(argument);
  if (known !== undefined) return known;
  const places = locate(corpus, 'tool', { ...readValue(argument.value, argument.role), kind: argument.kind });
  PLACES.set(argument, places);
  return places;
}
