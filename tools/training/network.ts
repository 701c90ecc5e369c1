/**
 * The network of `src/scoring/network/forward.ts` for many graphs at once, with its backward pass. Weights are one flat list in the
 * order of `shape.ts`.
 */
import { EDGE_KINDS, NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { type Part, ROUNDS, SHAPE, WIDTH } from '../../src/scoring/network/shape.ts';
import type { Arithmetic, Numbers } from './arithmetic.ts';
import { type Batch, featureCount, type Inbox } from './batch.ts';

/** What the backward pass needs of the forward pass. */
interface Gathered {
  inbox: Inbox;
  part: Part;
  /** Rows of largest values, and for each the node that it came from. */
  rows: Numbers;
  chosen: Int32Array;
}

interface Round {
  /** Rows that the round reads for `self`. */
  own: Numbers;
  gathered: Gathered[];
  after: Numbers;
  rows: number;
}

export interface Pass {
  logits: Numbers;
  inputs: Numbers[];
  first: Numbers;
  rounds: Round[];
}

export class TrainedNetwork {
  readonly weights: Numbers;
  readonly gradient: Numbers;
  readonly #math: Arithmetic;
  readonly #transposed: Numbers;

  constructor(math: Arithmetic) {
    this.#math = math;
    this.weights = math.zeros(SHAPE.size);
    this.gradient = math.zeros(SHAPE.size);
    this.#transposed = math.zeros(WIDTH * WIDTH);
    math.keep();
  }

  #of(part: Part): Numbers {
    return this.weights.subarray(part.from, part.from + part.rows * part.columns);
  }
  #slopeOf(part: Part): Numbers {
    return this.gradient.subarray(part.from, part.from + part.rows * part.columns);
  }

  forward(batch: Batch): Pass {
    const math = this.#math;
    math.reset();
    const first = math.zeros(batch.nodes * WIDTH);
    const inputs = batch.by_kind.map(({ nodes, features }, kind) => {
      const { weights, bias } = SHAPE.input[NODE_KINDS[kind]!];
      const x = math.zeros(features.length);
      x.set(features);
      const y = this.#startingWith(bias, nodes.length);
      math.multiplyAdd(x, this.#of(weights), y, nodes.length, featureCount(kind), WIDTH);
      scatter(y, nodes, first);
      return x;
    });
    relu(first);
    const rounds: Round[] = [];
    let now = first;
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(this.#round(round, batch, now));
      now = rounds[round]!.after;
    }
    return { logits: this.#out(batch, inputs[0]!, now), inputs, first, rounds };
  }

  #startingWith(bias: Part, rows: number): Numbers {
    const y = this.#math.zeros(rows * WIDTH);
    const start = this.#of(bias);
    for (let row = 0; row < rows; row += 1) y.set(start, row * WIDTH);
    return y;
  }

  #round(round: number, batch: Batch, now: Numbers): Round {
    const math = this.#math;
    const { self, by_edge, bias } = SHAPE.rounds[round]!;
    const is_last = round === ROUNDS - 1;
    const rows = is_last ? batch.actions.length : batch.nodes;
    const own = is_last ? this.#rowsOf(now, batch.actions) : now;
    const after = this.#startingWith(bias, rows);
    math.multiplyAdd(own, this.#of(self), after, rows, WIDTH, WIDTH);
    const gathered: Gathered[] = [];
    for (const [i, kind] of EDGE_KINDS.entries()) {
      const inbox = (is_last ? batch.action_inboxes : batch.inboxes)[i]!;
      if (inbox.to.length === 0) continue;
      const one = this.#gather(inbox, by_edge[kind], now);
      const sent = math.zeros(inbox.to.length * WIDTH);
      math.multiplyAdd(one.rows, this.#of(one.part), sent, inbox.to.length, WIDTH, WIDTH);
      addRows(sent, inbox.to, after);
      gathered.push(one);
    }
    relu(after);
    return { own, gathered, after, rows };
  }

  #rowsOf(of: Numbers, nodes: readonly number[]): Numbers {
    const rows = this.#math.zeros(nodes.length * WIDTH);
    for (const [i, node] of nodes.entries()) rows.set(of.subarray(node * WIDTH, (node + 1) * WIDTH), i * WIDTH);
    return rows;
  }

  #gather(inbox: Inbox, part: Part, now: Numbers): Gathered {
    const rows = this.#math.zeros(inbox.to.length * WIDTH);
    const chosen = new Int32Array(inbox.to.length * WIDTH).fill(-1);
    for (let row = 0; row < inbox.to.length; row += 1)
      for (let e = inbox.starts[row]!; e < inbox.starts[row + 1]!; e += 1) {
        const at = inbox.from[e]! * WIDTH;
        for (let i = 0; i < WIDTH; i += 1)
          if (now[at + i]! > rows[row * WIDTH + i]!) {
            rows[row * WIDTH + i] = now[at + i]!;
            chosen[row * WIDTH + i] = inbox.from[e]!;
          }
      }
    return { inbox, part, rows, chosen };
  }

  #out(batch: Batch, features: Numbers, last: Numbers): Numbers {
    const output = this.#of(SHAPE.output);
    const direct = this.#of(SHAPE.direct);
    const width = direct.length;
    const logits = new Float64Array(batch.actions.length);
    for (let row = 0; row < logits.length; row += 1) {
      let logit = this.#of(SHAPE.output_bias)[0]!;
      for (let i = 0; i < WIDTH; i += 1) logit += last[row * WIDTH + i]! * output[i]!;
      for (let i = 0; i < width; i += 1) logit += features[row * width + i]! * direct[i]!;
      logits[row] = logit;
    }
    return logits;
  }

  /** Adds to `gradient` the slope of Σ slopes · logits. */
  backward(batch: Batch, pass: Pass, slopes: readonly number[]): void {
    const { rounds, inputs, first } = pass;
    let slope = this.#backOut(inputs[0]!, rounds[ROUNDS - 1]!.after, slopes);
    for (let round = ROUNDS - 1; round >= 0; round -= 1) slope = this.#backRound(round, batch, rounds[round]!, slope);
    unRelu(slope, first);
    for (const [kind, { nodes }] of batch.by_kind.entries()) {
      if (nodes.length === 0) continue;
      const { weights, bias } = SHAPE.input[NODE_KINDS[kind]!];
      const own = this.#rowsOf(slope, nodes);
      addColumns(own, nodes.length, this.#slopeOf(bias));
      this.#addProduct(inputs[kind]!, own, this.#slopeOf(weights), nodes.length, featureCount(kind));
    }
  }

  #backOut(features: Numbers, last: Numbers, slopes: readonly number[]): Numbers {
    const output = this.#of(SHAPE.output);
    const output_slope = this.#slopeOf(SHAPE.output);
    const direct_slope = this.#slopeOf(SHAPE.direct);
    const width = direct_slope.length;
    const slope = this.#math.zeros(slopes.length * WIDTH);
    for (const [row, own] of slopes.entries()) {
      this.#slopeOf(SHAPE.output_bias)[0]! += own;
      for (let i = 0; i < WIDTH; i += 1) {
        output_slope[i]! += own * last[row * WIDTH + i]!;
        slope[row * WIDTH + i] = own * output[i]!;
      }
      for (let i = 0; i < width; i += 1) direct_slope[i]! += own * features[row * width + i]!;
    }
    return slope;
  }

  /** From the slope of what a round gives to the slope of what it reads. */
  #backRound(round: number, batch: Batch, { own, gathered, after, rows }: Round, slope: Numbers): Numbers {
    const math = this.#math;
    const { self, bias } = SHAPE.rounds[round]!;
    const is_last = round === ROUNDS - 1;
    unRelu(slope, after);
    addColumns(slope, rows, this.#slopeOf(bias));
    this.#addProduct(own, slope, this.#slopeOf(self), rows, WIDTH);
    const own_slope = math.zeros(rows * WIDTH);
    math.multiplyAdd(slope, this.#transpose(self), own_slope, rows, WIDTH, WIDTH);
    const before = is_last ? math.zeros(batch.nodes * WIDTH) : own_slope;
    if (is_last) addRows(own_slope, batch.actions, before);
    for (const { inbox, part, rows: largest, chosen } of gathered) {
      const n = inbox.to.length;
      const sent = this.#rowsOf(slope, inbox.to);
      this.#addProduct(largest, sent, this.#slopeOf(part), n, WIDTH);
      const back = math.zeros(n * WIDTH);
      math.multiplyAdd(sent, this.#transpose(part), back, n, WIDTH, WIDTH);
      for (let i = 0; i < n * WIDTH; i += 1) if (chosen[i]! >= 0) before[chosen[i]! * WIDTH + (i % WIDTH)]! += back[i]!;
    }
    return before;
  }

  #transpose(part: Part): Numbers {
    const w = this.#of(part);
    for (let i = 0; i < WIDTH; i += 1)
      for (let j = 0; j < WIDTH; j += 1) this.#transposed[j * WIDTH + i] = w[i * WIDTH + j]!;
    return this.#transposed;
  }

  /** `to += xᵀ · slope`, for x of n × k. */
  #addProduct(x: Numbers, slope: Numbers, to: Numbers, n: number, k: number): void {
    const turned = this.#math.zeros(n * k);
    for (let row = 0; row < n; row += 1) for (let i = 0; i < k; i += 1) turned[i * n + row] = x[row * k + i]!;
    this.#math.multiplyAdd(turned, slope, to, k, n, WIDTH);
  }
}

function relu(values: Numbers): void {
  for (let i = 0; i < values.length; i += 1) if (values[i]! < 0) values[i] = 0;
}
/** No slope where the value was cut to zero. */
function unRelu(slope: Numbers, after: Numbers): void {
  for (let i = 0; i < slope.length; i += 1) if (after[i] === 0) slope[i] = 0;
}
function scatter(rows: Numbers, nodes: readonly number[], to: Numbers): void {
  for (const [i, node] of nodes.entries()) to.set(rows.subarray(i * WIDTH, (i + 1) * WIDTH), node * WIDTH);
}
function addRows(rows: Numbers, nodes: readonly number[], to: Numbers): void {
  for (const [row, node] of nodes.entries())
    for (let i = 0; i < WIDTH; i += 1) to[node * WIDTH + i]! += rows[row * WIDTH + i]!;
}
function addColumns(rows: Numbers, n: number, to: Numbers): void {
  for (let row = 0; row < n; row += 1) for (let i = 0; i < WIDTH; i += 1) to[i]! += rows[row * WIDTH + i]!;
}
