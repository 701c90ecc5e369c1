/** What training knows of one labelled action: its graph in numbers, and what the rules made of it. */
import { EDGE_KINDS, type EventGraph, NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';

export interface CompactGraph {
  /** Index of each node's kind; the first is the action. */
  kinds: number[];
  features: number[][];
  /** Kind, from, to. */
  edges: [number, number, number][];
}

/** A finding as far as training varies it. */
export interface CompactFinding {
  rule: string;
  family: string;
  contribution: number;
  floor: number;
  confidence: number;
  /** No stronger finding of its family rests on the same evidence. */
  is_counted: boolean;
}

export interface Example {
  source: string;
  /** Records of one group resemble each other. */
  group: string;
  label: 0 | 1;
  /** A changed telling of a record, for training only; empty for the record itself. */
  change: string;
  graph: CompactGraph;
  findings: CompactFinding[];
  intrinsic: number;
  /** The final score of the rules alone. */
  rule_score: number;
}

export function compactGraph({ nodes, edges }: EventGraph): CompactGraph {
  return {
    kinds: nodes.map(({ kind }) => NODE_KINDS.indexOf(kind)),
    features: nodes.map(({ features }) => features.map((value) => Math.round(value * 1e4) / 1e4)),
    edges: edges.map(({ kind, from, to }) => [EDGE_KINDS.indexOf(kind), from, to]),
  };
}

/** The graph as the engine's network reads it. */
export function eventGraphOf({ kinds, features, edges }: CompactGraph): EventGraph {
  return {
    nodes: kinds.map((kind, i) => ({ kind: NODE_KINDS[kind]!, features: features[i]!, label: () => '' })),
    edges: edges.map(([kind, from, to]) => ({ kind: EDGE_KINDS[kind]!, from, to })),
  };
}
