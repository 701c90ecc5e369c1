/** Limits on the size of a condition. They are checked before any recursive walk. */
export interface Limits {
  /** Characters. Default 2,000. */
  length: number;
  /** Nesting: brackets, NOT, signs in a row, and names in one path. Default 32. */
  depth: number;
  /** Most comparisons, and likewise most joins (AND, OR), calculations and calls, each counted separately. Default 100. */
  comparisons: number;
  /**
   * Most work of one evaluation in `exists`, `all`, `in` and `contains`, roughly in list elements. Beyond it the rest is
   * unevaluable. Default 500,000, which is far above any ordinary event and takes a few milliseconds at worst.
   */
  steps: number;
}

export const DEFAULT_LIMITS: Limits = { length: 2_000, depth: 32, comparisons: 100, steps: 500_000 };
