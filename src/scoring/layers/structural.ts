/**
 * Layer 2: what the graph of the event says (`graph/`, `network/`).
 *
 * The network's expected severity does not stand beside the rules' score, it moves it: `gnn_score` lies between the two. The
 * layer orders actions on either side of high and takes none across (docs/decisions/0031-structural-layer.md).
 */
import type { Facts } from '../facts/fact-table.ts';
import type { EventGraph } from '../graph/event-graph.ts';
import type { Verdict } from '../graph/features.ts';
import { graphOfEvent } from '../graph/graph-of-event.ts';
import { CRITICAL, HIGH } from '../level.ts';
import type { Network } from '../network/forward.ts';
import { type Calibration, severityOf } from '../network/severity.ts';

/** What ships for this layer. */
export interface StructuralModel {
  /** Changes with any byte of the file of weights. */
  version: string;
  network: Network;
  calibration: Calibration;
}

export interface StructuralReading {
  /** 0-100: the severity that the network expects. */
  severity: number;
  /** 0-1, the largest class probability. */
  confidence: number;
  graph: EventGraph;
}

/** `null` says that the layer is absent, which is not the same as a score of zero. */
export function structuralScore(
  facts: Facts,
  verdict: Verdict,
  model: StructuralModel | null,
): StructuralReading | null {
  if (model === null) return null;
  const graph = graphOfEvent(facts, verdict);
  const { expected, confidence } = severityOf(model.network.logitOf(graph), model.calibration);
  return { severity: expected, confidence, graph };
}

/** Composites from here on round to high, and to critical. */
const TO_HIGH = HIGH - 0.5;
const TO_CRITICAL = CRITICAL - 0.5;

/** A way towards `distance` that never leaves `room`: near the distance while that is small, and it rises with both. */
const within = (room: number, distance: number): number => (room * distance) / (room + distance);

/**
 * The layer's own score: from `rules`, the score of the other layers alone, towards the severity that the network expects.
 *
 * Below high it only rises, since the absence of findings is not proof of harmlessness, and stays below the score at which `weight`
 * of it would make the composite high. From high on it may fall, but not so far that the composite would leave its level.
 */
export function towards(rules: number, severity: number, weight: number): number {
  if (rules < TO_HIGH) return severity <= rules ? rules : rules + within((TO_HIGH - rules) / weight, severity - rules);
  if (severity >= rules) return severity;
  const edge = rules < TO_CRITICAL ? TO_HIGH : TO_CRITICAL;
  return rules - within((rules - edge) / weight, rules - severity);
}
