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

/** What an edge of this kind says, for the drawing and the documentation. */
export const EDGE_MEANINGS: Readonly<Record<EdgeKind, string>> = {
  finds: 'a rule found this about the action',
  orders: 'text from outside orders something of the agent',
  says: 'the message holds the order',
  provides_value: 'the value of the argument stands in the message',
  has_argument: 'the action has the argument',
  names_destination: 'the argument names where data go',
  precedes: 'the session did this before',
  carries: 'the action touches or carries the data',
  sends_to: 'the action reaches the destination',
  targets: 'the action works on the target',
  delegates: 'the agent acts, or hands work on',
  asks: 'the user asked for something',
};

/** What a node of this kind stands for. */
export const NODE_MEANINGS: Readonly<Record<NodeKind, string>> = {
  action: 'the action that is judged, with what the rules found in all',
  finding: 'one finding of a rule',
  order: 'one order to the agent in text from outside',
  message: 'one message that a tool or a document brought',
  argument: 'one argument, by its role and the place where its value comes from',
  earlier_action: 'one kind of action earlier in the session',
  data: 'one class of data that the action touches or carries along',
  destination: 'where data go',
  target: 'what the action works on',
  agent: 'the agent, its delegation and its tool server',
  request: 'what the user asked for',
};
