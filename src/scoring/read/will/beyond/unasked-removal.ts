/** A call that by its own name removes a record, while the user asks for something that takes no record away: «reply to Tom's ticket». */
import { lineWords } from '../../../../effects/programs/unlisted/by-words.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { corpusOf } from '../../conversation/corpus.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { groupBits, vocabularyOf } from '../../words/vocabulary.ts';

const words = perOntology((ontology) => ({ passing: setOf(ontology, 'passing_records') }));

/** Whether it is so. What is made again at once, such as a tag or a cache, is not a record. */
export function removesUnasked(action: ActionReading, text: TextReading, ontology: Ontology): boolean {
  if (!text.has_request || action.effective_group !== 'delete') return false;
  const { groups, is_open_ended, leaves_work_open } = requestOf(text, ontology);
  if (groups === 0 || is_open_ended || leaves_work_open) return false;
  const { bitOf } = vocabularyOf(ontology);
  if ((groups & (bitOf('delete') | groupBits('removal_serving_groups', ontology))) !== 0) return false;
  if (speaksOfRemoval(text, ontology)) return false;
  const { light } = lineWords(ontology);
  const names = wordsOf(action.tool_name === '' ? `${action.scope} ${action.verb}` : action.tool_name);
  return !names.some((word) => light.test(word) || words(ontology).passing.has(word));
}

/** «Book them out as destroyed»: a verb that removes stands among the user's words, whatever is asked with it. */
function speaksOfRemoval(text: TextReading, ontology: Ontology): boolean {
  const { words: said } = corpusOf(text).user;
  const { words: table, bitOf } = vocabularyOf(ontology);
  const removing = bitOf('delete');
  for (let i = 0; i < said.count; i++) if ((table.kinds(said.hash[i]!) & removing) !== 0) return true;
  return false;
}
