/**
 * Inference: relational message passing over one graph, on the kernel.
 *
 *   h⁰ᵥ = relu(xᵥ · W_kind + b_kind)
 *   hᵗ⁺¹ᵥ = relu(hᵗᵥ · W_self + Σ_edge kind (max over in-edges of that kind of hᵗᵤ) · W_edge + b)
 *   logit = h_action · w_out + x_action · w_direct + b
 *
 * All W are non-negative, relu and max rise with their arguments, so the logit rises with every feature and with every edge
 * (sums and maxima of relational graph networks: Schlichtkrull and others, 2018; monotone networks: Sill, 1997). The maximum
 * over in-edges makes the number of messages, findings or steps irrelevant.
 */
import {
  EDGE_KINDS,
  type EdgeKind,
  type EventGraph,
  type GraphEdge,
  MAX_NODES,
  NODE_KINDS,
  type NodeKind,
} from '../graph/event-graph.ts';
import { FEATURES } from '../graph/features.ts';
import { Kernel } from './kernel.ts';
import { type Part, ROUNDS, SHAPE, WIDTH } from './shape.ts';

const MOST_FEATURES = Math.max(...NODE_KINDS.map((kind) => FEATURES[kind].length));
const SCRATCH = MAX_NODES * WIDTH * 2 + MOST_FEATURES + WIDTH + 64;
const EDGE_NUMBERS = Object.fromEntries(EDGE_KINDS.map((kind, i) => [kind, i])) as Record<EdgeKind, number>;
const NO_EDGE = -1;
/** Edges for which there is room at first; more are rare. */
const EDGES = 256;

interface Input {
  weights: Float32Array;
  bias: Float32Array;
}

interface Round {
  self: Float32Array;
  /** In the order of `EDGE_KINDS`. */
  by_edge: readonly Float32Array[];
  bias: Float32Array;
}

/** A network with its weights in a kernel's memory. Holds scratch arrays, so one call at a time; calls are synchronous. */
export class Network {
  readonly #kernel: Kernel;
  readonly #inputs: Readonly<Record<NodeKind, Input>>;
  readonly #rounds: readonly Round[];
  readonly #output: Float32Array;
  readonly #direct: Float32Array;
  readonly #output_bias: Float32Array;
  readonly #features: Float32Array;
  readonly #most: Float32Array;
  readonly #now: Float32Array;
  readonly #next: Float32Array;
  /** By kind of edge and node: the last in-edge; and by edge: the one before it of the same kind and node. */
  readonly #last_edge = new Int32Array(EDGE_KINDS.length * MAX_NODES);
  #edge_before = new Int32Array(EDGES);
  /** Nodes whose row the next round reads. */
  readonly #is_read = new Uint8Array(MAX_NODES);

  constructor(weights: Float32Array) {
    this.#kernel = new Kernel(SHAPE.size + SHAPE.parts.length * 4 + SCRATCH);
    const taken = new Map<Part, Float32Array>();
    for (const part of SHAPE.parts) {
      const array = this.#kernel.take(part.rows * part.columns);
      array.set(weights.subarray(part.from, part.from + part.rows * part.columns));
      taken.set(part, array);
    }
    const of = (part: Part): Float32Array => taken.get(part)!;
    this.#inputs = Object.fromEntries(
      NODE_KINDS.map((kind) => [kind, { weights: of(SHAPE.input[kind].weights), bias: of(SHAPE.input[kind].bias) }]),
    ) as Record<NodeKind, Input>;
    this.#rounds = SHAPE.rounds.map(({ self, by_edge, bias }) => ({
      self: of(self),
      by_edge: EDGE_KINDS.map((kind) => of(by_edge[kind])),
      bias: of(bias),
    }));
    this.#output = of(SHAPE.output);
    this.#direct = of(SHAPE.direct);
    this.#output_bias = of(SHAPE.output_bias);
    this.#features = this.#kernel.take(MOST_FEATURES);
    this.#most = this.#kernel.take(WIDTH);
    this.#now = this.#kernel.take(MAX_NODES * WIDTH);
    this.#next = this.#kernel.take(MAX_NODES * WIDTH);
  }

  /** The logit of harm. Nodes and edges beyond the first `MAX_NODES` nodes are not read. */
  logitOf({ nodes, edges }: EventGraph): number {
    const count = Math.min(nodes.length, MAX_NODES);
    let now = this.#now;
    let next = this.#next;
    for (let v = 0; v < count; v += 1) this.#enter(nodes[v]!.kind, nodes[v]!.features, now, v * WIDTH);
    this.#deliver(edges);
    for (let round = 0; round < ROUNDS; round += 1) {
      this.#markRead(edges, ROUNDS - 1 - round, count);
      const start = this.#rounds[round]!;
      for (let v = 0; v < count; v += 1) if (this.#is_read[v] === 1) this.#step(start, v, edges, now, next);
      [now, next] = [next, now];
    }
    return this.#out(nodes[0]!.features, now);
  }

  #enter(kind: NodeKind, features: readonly number[], to: Float32Array, at: number): void {
    const { weights, bias } = this.#inputs[kind];
    const own = this.#features;
    for (let i = 0; i < features.length; i += 1) own[i] = features[i]!;
    for (let i = 0; i < WIDTH; i += 1) to[at + i] = bias[i]!;
    this.#kernel.multiplyAddRow(own, 0, weights, to, at, features.length, WIDTH);
    relu(to, at);
  }

  /** Sorts the edges by kind and goal. */
  #deliver(edges: readonly GraphEdge[]): void {
    if (edges.length > this.#edge_before.length) this.#edge_before = new Int32Array(2 * edges.length);
    const last = this.#last_edge.fill(NO_EDGE);
    for (let e = 0; e < edges.length; e += 1) {
      const { kind, from, to } = edges[e]!;
      if (from >= MAX_NODES || to >= MAX_NODES) continue;
      const key = EDGE_NUMBERS[kind] * MAX_NODES + to;
      this.#edge_before[e] = last[key]!;
      last[key] = e;
    }
  }

  /** Marks the nodes whose rows matter to the action so many rounds later. */
  #markRead(edges: readonly GraphEdge[], rounds_left: number, count: number): void {
    const is_read = this.#is_read;
    if (rounds_left > 1) {
      is_read.fill(1, 0, count);
      return;
    }
    is_read.fill(0, 0, count);
    is_read[0] = 1;
    if (rounds_left === 1) for (const { from, to } of edges) if (to === 0 && from < count) is_read[from] = 1;
  }

  /** One round for one node. */
  #step({ self, by_edge, bias }: Round, v: number, edges: readonly GraphEdge[], from: Float32Array, to: Float32Array) {
    const at = v * WIDTH;
    for (let i = 0; i < WIDTH; i += 1) to[at + i] = bias[i]!;
    this.#kernel.multiplyAddRow(from, at, self, to, at, WIDTH, WIDTH);
    for (let kind = 0; kind < by_edge.length; kind += 1) {
      const last = this.#last_edge[kind * MAX_NODES + v]!;
      if (last === NO_EDGE) continue;
      this.#gather(edges, last, from);
      this.#kernel.multiplyAddRow(this.#most, 0, by_edge[kind]!, to, at, WIDTH, WIDTH);
    }
    relu(to, at);
  }

  /** The largest of each column over the in-edges of one kind that a node has, back from the last one. */
  #gather(edges: readonly GraphEdge[], last: number, rows: Float32Array): void {
    const most = this.#most.fill(0);
    for (let e = last; e !== NO_EDGE; e = this.#edge_before[e]!) {
      const at = edges[e]!.from * WIDTH;
      for (let i = 0; i < WIDTH; i += 1) {
        const value = rows[at + i]!;
        if (value > most[i]!) most[i] = value;
      }
    }
  }

  #out(features: readonly number[], last: Float32Array): number {
    const output = this.#output;
    const direct = this.#direct;
    let logit = this.#output_bias[0]!;
    for (let i = 0; i < WIDTH; i += 1) logit += last[i]! * output[i]!;
    // The features as the kernel reads them: rounded to 32 bits.
    for (let i = 0; i < features.length; i += 1) logit += Math.fround(features[i]!) * direct[i]!;
    return logit;
  }
}

function relu(array: Float32Array, from: number): void {
  for (let i = from; i < from + WIDTH; i += 1) if (array[i]! < 0) array[i] = 0;
}
