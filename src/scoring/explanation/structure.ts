/** What the structural layer did to a score, in words. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { tableOf } from '../../ontology/words.ts';
import type { EventGraph } from '../graph/event-graph.ts';
import type { StructuralModel, StructuralReading } from '../layers/structural.ts';
import { type Carrier, carriersOf } from '../network/occlusion.ts';

/** A smaller move needs no words (points). */
const LEAST = 5;
/** Parts that are named, each worth at least this share of the first. */
const MOST_NAMED = 2;
const LEAST_SHARE = 0.3;
/** Stands in a phrase for what the part is called. */
const LABEL = '{label}';

export interface StructureWords {
  sentence: string;
  flag: string;
}

/** `null` where the layer moved the score by little. `moved` is in points of the score. */
export function structureWords(
  structural: StructuralReading,
  moved: number,
  model: StructuralModel,
  ontology: Ontology,
): StructureWords | null {
  if (moved <= -LEAST)
    return {
      sentence: `The structural layer takes off ${-moved} within this level.`,
      flag: 'structure_lowers_risk',
    };
  if (moved < LEAST) return null;
  const parts = named(carriersOf(model.network, structural.graph)).map((carrier) =>
    phraseOf(carrier, structural.graph, ontology),
  );
  const why = parts.length === 0 ? '' : `, mostly for ${parts.join(' and ')}`;
  return { sentence: `The structural layer adds ${moved}${why}.`, flag: 'structure_raises_risk' };
}

function named(carriers: readonly Carrier[]): readonly Carrier[] {
  const [first] = carriers;
  if (first === undefined) return [];
  return carriers.filter(({ worth }) => worth >= LEAST_SHARE * first.worth).slice(0, MOST_NAMED);
}

const partsOf = perOntology((ontology) => tableOf(ontology, 'parts_of_structure'));

function phraseOf({ node, about }: Carrier, { nodes }: EventGraph, ontology: Ontology): string {
  const part = node < 0 ? 'findings' : nodes[node]!.kind;
  const phrase = partsOf(ontology).get(part)![0]!;
  if (!phrase.includes(LABEL)) return phrase;
  const label = node === 0 ? about : nodes[node]!.label();
  return phrase.replace(LABEL, () => label);
}
