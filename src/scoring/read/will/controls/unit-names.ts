/** Units as names and texts write them, in one form: `rateMlPerHour`, `max_rate_mL_h` and «18 ml/hr» are all in `ml h`. */
import { singular, splitWords } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../../ontology/words.ts';
import { foldText } from '../../words/fold.ts';

export interface MeasuredName {
  /** `ml h`; '' where the name has none. */
  unit: string;
  /** The words before the unit, folded, in the singular. */
  own: readonly string[];
}

const words = perOntology((ontology) => ({
  units: inverseOf(ontology, 'written_units'),
  per: setOf(ontology, 'per_words'),
  counted: setOf(ontology, 'counted_units'),
}));

const LONGEST_NAME = 64;
/** `cm`, `h`, `2`, `o`: as many parts as one unit falls into. */
const MOST_PARTS = 4;
/** Of a unit with others below the line. */
const MOST_UNITS = 4;

/** Words that follow each other as a unit in its one form; '' if they are something else. */
export function unitOfWords(parts: readonly string[], ontology: Ontology): string {
  const { units, per } = words(ontology);
  const found: string[] = [];
  for (let i = 0; i < parts.length; ) {
    if (found.length > 0 && per.has(parts[i]!)) {
      i += 1;
      continue;
    }
    let taken = 0;
    for (let length = Math.min(MOST_PARTS, parts.length - i); length > 0 && taken === 0; length -= 1) {
      const joined = parts.slice(i, i + length).join('');
      const unit = units.get(joined) ?? units.get(singular(joined));
      if (unit === undefined) continue;
      found.push(unit);
      taken = length;
    }
    if (taken === 0 || found.length > MOST_UNITS) return '';
    i += taken;
  }
  return found.join(' ');
}

/** «mL/h», «°C», «units per kg» in its one form; '' if it is none. */
export const unitOfText = (said: string, ontology: Ontology): string =>
  unitOfWords(
    foldText(said.slice(0, LONGEST_NAME).replaceAll('²', '2').replaceAll('³', '3').replaceAll('°', ''))
      .split(/[^\p{L}\p{N}%€$£]+/u)
      .filter((word) => word !== ''),
    ontology,
  );

/** The words of a name, folded. */
export const wordsOfName = (name: string): readonly string[] =>
  splitWords(name.slice(0, LONGEST_NAME).replaceAll('%', '_pct_').replaceAll('³', '3')).map(foldText);

/** A name with its unit, which stands last. */
export function measuredName(of_name: readonly string[], ontology: Ontology): MeasuredName {
  for (let i = 0; i < of_name.length; i += 1) {
    const tail = of_name.slice(i);
    const unit = unitOfWords(tail, ontology);
    if (unit !== '') return { unit, own: of_name.slice(0, i).map(singular) };
  }
  return { unit: '', own: of_name.map(singular) };
}

/** Whether things or money are counted in it, which the user may decide otherwise than a limit of a body or a machine. */
export const isCounted = (unit: string, ontology: Ontology): boolean =>
  unit === '' || unit.split(' ').some((part) => words(ontology).counted.has(part));
