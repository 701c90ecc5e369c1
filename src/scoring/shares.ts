/** Facts and values as numbers between 0 and 1, for sums with weights. */

export const yes = (value: boolean): number => (value ? 1 : 0);

/** How far a value has come on the way between two bounds, from 0 to 1. */
export const rise = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));
