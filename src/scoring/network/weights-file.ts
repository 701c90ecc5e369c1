/** The file of weights: what it holds, and how it is checked against the features and the shape of this version. */
import { EDGE_KINDS, NODE_KINDS } from '../graph/event-graph.ts';
import { FEATURES } from '../graph/features.ts';
import { bytesOf } from './kernel.ts';
import type { Calibration } from './severity.ts';
import { ROUNDS, SHAPE, WIDTH } from './shape.ts';

export interface WeightsFile {
  format: 1;
  /** When and on what it was trained, for people; the model card says more. */
  trained_on: string;
  width: number;
  rounds: number;
  edge_kinds: readonly string[];
  /** Names of the features of each kind of node, in the order of the weights. */
  features: Readonly<Record<string, readonly string[]>>;
  calibration: Calibration;
  /** 32-bit floats, little-endian, in base64, in the order of `shape.ts`. */
  weights: string;
  /** SHA-256, in hex, of the JSON text of all other fields in this order. */
  checksum: string;
}

/** The parts that say what the weights belong to, as they are in this version. */
export function layoutNow(): Pick<WeightsFile, 'width' | 'rounds' | 'edge_kinds' | 'features'> {
  const features = Object.fromEntries(NODE_KINDS.map((kind) => [kind, FEATURES[kind].map(({ name }) => name)]));
  return { width: WIDTH, rounds: ROUNDS, edge_kinds: EDGE_KINDS, features };
}

/** The text that the checksum is of. */
export function checkedText(file: Omit<WeightsFile, 'checksum'>): string {
  const { format, trained_on, width, rounds, edge_kinds, features, calibration, weights } = file;
  return JSON.stringify({ format, trained_on, width, rounds, edge_kinds, features, calibration, weights });
}

/** What is wrong with a file apart from its checksum; empty: nothing. */
export function layoutProblem(file: WeightsFile): string {
  const { format, width, rounds, edge_kinds, features, calibration, weights } = file;
  if (format !== 1) return `its format is ${JSON.stringify(format)}, and this version reads format 1`;
  if (JSON.stringify({ width, rounds, edge_kinds, features }) !== JSON.stringify(layoutNow()))
    return 'it was trained for other features or another shape of network than this version has';
  if (!(calibration?.points > 0) || !Number.isFinite(calibration.shift)) return 'its calibration is not usable';
  if (typeof weights !== 'string' || bytesOf(weights).length !== SHAPE.size * 4)
    return `it does not hold the ${SHAPE.size} weights that this version needs`;
  const values = weightsOf(weights);
  if (!values.every(Number.isFinite)) return 'a weight is not a number';
  const negative = SHAPE.parts.find(
    ({ is_bounded, from, rows, columns }) =>
      is_bounded && values.subarray(from, from + rows * columns).some((w) => w < 0),
  );
  return negative === undefined
    ? ''
    : `\`${negative.name}\` has a negative weight, which would let a finding lower a score`;
}

/** The weights of a file whose layout was checked. */
export function weightsOf(base64: string): Float32Array {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const weights = new Float32Array(bytes.length >> 2);
  for (let i = 0; i < weights.length; i += 1) weights[i] = view.getFloat32(4 * i, true);
  return weights;
}
