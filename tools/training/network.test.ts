import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EDGE_KINDS, type EventGraph, NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { Network } from '../../src/scoring/network/forward.ts';
import { type Part, SHAPE, WIDTH } from '../../src/scoring/network/shape.ts';
import { randomIntegers } from '../evaluation/random.ts';
import { exactArithmetic, kernelArithmetic } from './arithmetic.ts';
import { batchOf, featureCount } from './batch.ts';
import { type CompactGraph, eventGraphOf } from './example.ts';
import { TrainedNetwork } from './network.ts';

const random = randomIntegers(7);
const unit = (): number => random(10_001) / 10_000;

/** A graph of any kinds of nodes and edges, several of a kind between the same nodes included. */
function anyGraph(nodes: number, edges: number): CompactGraph {
  const kinds = [0, ...Array.from({ length: nodes - 1 }, () => 1 + random(NODE_KINDS.length - 1))];
  return {
    kinds,
    features: kinds.map((kind) => Array.from({ length: featureCount(kind) }, unit)),
    edges: Array.from({ length: edges }, () => [random(EDGE_KINDS.length), 1 + random(nodes - 1), random(nodes)]),
  };
}

const weights = Array.from({ length: SHAPE.size }, () => (unit() - 0.3) / 4);
for (const { is_bounded, from, rows, columns } of SHAPE.parts)
  if (is_bounded) for (let i = from; i < from + rows * columns; i += 1) weights[i] = Math.abs(weights[i]!);

test('the gradient is that of finite differences, in 64 bits', () => {
  const network = new TrainedNetwork(exactArithmetic);
  network.weights.set(weights);
  const batch = batchOf([anyGraph(7, 12), anyGraph(4, 5), anyGraph(9, 20)], true);
  const slopes = [1, -0.5, 2];
  network.backward(batch, network.forward(batch), slopes);
  const value = (): number => slopes.reduce((sum, slope, i) => sum + slope * network.forward(batch).logits[i]!, 0);
  const STEP = 1e-5;
  for (const { name, from, rows, columns } of SHAPE.parts)
    for (let tries = 0; tries < 3; tries += 1) {
      const at = from + random(rows * columns);
      const kept = network.weights[at]!;
      network.weights[at] = kept + STEP;
      const above = value();
      network.weights[at] = kept - STEP;
      const below = value();
      network.weights[at] = kept;
      const expected = (above - below) / (2 * STEP);
      const distance = Math.abs(network.gradient[at]! - expected);
      assert.ok(distance <= 1e-5 * Math.max(1, Math.abs(expected)), `${name}: ${network.gradient[at]} ${expected}`);
    }
});

test('the engine and the trainer give the same logit', () => {
  const network = new TrainedNetwork(kernelArithmetic(2_000_000));
  network.weights.set(weights);
  const engine = new Network(Float32Array.from(weights));
  const graphs = Array.from({ length: 20 }, () => anyGraph(2 + random(40), random(80)));
  const { logits } = network.forward(batchOf(graphs, true));
  for (const [i, graph] of graphs.entries()) {
    const logit = engine.logitOf(eventGraphOf(graph));
    assert.ok(Math.abs(logit - logits[i]!) <= 1e-4 * Math.max(1, Math.abs(logit)), `${logit} ${logits[i]}`);
  }
});

/** The definition in `forward.ts`, in plain loops: each product and each sum is rounded to 32 bits, in the kernel's order. */
function plainLogit({ nodes, edges }: EventGraph): number {
  const { fround } = Math;
  const at = (part: Part, row: number, column: number): number =>
    fround(weights[part.from + row * part.columns + column]!);
  const add = (row: number[], x: readonly number[], part: Part): void => {
    for (let j = 0; j < WIDTH; j += 1)
      for (const [i, value] of x.entries()) row[j] = fround(row[j]! + fround(fround(value) * at(part, i, j)));
  };
  const row = (bias: Part): number[] => Array.from({ length: WIDTH }, (_, j) => at(bias, 0, j));
  const positive = (values: number[]): number[] => values.map((value) => Math.max(0, value));
  let rows = nodes.map(({ kind, features }) => {
    const own = row(SHAPE.input[kind].bias);
    add(own, features, SHAPE.input[kind].weights);
    return positive(own);
  });
  for (const { self, by_edge, bias } of SHAPE.rounds)
    rows = rows.map((before, v) => {
      const own = row(bias);
      add(own, before, self);
      for (const kind of EDGE_KINDS) {
        const sources = edges.filter((edge) => edge.kind === kind && edge.to === v).map(({ from }) => rows[from]!);
        if (sources.length > 0)
          add(
            own,
            before.map((_, j) => Math.max(0, ...sources.map((source) => source[j]!))),
            by_edge[kind],
          );
      }
      return positive(own);
    });
  let logit = at(SHAPE.output_bias, 0, 0);
  for (const [j, value] of rows[0]!.entries()) logit += value * at(SHAPE.output, 0, j);
  for (const [i, value] of nodes[0]!.features.entries()) logit += fround(value) * at(SHAPE.direct, 0, i);
  return logit;
}

test('the engine gives the bits of the definition, with few edges and with many', () => {
  const engine = new Network(Float32Array.from(weights));
  for (const edges of [0, 1, 20, 64, 300, 700, 12]) {
    const graph = eventGraphOf(anyGraph(2 + random(40), edges));
    assert.equal(engine.logitOf(graph), plainLogit(graph), `${edges} edges`);
  }
});

test('no feature and no edge lowers the logit', () => {
  const engine = new Network(Float32Array.from(weights));
  for (let i = 0; i < 200; i += 1) {
    const graph = anyGraph(2 + random(12), random(20));
    const before = engine.logitOf(eventGraphOf(graph));
    const node = random(graph.kinds.length);
    const more = structuredClone(graph);
    const at = random(more.features[node]!.length);
    more.features[node]![at] = Math.min(1, more.features[node]![at]! + unit());
    more.edges.push([random(EDGE_KINDS.length), 1 + random(graph.kinds.length - 1), random(graph.kinds.length)]);
    assert.ok(engine.logitOf(eventGraphOf(more)) >= before - 1e-9);
  }
});
