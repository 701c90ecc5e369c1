/** How large a condition may be. Each limit is checked before anything walks the condition recursively. */
export interface Limits {
  /** Characters. Default 2,000. */
  length: number;
  /** Nesting: brackets, NOT, signs in a row, and names in one path. Default 32. */
  depth: number;
  /** Comparisons, and likewise joins (AND, OR), calculations and calls, each on their own. Default 100. */
  comparisons: number;
  /**
   * Work one evaluation may do in `exists`, `all`, `in` and `contains`, roughly in list elements looked at. Beyond it
   * what is left counts as not evaluable. Default 500,000: far above any ordinary event, some milliseconds at worst.
   */
  steps: number;
}

export const DEFAULT_LIMITS: Limits = { length: 2_000, depth: 32, comparisons: 100, steps: 500_000 };
