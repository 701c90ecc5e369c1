/** Layer 3: what the rules found. */
import type { Finding } from '../types.ts';

/**
 * The built-in findings that count: of one family resting on the same evidence (the same value, the same sentence)
 * only the one with the highest contribution, so that one fact told three ways is not three facts. First wins a tie;
 * findings come in canonical order.
 */
export function countedFindings(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2 && !findings.some(({ is_custom }) => is_custom)) return findings;
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    if (finding.is_custom) continue;
    const key = `${finding.family}\n${finding.evidence}`;
    const other = best.get(key);
    if (other === undefined || finding.contribution > other.contribution) best.set(key, finding);
  }
  return [...best.values()];
}

/**
 * 0-100: `100 · (1 − Π (1 − contribution / 100))`, a noisy-or. Two medium findings make a high one, ten weak ones do not
 * make a hundred.
 */
export function noisyOr(findings: readonly Finding[]): number {
  if (findings.length === 0) return 0;
  let remaining = 1;
  // Multiplied in a fixed order, so that the last bit does not depend on the order of rules.
  for (const contribution of findings.map((f) => f.contribution).sort((a, b) => a - b))
    remaining *= 1 - contribution / 100;
  return 100 * (1 - remaining);
}
