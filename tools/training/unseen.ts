/**
 * A source as it would look to an engine whose rules never saw it: without the findings of rules that owe most of what they
 * catch to this source.
 */
import type { Example } from './example.ts';
import { withFindings } from './variants.ts';

/** A rule belongs to a source from this part of its catch on, each source's harmful actions counting alike. */
const OWNED = 0.5;

/** For each source, the rules that belong to it. */
export function ownedRules(examples: readonly Example[]): ReadonlyMap<string, ReadonlySet<string>> {
  const caught = new Map<string, Map<string, number>>();
  const harmful = examples.filter(({ label, change }) => label === 1 && change === '');
  for (const [source, own] of Map.groupBy(harmful, ({ source }) => source))
    for (const { findings } of own)
      for (const rule of new Set(findings.map(({ rule }) => rule))) {
        const by_source = caught.get(rule) ?? new Map<string, number>();
        caught.set(rule, by_source);
        by_source.set(source, (by_source.get(source) ?? 0) + 1 / own.length);
      }
  const owned = new Map<string, Set<string>>();
  for (const [rule, by_source] of caught) {
    const total = [...by_source.values()].reduce((sum, share) => sum + share, 0);
    for (const [source, share] of by_source)
      if (share >= OWNED * total) owned.set(source, (owned.get(source) ?? new Set()).add(rule));
  }
  return owned;
}

export const unseen = (example: Example, rules: ReadonlySet<string>): Example =>
  withFindings(
    example,
    example.findings.filter(({ rule }) => !rules.has(rule)),
  );
