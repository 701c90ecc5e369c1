/** Whether a request means several things: «the lights», «both», «everybody in the team». */
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

const words = perOntology((ontology) => ({
  quantifiers: setOf(ontology, 'quantifier_words'),
  groups: setOf(ontology, 'group_words'),
  clearing: setOf(ontology, 'clearing_words'),
  single: setOf(ontology, 'singular_with_s'),
}));

const PLURAL = /^\p{Ll}{3,}s$/u;

/** A plural counts in lower case only: names end in «s», too. Languages without such plurals are told by their quantifiers. */
export const meansSeveral: (text: TextReading) => boolean = perRequest((said, ontology) => {
  const { quantifiers, groups, clearing, single } = words(ontology);
  for (const word of said.replace(/['’]s\b/g, ' ').split(/[^\p{L}'’]+/u)) {
    const folded = foldText(word);
    if (quantifiers.has(folded) || groups.has(folded) || clearing.has(folded)) return true;
    if (PLURAL.test(word) && !/(?:ss|us|is)$/.test(folded) && !single.has(folded)) return true;
  }
  return false;
});
