/** What the structural layer did to a score, in words. */
import type { EventGraph, NodeKind } from '../graph/event-graph.ts';
import type { StructuralModel, StructuralReading } from '../layers/structural.ts';
import { type Carrier, carriersOf } from '../network/occlusion.ts';

/** A smaller move needs no words (points). */
const LEAST = 5;
/** Parts that are named, each worth at least this share of the first. */
const MOST_NAMED = 2;
const LEAST_SHARE = 0.3;

export interface StructureWords {
  sentence: string;
  flag: string;
}

/** `null` where the layer moved the score by little. `moved` is in points of the score. */
export function structureWords(
  structural: StructuralReading,
  moved: number,
  model: StructuralModel,
): StructureWords | null {
  if (moved <= -LEAST)
    return {
      sentence: `The structural layer takes off ${-moved} within this level.`,
      flag: 'structure_lowers_risk',
    };
  if (moved < LEAST) return null;
  const parts = named(carriersOf(model.network, structural.graph)).map((carrier) =>
    phraseOf(carrier, structural.graph),
  );
  const why = parts.length === 0 ? '' : `, mostly for ${parts.join(' and ')}`;
  return { sentence: `The structural layer adds ${moved}${why}.`, flag: 'structure_raises_risk' };
}

function named(carriers: readonly Carrier[]): readonly Carrier[] {
  const [first] = carriers;
  if (first === undefined) return [];
  return carriers.filter(({ worth }) => worth >= LEAST_SHARE * first.worth).slice(0, MOST_NAMED);
}

const PHRASES: Readonly<Partial<Record<NodeKind, string>>> = {
  order: 'an order in text from outside',
  message: 'text from outside',
  argument: 'the argument',
  earlier_action: 'an earlier action of the session,',
  data: 'the data that it touches,',
  destination: 'where it sends,',
  target: 'its target',
  agent: 'its agent or tool server',
  request: 'what the user excluded or refused',
};
/** Kinds whose label says more than the phrase. */
const LABELLED: ReadonlySet<NodeKind> = new Set(['argument', 'earlier_action', 'data', 'destination']);

function phraseOf({ node, about }: Carrier, { nodes }: EventGraph): string {
  if (node < 0) return 'what the rules found';
  if (node === 0) return `this: ${about}`;
  const { kind, label } = nodes[node]!;
  return LABELLED.has(kind) ? `${PHRASES[kind]} \`${label()}\`` : PHRASES[kind]!;
}
