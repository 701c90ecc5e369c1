/** One row of numbers for a graph: the features of the action, and of every other kind of node the largest of each feature. */
import { NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { featureCount } from './batch.ts';
import type { CompactGraph } from './example.ts';

const STARTS: number[] = [];
let width = 0;
for (let kind = 0; kind < NODE_KINDS.length; kind += 1) {
  STARTS.push(width);
  width += featureCount(kind);
}

export const POOLED_WIDTH = width;

export function pooledRow({ kinds, features }: CompactGraph): Float64Array {
  const row = new Float64Array(POOLED_WIDTH);
  for (const [node, kind] of kinds.entries())
    for (const [i, value] of features[node]!.entries()) {
      const at = STARTS[kind]! + i;
      row[at] = Math.max(row[at]!, value);
    }
  return row;
}
