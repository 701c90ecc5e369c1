/** Text as words alone, to tell whether one text stands in another. */
import { asciiLower } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { unnested } from './unnest.ts';

/** Words parted by blanks, so that line ends and quotation marks do not part what is one sentence. */
export function plainWords(text: string, ontology: Ontology): string {
  return asciiLower(unnested(text, ontology))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
