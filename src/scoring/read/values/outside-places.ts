/** Where an argument's value occurs in text from outside. Searched once per event for all readings. */

import type { Corpus } from '../conversation/corpus.ts';
import { readValue } from '../words/normalise.ts';
import type { Argument } from './argument.ts';
import { locate, type Place } from './locate.ts';

const placesIn = (corpus: Corpus): Map<Argument, readonly Place[]> =>
  corpus.memo.get('outside places', () => new Map());

export function keepOutsidePlaces(argument: Argument, places: readonly Place[], corpus: Corpus): void {
  // Without text from outside there are no places to keep.
  if (!corpus.tool.is_empty) placesIn(corpus).set(argument, places);
}

export function outsidePlaces(argument: Argument, corpus: Corpus): readonly Place[] {
  const known = placesIn(corpus).get(argument);
  if (known !== undefined) return known;
  const places = locate(corpus, 'tool', {
    ...readValue(argument.value, argument.role, corpus.ontology),
    kind: argument.kind,
  });
  keepOutsidePlaces(argument, places, corpus);
  return places;
}
