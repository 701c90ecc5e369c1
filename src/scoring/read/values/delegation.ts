/** Whether the user left the choice of a value to the source where it stands. */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { Corpus } from '../conversation/corpus.ts';
import { type Order, STEERING } from '../conversation/order-sentences.ts';
import type { Request } from '../conversation/request.ts';
import { lex } from '../words/lexer.ts';
import { hostOf, type Value } from '../words/normalise.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { answersLookUp, wasIssuedAtLogIn } from './directory.ts';
import type { Place } from './locate.ts';
import { namedSources } from './named-sources.ts';

/** Words on either side of a value within which a name of the request ties a record to it. */
const RECORD = 30;
const words = perOntology((ontology) => ({
  people: setOf(ontology, 'people_roles'),
  /** A bill says «please pay to …»: that is how such documents give these values. */
  document_given: setOf(ontology, 'document_given_roles'),
  never: setOf(ontology, 'never_delegated_roles'),
}));

/** What the choice of a value is judged by. */
export interface Conversation {
  corpus: Corpus;
  request: Request;
  orders: readonly Order[];
  vocabulary: Vocabulary;
}

export function isDelegated(
  role: string,
  value: Value,
  outside: readonly Place[],
  { corpus, request, orders, vocabulary }: Conversation,
): boolean {
  const { people, document_given, never } = words(vocabulary.ontology);
  if (role === '' || never.has(role) || !request.has_words) return false;
  // Text that speaks in the name of the user or the system is not the source that the user meant.
  if (outside.some((place) => standsIn(place, orders, (o) => o.strength >= STEERING))) return false;
  const sources = namedSources(corpus);
  // «My account data are in this file»: a credential is taken from there and from nowhere else.
  if (role === 'secret')
    return (
      outside.length > 0 &&
      outside.every(
        (place) => sources.has(corpus.tool.stretchOf(place.word)) || wasIssuedAtLogIn(place, corpus, vocabulary),
      )
    );
  const isNamed = request.delegated.has(role);
  if (isNamed && (request.is_open_ended || document_given.has(role))) return true;
  // The person's own mail says «please send me …»: the user named that person.
  if (people.has(role) && (bearsName(value, request) || answersLookUp(value, outside, corpus, vocabulary))) return true;
  // Every place counts here and below: a text that quotes the value once more must not explain it.
  if (outside.some((place) => standsIn(place, orders, () => true))) return false;
  if (isNamed) return true;
  if (bearsName(value, request) || isBelowNamedHost(value, corpus, role)) return true;
  return (
    outside.length > 0 &&
    outside.every((place) => sources.has(corpus.tool.stretchOf(place.word)) || isInRecord(place, corpus, request))
  );
}

function standsIn(place: Place, orders: readonly Order[], counts: (order: Order) => boolean): boolean {
  return orders.some((o) => {
    if (o.is_decoded || !counts(o)) return false;
    const from = o.strength >= STEERING ? o.passage_from : o.from;
    const to = o.strength >= STEERING ? o.passage_to : o.to;
    return place.word >= from && place.word < to;
  });
}

/** `alice.miller@…` where the user said Alice: the result of looking that name up. */
function bearsName(value: Value, request: Request): boolean {
  const own = value.kind === 'email' ? value.normal.slice(0, value.normal.lastIndexOf('@')) : value.text;
  const { count, hash } = lex(own.slice(0, 200));
  for (let i = 0; i < count; i++) if (request.telling_names.has(hash[i]!)) return true;
  return false;
}

/** A record that holds both the value and a name of the request. */
function isInRecord(place: Place, corpus: Corpus, request: Request): boolean {
  if (request.telling_names.size === 0) return false;
  const { first, last } = corpus.tool.stretchOf(place.word);
  const to = Math.min(last, place.word + place.length + RECORD);
  for (let word = Math.max(first, place.word - RECORD); word < to; word++) {
    if (request.telling_names.has(corpus.words.hash[word]!)) return true;
  }
  return false;
}

/** A page of the site that the user named. */
function isBelowNamedHost(value: Value, corpus: Corpus, role: string): boolean {
  if (value.kind !== 'url' || (role !== 'url' && role !== 'host')) return false;
  const { count, hash } = lex(hostOf(value.normal));
  if (count < 2) return false;
  const { user } = corpus;
  for (let i = 0; i < count; i++) if (!user.has(hash[i]!)) return false;
  return true;
}
