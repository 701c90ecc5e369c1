/**
 * The typed graph of one event: who said, ordered, provided and carried what, around the action that is judged. It is what the
 * structural layer reads (`network/`) and what `weir graph` draws.
 *
 * Features are numbers from 0 to 1 and each is worded so that more means more risk. Nothing in the graph is a word, a name, an id, a
 * length or a count that grows with the session: those tell one source of data from another and not harm from honest work.
 */

export const NODE_KINDS = [
  'action',
  'finding',
  'order',
  'message',
  'argument',
  'earlier_action',
  'data',
  'destination',
  'target',
  'agent',
  'request',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** Every edge points towards the action, so that what is known of its causes flows into it. */
export const EDGE_KINDS = [
  'finds',
  'orders',
  'says',
  'provides_value',
  'has_argument',
  'names_destination',
  'precedes',
  'carries',
  'sends_to',
  'targets',
  'delegates',
  'asks',
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export interface GraphNode {
  kind: NodeKind;
  /** In the order of the kind's table (`features.ts`), each from 0 to 1. */
  features: readonly number[];
  /** For people, made when asked for; the network does not read it. */
  label: () => string;
}

export interface GraphEdge {
  kind: EdgeKind;
  /** Indices of nodes. */
  from: number;
  to: number;
}

export interface EventGraph {
  /** The first one is the action. At most `MAX_NODES`. */
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
}

export const MAX_NODES = 64;

/** Bounds by kind, so that much of one kind displaces nothing of another; together with the single nodes they stay below `MAX_NODES`. */
export const MOST: Readonly<Partial<Record<NodeKind, number>>> = {
  finding: 12,
  order: 8,
  message: 10,
  argument: 16,
  earlier_action: 6,
  data: 6,
};
