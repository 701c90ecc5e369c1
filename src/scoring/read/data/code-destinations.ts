/** Where code sends data, against what the user named. */
import { PathTraits } from '../../../effects/paths.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ContentReading } from '../action/content/content.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { hostOf, sideOf } from '../values/hosts.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';
import { groupBits, vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';

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

/**
 * Whether code does no more than copy to machines of the own network, and the user asks for a copy: «deploy the site», «back it up».
 * What the copy removes there to be like its source belongs to it.
 */
export function copiesAsAsked(content: ContentReading, text: TextReading, ontology: Ontology): boolean {
  const sent = content.effects.filter(({ kind }) => kind === 'sends_out');
  if (sent.length === 0) return false;
  if ((requestOf(text, ontology).groups & groupBits('copying_groups', ontology)) === 0) return false;
  const isOwn = (host: string): boolean => host !== '' && sideOf(host, '', ontology) === 'internal';
  const kinds = wordSet(ontology, 'copying_effects');
  const isTemporary = (path: string): boolean => {
    const traits = new PathTraits(path, '', ontology);
    return traits.place === 'scratch' && !traits.is_built;
  };
  const savesCopy = (requestOf(text, ontology).groups & vocabularyOf(ontology).bitOf('export_exfiltrate')) !== 0;
  /** What was removed at `host:path`: a place that holds the only copy is not a place to be like another one. */
  const isLikeSource = (object: string, host: string): boolean => {
    const at = object.indexOf(`${host}:`);
    if (at < 0) return false;
    const place = new PathTraits(object.slice(at + host.length + 1), '', ontology);
    return !place.is_top && !place.is_store && !place.is_treasured && (savesCopy || !place.is_recovery);
  };
  return content.effects.every(({ kind, object }) => {
    if (kind === 'sends_out') return isOwn(hostOf(object)?.host ?? object);
    if (kind === 'deletes' || kind === 'destroys_data') return sent.some((one) => isLikeSource(object, one.object));
    // An empty folder as the source removes all.
    return kinds.has(kind) && !isTemporary(object);
  });
}
