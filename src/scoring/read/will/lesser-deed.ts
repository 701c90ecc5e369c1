/** A request for less than a removal, such as a pause or an archive. */
import { singular } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const deeds = perOntology((ontology) =>
  [...tableOf(ontology, 'lesser_deeds')].map(([word, objects]) => ({
    word,
    hash: hashWord(word),
    objects: new Set(objects),
  })),
);

/** The word of the request for a deed that removes nothing (`archive`), if it asks for no removal; '' otherwise. */
export function lesserDeedAsked(ontology: Ontology, action: ActionReading, text: TextReading): string {
  const request = requestOf(text, ontology);
  const { bitOf } = vocabularyOf(ontology);
  if (!request.has_words || request.is_open_ended || (request.groups & bitOf('delete')) !== 0) return '';
  const { user } = corpusOf(text);
  const asked = deeds(ontology).find(({ hash }) => user.has(hash));
  if (asked === undefined) return '';
  return action.name_words.some((word) => asked.objects.has(singular(word))) ? '' : asked.word;
}
