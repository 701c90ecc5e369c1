/** Where code sends data, against what the user named. */
import type { Ontology } from '../../../ontology/index.ts';
import type { ContentReading } from '../action/content/content.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';

/** A shorter name stands in too many texts to be one that the user gave. */
const SHORTEST_NAME = 4;
/** `b2:photos`, `acme-reports`: the name of a store, with what it is reached by. */
const BUCKET = /^(?:[\w-]{2,32}:)?[\w-]{4,64}(?:\/[\w./-]{0,200})?$/;

/**
 * Whether code sends data and the user's own words name every place that it sends them to. False where a place is not known
 * before the code runs.
 */
export function userNamesDestinations(content: ContentReading, text: TextReading, ontology: Ontology): boolean {
  const corpus = corpusOf(text);
  const sent = content.effects.filter(({ kind }) => kind === 'sends_out');
  if (sent.length === 0 || corpus.user.is_empty) return false;
  const stands = (name: string, kind: 'host' | 'email' | 'identifier'): boolean =>
    name.length >= SHORTEST_NAME && locate(corpus, 'user', readValue(name, kind, ontology)).length > 0;
  // An account on a machine is named like an address for mail, a bucket of a store by its own name.
  return sent.every(
    ({ object }) =>
      stands(object, object.includes('@') ? 'email' : 'host') || (BUCKET.test(object) && stands(object, 'identifier')),
  );
}
