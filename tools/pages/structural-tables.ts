/** The tables of docs/structural-layer.md, made from the tables that the graph is built with. */
import { EDGE_MEANINGS, NODE_MEANINGS } from '../../src/cli/graph/meanings.ts';
import { EDGE_KINDS, NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { FEATURES } from '../../src/scoring/graph/features.ts';
import { table } from './markdown.ts';

export const nodesTable = (): string =>
  table(
    ['node', 'stands for', 'features, each 0 to 1'],
    NODE_KINDS.map((kind) => [
      `\`${kind}\``,
      NODE_MEANINGS[kind],
      FEATURES[kind].map(({ name, about }) => `\`${name}\`: ${about}`).join('<br>'),
    ]),
  );

export const edgesTable = (): string =>
  table(
    ['edge', 'says'],
    EDGE_KINDS.map((kind) => [`\`${kind}\``, EDGE_MEANINGS[kind]]),
  );
