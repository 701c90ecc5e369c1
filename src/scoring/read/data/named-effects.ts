/** What code does, against what the user named: kinds of effects of which every object stands in the user's own words. */
import type { Effect } from '../../../effects/effects.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ContentReading } from '../action/content/content.ts';
import { type Corpus, corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';

/** A shorter name stands in too many texts to be one that the user gave. */
const SHORTEST_NAME = 4;
const MAX_PARTS = 8;
/** `s3://bucket`, `name=orders`: what precedes the name itself. */
const REACHED = /^(?:[a-z][\w-]{0,15}(?::\/\/|=))/i;
/** `localhost:9092`: where the service is, not what is lost. */
const SERVER = /^[\w.-]{1,250}:\d{2,5}$/;

const words = perOntology((ontology) => ({
  published: setOf(ontology, 'published_code_hosts'),
  general: setOf(ontology, 'general_object_words'),
}));

/**
 * Kinds of effects whose every object the user's own words name, sorted. What lies below a named place is not named, and neither is
 * an object with a wildcard or one that is known only at run time.
 */
export function namedEffects(content: ContentReading, text: TextReading, ontology: Ontology): string[] {
  const corpus = corpusOf(text);
  if (corpus.user.is_empty) return [];
  const named = new Map<string, boolean>();
  for (const effect of content.effects)
    if (effect.scope !== 'scratch')
      named.set(effect.kind, named.get(effect.kind) !== false && isNamed(effect, corpus, ontology));
  return [...named].flatMap(([kind, is]) => (is ? [kind] : [])).sort();
}

function isNamed({ kind, object }: Effect, corpus: Corpus, ontology: Ontology): boolean {
  if (/[*?…]/.test(object)) return false;
  const stands = (name: string, as: 'host' | 'email' | 'identifier'): boolean =>
    name.length >= SHORTEST_NAME && locate(corpus, 'user', readValue(name, as, ontology)).length > 0;
  const { general } = words(ontology);
  if (kind !== 'takes_foreign_code') {
    // «namespace», «volume»: the kind of thing alone names none of them.
    if (object.split(' ').every((word) => general.has(word.toLowerCase()))) return false;
    // An account on a machine is named like an address for mail.
    if (stands(object, object.includes('@') ? 'email' : 'host') || stands(object, 'identifier')) return true;
    // `group delete demo-rg`: the name of the object follows what is done and to what kind of thing.
    const names = object
      .split(' ')
      .map((word) => word.replace(REACHED, ''))
      .filter((word) => word !== '' && !general.has(word.toLowerCase()) && !SERVER.test(word));
    return names.length > 0 && names.every((name) => stands(name, 'identifier'));
  }
  const [host = '', ...parts] = object.slice(0, 400).split('/');
  if (stands(object, 'host') || (host.includes('.') && !isPublished(host, ontology) && stands(host, 'host')))
    return true;
  // Where everybody publishes, the host says nothing.
  const isKnown = !host.includes('.') || isPublished(host, ontology);
  const own = host.includes('.') ? parts : [host, ...parts];
  return isKnown && own.slice(0, MAX_PARTS).some((part) => stands(part.replace(/\.[a-z]{1,5}$/, ''), 'identifier'));
}

function isPublished(host: string, ontology: Ontology): boolean {
  const { published } = words(ontology);
  const labels = host.toLowerCase().split('.');
  return labels.some((_, i) => published.has(labels.slice(i).join('.')));
}
