/** How often each rule fired on harmful and on benign records: what a rule is worth, and where it cries wolf. */
import type { Label } from './metrics.ts';

export interface Counts {
  harmful: number;
  benign: number;
}

export interface RuleRow extends Counts {
  rule: string;
  /** Share of harmful records among those it fired on, `null` when it never fired. */
  precision: number | null;
  /** Sources where it fired. */
  by_source: Record<string, Counts>;
}

/** Counts records, not bindings: a rule that fires for three arguments of one event fired once. */
export class RuleCounts {
  readonly #rows = new Map<string, { total: Counts; by_source: Map<string, Counts> }>();

  /** `rules`: every rule there is, so that those which never fire show as well. */
  constructor(rules: readonly string[]) {
    for (const rule of rules) this.#rows.set(rule, { total: { harmful: 0, benign: 0 }, by_source: new Map() });
  }

  add(record: { source: string; label: Label }, fired: Iterable<string>): void {
    const field = record.label === 1 ? 'harmful' : 'benign';
    for (const rule of new Set(fired)) {
      const row = this.#rows.get(rule) ?? { total: { harmful: 0, benign: 0 }, by_source: new Map<string, Counts>() };
      const source = row.by_source.get(record.source) ?? { harmful: 0, benign: 0 };
      row.total[field] += 1;
      source[field] += 1;
      this.#rows.set(rule, { ...row, by_source: row.by_source.set(record.source, source) });
    }
  }

  /** Most often fired first, then by name. */
  rows(): RuleRow[] {
    const rows = [...this.#rows].map(([rule, { total, by_source }]): RuleRow => {
      const fired = total.harmful + total.benign;
      return {
        rule,
        ...total,
        precision: fired === 0 ? null : total.harmful / fired,
        by_source: Object.fromEntries([...by_source].sort(([a], [b]) => (a < b ? -1 : 1))),
      };
    });
    const fired = (row: RuleRow): number => row.harmful + row.benign;
    return rows.sort((a, b) => fired(b) - fired(a) || (a.rule < b.rule ? -1 : 1));
  }
}
