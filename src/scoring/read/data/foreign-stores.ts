/**
 * Stores of another account: a copy of data goes to a bucket, and neither the user nor the source shares a word with it, or the command
 * brings an account or a server of its own. «Back it up to our bucket» says nothing of such a place.
 */
import type { Effect } from '../../../effects/effects.ts';
import { singular, splitWords } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ContentReading } from '../action/content/content.ts';
import { corpusOf, type Places } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { hashWord } from '../words/lexer.ts';

const patterns = perOntology((ontology) => ({
  address: new RegExp(patternOf(ontology, 'stores_of_accounts', 'address').source, 'gi'),
  account: patternOf(ontology, 'stores_of_accounts', 'account'),
  signed: patternOf(ontology, 'stores_of_accounts', 'signed'),
  general: setOf(ontology, 'general_store_words'),
}));

const MAX_EXCERPT = 2_000;
const SHORTEST = 3;

/** The first such store, '' where there is none. Only the user's words and the command itself are compared. */
export function foreignStore(content: ContentReading, text: TextReading, ontology: Ontology): string {
  if (!text.has_request) return '';
  const { user } = corpusOf(text);
  const found = content.effects.find((effect) => effect.kind === 'sends_out' && isForeign(effect, user, ontology));
  return found?.object ?? '';
}

function isForeign({ object, scope, excerpt }: Effect, user: Places, ontology: Ontology): boolean {
  const { address, account, signed, general } = patterns(ontology);
  const line = excerpt.slice(0, MAX_EXCERPT);
  const own = wordsOfName(object, general);
  if (scope === 'scratch' || own.some((word) => says(word, user))) return false;
  if (signed.test(line)) return true;
  const given = account.exec(line)?.[1];
  if (given !== undefined) {
    const names = wordsOfName(given, general);
    return names.every((word) => !own.includes(word) && !says(word, user));
  }
  // From one bucket to another one: those of one organisation share a word.
  const buckets = [...line.matchAll(address)].map(([, bucket = '']) => bucket);
  const sources = buckets.filter((bucket) => bucket !== object);
  return (
    sources.length > 0 &&
    buckets.includes(object) &&
    sources.every((source) => wordsOfName(source, general).every((word) => !own.includes(word)))
  );
}

const wordsOfName = (name: string, general: ReadonlySet<string>): string[] =>
  splitWords(name)
    .map(singular)
    .filter((word) => word.length >= SHORTEST && !general.has(word));

const says = (word: string, user: Places): boolean => [word, `${word}s`].some((form) => user.has(hashWord(form)));
