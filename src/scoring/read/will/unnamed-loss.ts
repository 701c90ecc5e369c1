/**
 * Places of a person or a service that code takes away with all that is in them, while no word of the user speaks of them: a folder
 * that stands directly in a home folder, the data of a service, a document. Only the user's words name a place.
 */
import { HOLE } from '../../../effects/data.ts';
import { pathKinds } from '../../../effects/paths.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import type { ContentReading } from '../action/content/content.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { saysPartOf } from './beyond/said-path.ts';

const patterns = perOntology((ontology) => ({
  own: anyOf(ontology, 'places_of_people'),
  passing: anyOf(ontology, 'places_to_remove'),
  emptying: setOf(ontology, 'emptying_words'),
}));

const LOSING: ReadonlySet<string> = new Set(['deletes', 'destroys_data']);
const MAX_PATH = 512;

/** The first such place, '' where there is none or the user gave no request. */
export function unnamedLoss(content: ContentReading, text: TextReading, ontology: Ontology): string {
  if (!text.has_request) return '';
  const { own, passing } = patterns(ontology);
  const { documents } = pathKinds(ontology);
  const lost = content.effects.find(({ kind, scope, object }) => {
    if (!LOSING.has(kind) || scope === 'scratch' || object.length > MAX_PATH) return false;
    if (!(scope === 'one' ? documents : own).test(object) || passing.test(object)) return false;
    return !saysPartOf(object, text);
  });
  return lost?.object ?? '';
}

/**
 * What code that is written to a file would take away from a person or a machine when it runs: a home folder, what people keep in it, a
 * disk, the system. '' where the user's words ask for a removal, or speak of disks.
 */
export function storedLoss(content: ContentReading, text: TextReading, ontology: Ontology): string {
  const lost = content.dormant_effects.find(
    ({ kind, scope, object }) =>
      (kind === 'deletes' && scope === 'everything' && /^[~/]/.test(object) && !object.includes(HOLE)) ||
      (kind === 'destroys_data' && scope !== 'scratch' && object.startsWith('~')),
  );
  if (lost === undefined) return '';
  if ((requestOf(text, ontology).groups & vocabularyOf(ontology).bitOf('delete')) !== 0) return '';
  const { user } = corpusOf(text);
  return [...patterns(ontology).emptying].some((word) => user.has(hashWord(word))) ? '' : lost.object;
}
