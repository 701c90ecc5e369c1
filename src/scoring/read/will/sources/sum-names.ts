/** Names of parameters that hold a sum. */
import { wordsOf } from '../../../../lang/names.ts';
import { UNSPACED } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../ontology/words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  sums: setOf(ontology, 'sum_names'),
  /** Of scripts that set no blank between words: 税込金額. */
  joined: listOf(ontology, 'sum_names').filter(
    (word) => word.length > 1 && [...word].every((sign) => UNSPACED.test(sign)),
  ),
  others: setOf(ontology, 'no_sum_names'),
  minor: setOf(ontology, 'minor_unit_names'),
}));

/** A name such as `amt`, `montant_eur`, `base_annual`; none of a part in a hundred, a number of things, or in cents. */
export function isSumName(path: string, ontology: Ontology): boolean {
  const { sums, joined, others, minor } = words(ontology);
  const name = foldText(
    path
      .replace(/\[\d{0,9}\]/g, '')
      .split('.')
      .at(-1)!,
  );
  const of_name = wordsOf(name);
  const isNamed = of_name.some((word) => sums.has(word)) || joined.some((word) => name.includes(word));
  return isNamed && !of_name.some((word) => others.has(word) || minor.has(word));
}
