/** Where each weight of the network stands in one flat list. Training and inference read it alike. */
import { EDGE_KINDS, type EdgeKind, NODE_KINDS, type NodeKind } from '../graph/event-graph.ts';
import { FEATURES } from '../graph/features.ts';

/** Columns of every hidden matrix: a multiple of 16, as the kernel needs it. */
export const WIDTH = 32;
/** Rounds of messages. Two reach from a message over an argument or an order to the action. */
export const ROUNDS = 2;

/** A matrix of `rows` × `columns`, row by row from `from`. */
export interface Part {
  name: string;
  from: number;
  rows: number;
  columns: number;
  /** Never below zero, so that more of a feature never lowers the result. Biases are free. */
  is_bounded: boolean;
}

export interface Shape {
  /** Of each kind of node: its features to the width, and a bias. */
  input: Readonly<Record<NodeKind, { weights: Part; bias: Part }>>;
  rounds: readonly { self: Part; by_edge: Readonly<Record<EdgeKind, Part>>; bias: Part }[];
  /** From the action's last row, and from its features directly. */
  output: Part;
  direct: Part;
  output_bias: Part;
  /** Every part, in the order of the list. */
  parts: readonly Part[];
  size: number;
}

function shapeOf(): Shape {
  const parts: Part[] = [];
  let size = 0;
  const part = (name: string, rows: number, columns: number, is_bounded: boolean): Part => {
    const made = { name, from: size, rows, columns, is_bounded };
    parts.push(made);
    size += rows * columns;
    return made;
  };
  const input = Object.fromEntries(
    NODE_KINDS.map((kind) => [
      kind,
      {
        weights: part(`input.${kind}`, FEATURES[kind].length, WIDTH, true),
        bias: part(`input.${kind}.bias`, 1, WIDTH, false),
      },
    ]),
  ) as Record<NodeKind, { weights: Part; bias: Part }>;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    self: part(`round${round}.self`, WIDTH, WIDTH, true),
    by_edge: Object.fromEntries(
      EDGE_KINDS.map((kind) => [kind, part(`round${round}.${kind}`, WIDTH, WIDTH, true)]),
    ) as Record<EdgeKind, Part>,
    bias: part(`round${round}.bias`, 1, WIDTH, false),
  }));
  const output = part('output', 1, WIDTH, true);
  const direct = part('direct', 1, FEATURES.action.length, true);
  const output_bias = part('output.bias', 1, 1, false);
  return { input, rounds, output, direct, output_bias, parts, size };
}

export const SHAPE: Shape = shapeOf();
