/** Several graphs as one, in the form that the trainer's matrices need. */
import { EDGE_KINDS, NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { FEATURES } from '../../src/scoring/graph/features.ts';
import type { CompactGraph } from './example.ts';

/** Nodes that get messages over edges of one kind; of the i-th, those from `starts[i]` to `starts[i + 1]` in `from`. */
export interface Inbox {
  to: number[];
  starts: number[];
  from: number[];
}

export interface Batch {
  /** Nodes of all graphs. */
  nodes: number;
  /** The action of each graph. */
  actions: number[];
  /** For each kind of node: its nodes, and their features row by row. */
  by_kind: { nodes: number[]; features: number[] }[];
  /** For each kind of edge: all nodes, and the actions alone with indices among the actions. */
  inboxes: Inbox[];
  action_inboxes: Inbox[];
}

export function batchOf(graphs: readonly CompactGraph[], has_edges: boolean): Batch {
  const batch: Batch = {
    nodes: 0,
    actions: [],
    by_kind: NODE_KINDS.map(() => ({ nodes: [], features: [] })),
    inboxes: EDGE_KINDS.map(emptyInbox),
    action_inboxes: EDGE_KINDS.map(emptyInbox),
  };
  for (const { kinds, features, edges } of graphs) {
    const offset = batch.nodes;
    const action = batch.actions.length;
    batch.actions.push(offset);
    for (let v = 0; v < kinds.length; v += 1) {
      const own = batch.by_kind[kinds[v]!]!;
      own.nodes.push(offset + v);
      own.features.push(...features[v]!);
    }
    batch.nodes += kinds.length;
    if (has_edges) deliver(edges, offset, action, batch);
  }
  for (const inbox of [...batch.inboxes, ...batch.action_inboxes]) inbox.starts.push(inbox.from.length);
  return batch;
}

const emptyInbox = (): Inbox => ({ to: [], starts: [], from: [] });

function deliver(edges: CompactGraph['edges'], offset: number, action: number, batch: Batch): void {
  const sorted = [...edges].sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  let last_kind = -1;
  let last_to = -1;
  for (const [kind, from, to] of sorted) {
    const inbox = batch.inboxes[kind]!;
    const of_actions = batch.action_inboxes[kind]!;
    if (kind !== last_kind || to !== last_to) {
      inbox.to.push(offset + to);
      inbox.starts.push(inbox.from.length);
      if (to === 0) {
        of_actions.to.push(action);
        of_actions.starts.push(of_actions.from.length);
      }
      last_kind = kind;
      last_to = to;
    }
    inbox.from.push(offset + from);
    if (to === 0) of_actions.from.push(offset + from);
  }
}

export const featureCount = (kind: number): number => FEATURES[NODE_KINDS[kind]!].length;
