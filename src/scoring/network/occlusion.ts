/**
 * What carried a result: how much lower the logit is without a part of the graph (Zeiler and Fergus, 2014; for graphs, Ying and
 * others, 2019). Parts are the findings together, every other node, and each feature of the action itself.
 */
import type { EventGraph } from '../graph/event-graph.ts';
import { ACTION_FEATURES, VERDICT_FEATURES } from '../graph/features.ts';
import type { Network } from './forward.ts';

export interface Carrier {
  /** Index of the node; 0 for a feature of the action; -1 for the findings together. */
  node: number;
  /** What a feature of the action says; empty for nodes. */
  about: string;
  /** By how much the logit falls without it. */
  worth: number;
}

/** Parts that matter, the most first. Costs one run of the network for each part. */
export function carriersOf(network: Network, graph: EventGraph): Carrier[] {
  const whole = network.logitOf(graph);
  const carriers: Carrier[] = [];
  const put = (node: number, about: string, without: EventGraph): void => {
    const worth = whole - network.logitOf(without);
    if (worth > 0) carriers.push({ node, about, worth });
  };
  put(-1, '', withoutFindings(graph));
  for (let v = 1; v < graph.nodes.length; v += 1)
    if (graph.nodes[v]!.kind !== 'finding')
      put(
        v,
        '',
        withoutNodes(graph, (node) => node === v),
      );
  for (const [i, { about }] of ACTION_FEATURES.entries()) {
    const at = VERDICT_FEATURES.length + i;
    if (graph.nodes[0]!.features[at] !== 0)
      put(
        0,
        about,
        withActionFeatures(graph, (feature) => feature === at),
      );
  }
  return carriers.sort((a, b) => b.worth - a.worth);
}

/** The same nodes without edges from and to some of them, and those without features. */
function withoutNodes({ nodes, edges }: EventGraph, isGone: (node: number) => boolean): EventGraph {
  return { nodes, edges: edges.filter(({ from, to }) => !isGone(from) && !isGone(to)) };
}

function withActionFeatures({ nodes, edges }: EventGraph, isGone: (feature: number) => boolean): EventGraph {
  const [action, ...others] = nodes;
  const features = action!.features.map((value, i) => (isGone(i) ? 0 : value));
  return { nodes: [{ ...action!, features }, ...others], edges };
}

function withoutFindings(graph: EventGraph): EventGraph {
  const bare = withActionFeatures(graph, (feature) => feature < VERDICT_FEATURES.length);
  return withoutNodes(bare, (node) => graph.nodes[node]!.kind === 'finding');
}
