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

/** A network with its weights in a kernel's memory. Holds scratch arrays, so one call at a time; calls are synchronous. */
export class Network {
  readonly #kernel: Kernel;
  readonly #arrays = new Map<Part, Float32Array>();
  readonly #features: Float32Array;
  readonly #most: Float32Array;
  readonly #now: Float32Array;
  readonly #next: Float32Array;

  constructor(weights: Float32Array) {
    this.#kernel = new Kernel(SHAPE.size + SHAPE.parts.length * 4 + SCRATCH);
    for (const part of SHAPE.parts) {
      const array = this.#kernel.take(part.rows * part.columns);
      array.set(weights.subarray(part.from, part.from + part.rows * part.columns));
      this.#arrays.set(part, array);
    }
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
    for (let round = 0; round < ROUNDS; round += 1) {
      // Of the last round only the action's row is read.
      this.#step(round, round === ROUNDS - 1 ? 1 : count, edges, now, next);
      [now, next] = [next, now];
    }
    return this.#out(nodes[0]!.features, now);
  }

  #of(part: Part): Float32Array {
    return this.#arrays.get(part)!;
  }

  #enter(kind: NodeKind, features: readonly number[], to: Float32Array, at: number): void {
    const { weights, bias } = SHAPE.input[kind];
    to.set(this.#of(bias), at);
    this.#features.set(features);
    this.#kernel.multiplyAddRow(this.#features, 0, this.#of(weights), to, at, features.length, WIDTH);
    relu(to, at, at + WIDTH);
  }

  #step(round: number, rows: number, edges: readonly GraphEdge[], from: Float32Array, to: Float32Array): void {
    const { self, by_edge, bias } = SHAPE.rounds[round]!;
    const start = this.#of(bias);
    for (let v = 0; v < rows; v += 1) to.set(start, v * WIDTH);
    this.#kernel.multiplyAdd(from, this.#of(self), to, rows, WIDTH, WIDTH);
    for (const kind of EDGE_KINDS)
      for (let e = 0; e < edges.length; e += 1) {
        const edge = edges[e]!;
        if (edge.kind !== kind || edge.to >= rows || !isFirst(edges, e)) continue;
        this.#gather(edges, e, from);
        this.#kernel.multiplyAddRow(this.#most, 0, this.#of(by_edge[kind]), to, edge.to * WIDTH, WIDTH, WIDTH);
      }
    relu(to, 0, rows * WIDTH);
  }

  /** The largest of each column over the in-edges of one kind that a node has. */
  #gather(edges: readonly GraphEdge[], first: number, from: Float32Array): void {
    const { kind, to } = edges[first]!;
    const most = this.#most;
    most.fill(0);
    for (let e = first; e < edges.length; e += 1) {
      const edge = edges[e]!;
      if (edge.kind !== kind || edge.to !== to || edge.from >= MAX_NODES) continue;
      const at = edge.from * WIDTH;
      for (let i = 0; i < WIDTH; i += 1) if (from[at + i]! > most[i]!) most[i] = from[at + i]!;
    }
  }

  #out(features: readonly number[], last: Float32Array): number {
    const output = this.#of(SHAPE.output);
    const direct = this.#of(SHAPE.direct);
    let logit = this.#of(SHAPE.output_bias)[0]!;
    for (let i = 0; i < WIDTH; i += 1) logit += last[i]! * output[i]!;
    // The features as the kernel reads them: rounded to 32 bits.
    for (let i = 0; i < features.length; i += 1) logit += Math.fround(features[i]!) * direct[i]!;
    return logit;
  }
}

/** No earlier edge has the same kind and goal. */
function isFirst(edges: readonly GraphEdge[], at: number): boolean {
  const { kind, to } = edges[at]!;
  for (let e = 0; e < at; e += 1) if (edges[e]!.kind === kind && edges[e]!.to === to) return false;
  return true;
}

function relu(array: Float32Array, from: number, to: number): void {
  for (let i = from; i < to; i += 1) if (array[i]! < 0) array[i] = 0;
}
