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
  subjects: setOf(ontology, 'words_before_verbs'),
}));

const PLURAL = /^\p{Ll}{3,}s$/u;

/** A plural counts in lower case only: names end in «s», too. Languages without such plurals are told by their quantifiers. */
export const meansSeveral: (text: TextReading) => boolean = perRequest((said, ontology) => {
  const { quantifiers, groups, clearing, single, subjects } = words(ontology);
  let before = '';
  for (const part of said.replace(/['’]s\b/g, ' ').split(/[^\p{L}'’-]+/u)) {
    // «The opt-ins»: one word.
    const word = part.replaceAll('-', '');
    const folded = foldText(word);
    // «She just forgets»: a verb, and no plural.
    const isVerb = subjects.has(before);
    before = folded;
    if (quantifiers.has(folded) || groups.has(folded) || clearing.has(folded)) return true;
    if (!isVerb && PLURAL.test(word) && !/(?:ss|us|is)$/.test(folded) && !single.has(folded)) return true;
  }
  return false;
});
