/**
 * The two kinds of arithmetic that the trainer runs on: the engine's kernel in 32 bits, and plain loops in 64 bits, in which
 * finite differences can check the gradients.
 */
import { Kernel } from '../../src/scoring/network/kernel.ts';

export type Numbers = Float32Array | Float64Array;

export interface Arithmetic {
  /** Zeros. They live until the next `reset`, unless taken before the first `keep`. */
  zeros: (length: number) => Numbers;
  /** What was taken so far stays. */
  keep: () => void;
  /** Frees what was taken since `keep`. */
  reset: () => void;
  /** `y += x · w`; x is n × k, w is k × m, y is n × m. */
  multiplyAdd: (x: Numbers, w: Numbers, y: Numbers, n: number, k: number, m: number) => void;
}

/** `floats`: the most that is ever taken at once. */
export function kernelArithmetic(floats: number): Arithmetic {
  const kernel = new Kernel(floats);
  let mark = 0;
  return {
    zeros: (length) => kernel.take(length).fill(0),
    keep: () => {
      mark = kernel.mark;
    },
    reset: () => kernel.release(mark),
    multiplyAdd: (x, w, y, n, k, m) =>
      kernel.multiplyAdd(x as Float32Array, w as Float32Array, y as Float32Array, n, k, m),
  };
}

export const exactArithmetic: Arithmetic = {
  zeros: (length) => new Float64Array(length),
  keep: () => {},
  reset: () => {},
  multiplyAdd: (x, w, y, n, k, m) => {
    for (let row = 0; row < n; row += 1)
      for (let i = 0; i < k; i += 1) {
        const factor = x[row * k + i]!;
        for (let j = 0; j < m; j += 1) y[row * m + j]! += factor * w[i * m + j]!;
      }
  },
};
