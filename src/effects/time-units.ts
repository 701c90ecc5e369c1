/** Names of units of time, in the singular and as abbreviations → seconds. */
import { perOntology } from '../ontology/per-ontology.ts';
import { inverseOf } from '../ontology/words.ts';

export const secondsOfUnits = perOntology(
  (ontology): ReadonlyMap<string, number> =>
    new Map([...inverseOf(ontology, 'unit_seconds')].map(([unit, seconds]) => [unit, Number(seconds)])),
);
