/** Layer 1: the action by itself. What the verb does, to what, with which data, how much of it, through whom. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Facts } from '../facts/fact-table.ts';

/** Reading these classes is never as light as reading a page (fact base, `intrinsic_formula`). */
const READ_FLOOR: ReadonlyMap<string, number> = new Map([
  ['secret', 45],
  ['PHI', 25],
  ['financial', 25],
]);
const lookingGroups = perOntology((ontology) => setOf(ontology, 'looking_groups'));

/** Points for the number of objects: one step per power of ten from a hundred on. */
const VOLUME_STEPS: readonly [at_least: number, points: number][] = [
  [1_000_000, 15],
  [100_000, 12],
  [10_000, 9],
  [1_000, 6],
  [100, 3],
];
const UNBOUNDED_POINTS = 9;
const UNVERIFIED_SERVER_POINTS = 5;

function baseOf(facts: Facts): number {
  let base = facts.int('base_risk');
  if (lookingGroups(facts.readings.ontology).has(facts.string('effect'))) {
    for (const data_class of facts.strings('data_classes')) base = Math.max(base, READ_FLOOR.get(data_class) ?? 0);
  }
  return base;
}

function volumeOf(facts: Facts): number {
  const batch_size = facts.int('batch_size');
  const counted = VOLUME_STEPS.find(([at_least]) => batch_size >= at_least)?.[1] ?? 0;
  return facts.bool('is_unbounded') ? Math.max(counted, UNBOUNDED_POINTS) : counted;
}

/**
 * 0-100. `base · (0.70 + 0.15 · sensitivity) + 4 · max(0, reversibility − 2) + 3 · max(0, blast − 2)` (fact base,
 * `intrinsic_formula`), with the severity of the data counted like the target's, plus volume and server trust. Rises
 * with each of its parts.
 */
export function intrinsicScore(facts: Facts): number {
  const sensitivity = Math.max(facts.int('sensitivity'), facts.int('data_severity'));
  const points =
    baseOf(facts) * (0.7 + 0.15 * sensitivity) +
    4 * Math.max(0, facts.int('reversibility') - 2) +
    3 * Math.max(0, facts.int('blast_radius') - 2) +
    volumeOf(facts) +
    (facts.bool('server_is_unverified') ? UNVERIFIED_SERVER_POINTS : 0);
  return Math.min(100, Math.max(0, points));
}
