/**
 * Compares the subset check with brute force that shares no code with it: tries every request over the literals that
 * occur and one fresh name. 100,000 random pairs; `RBAC_ORACLE_PAIRS=5000000` for more, `RBAC_ORACLE_SEED` to repeat a
 * run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAction } from '../../lang/patterns.ts';
import { seededNumbers } from '../../lang/seeded.ts';
import { refusalOf } from './evaluate.ts';
import { compileRbac, type Rbac } from './rbac.ts';
import { findEscalation } from './subset.ts';

const PAIRS = Number(process.env['RBAC_ORACLE_PAIRS'] ?? 100_000);
const SEED = Number(process.env['RBAC_ORACLE_SEED'] ?? Date.now() % 1_000_000_007);

function dice(seed: number): (sides: number) => number {
  const next = seededNumbers(seed);
  return (sides) => Math.floor(next() * sides);
}

const NAMES = ['a', 'b'];
const FRESH = '?';
const UNIVERSE = [...NAMES, FRESH];

const ACTIONS = UNIVERSE.flatMap((d) => UNIVERSE.flatMap((s) => UNIVERSE.map((v) => [d, s, v])));
const RESOURCES = UNIVERSE.flatMap((type) => UNIVERSE.map((id) => [type, id]));

function globs(pattern: string, point: string[]): boolean {
  const parts = pattern.split(':');
  for (let at = 0; at < parts.length; at += 1) if (parts[at] !== '*' && parts[at] !== point[at]) return false;
  return true;
}

function left(points: string[][], allowed: string[], denied: string[]): Set<string> {
  const kept = points.filter(
    (point) => allowed.some((one) => globs(one, point)) && !denied.some((one) => globs(one, point)),
  );
  return new Set(kept.map((point) => point.join(':')));
}

interface Permitted {
  actions: Set<string>;
  resources: Set<string>;
  level: number;
}

function permitted(rbac: Rbac): Permitted {
  return {
    actions: left(ACTIONS, rbac.allowed_actions, rbac.denied_actions),
    resources: left(RESOURCES, rbac.allowed_resources, rbac.denied_resources),
    level: rbac.max_sensitivity_level,
  };
}

function isSubset(child: Permitted, parent: Permitted): boolean {
  for (const action of child.actions) {
    for (const resource of child.resources) {
      for (let level = 0; level <= child.level; level += 1) {
        if (!parent.actions.has(action) || !parent.resources.has(resource) || level > parent.level) return false;
      }
    }
  }
  return true;
}

function permits(rbac: Rbac, action: string, resource: string, level: number): boolean {
  const some = (list: string[], text: string): boolean => list.some((one) => globs(one, text.split(':')));
  return (
    some(rbac.allowed_actions, action) &&
    !some(rbac.denied_actions, action) &&
    some(rbac.allowed_resources, resource) &&
    !some(rbac.denied_resources, resource) &&
    level <= rbac.max_sensitivity_level
  );
}

/** Half of the children start from their parent, because two unrelated ones rarely overlap. */
function randomPair(roll: (sides: number) => number): { parent: Rbac; child: Rbac } {
  const segment = (): string => (roll(5) < 2 ? '*' : NAMES[roll(NAMES.length)]!);
  const pattern = (length: number): string => Array.from({ length }, segment).join(':');
  const list = (longest: number, length: number): string[] =>
    Array.from({ length: roll(longest + 1) }, () => pattern(length));
  const rbac = (): Rbac => ({
    allowed_actions: list(3, 3),
    denied_actions: list(3, 3),
    allowed_resources: list(2, 2),
    denied_resources: list(2, 2),
    max_sensitivity_level: roll(3),
  });
  const parent = rbac();
  const other = rbac();
  const near = (key: keyof Rbac): boolean => roll(2) === 0 && key !== 'max_sensitivity_level';
  const child = Object.fromEntries(
    (Object.keys(other) as (keyof Rbac)[]).map((key) => [
      key,
      near(key) ? [...(parent[key] as string[]), ...(roll(2) === 0 ? (other[key] as string[]) : [])] : other[key],
    ]),
  ) as unknown as Rbac;
  return { parent, child };
}

test(`the subset check agrees with brute force on ${PAIRS} pairs (seed ${SEED})`, () => {
  const roll = dice(SEED);
  const counts = { subset: 0, not: 0 };
  for (let n = 0; n < PAIRS; n += 1) {
    const { parent, child } = randomPair(roll);
    const expected = isSubset(permitted(child), permitted(parent));
    const witness = findEscalation(compileRbac(parent), compileRbac(child));
    const shown = () => JSON.stringify({ n, parent, child, witness });
    assert.equal(witness === null, expected, shown());
    counts[expected ? 'subset' : 'not'] += 1;
    if (witness === null) continue;
    const resource = `${witness.resource_type}:${witness.resource_id}`;
    assert.ok(permits(child, witness.action, resource, witness.sensitivity_level), shown());
    assert.ok(!permits(parent, witness.action, resource, witness.sensitivity_level), shown());
  }
  assert.ok(counts.subset > PAIRS / 20 && counts.not > PAIRS / 20, JSON.stringify(counts));
});

test('the brute force detects a check that looks at allow lists only', () => {
  const roll = dice(1);
  let wrong = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const { parent, child } = randomPair(roll);
    const naive = child.allowed_actions.every((one) => parent.allowed_actions.some((p) => globs(p, one.split(':'))));
    if (naive !== isSubset(permitted(child), permitted(parent))) wrong += 1;
  }
  assert.ok(wrong > 100, String(wrong));
});

test('a subset holds for requests that leave out a part of the target, too', () => {
  const roll = dice(SEED);
  const targets = ['a', undefined].flatMap((type) => ['b', undefined].map((id) => ({ type, id })));
  let checked = 0;
  for (let n = 0; n < PAIRS / 10; n += 1) {
    const { parent, child } = randomPair(roll);
    const [outer, inner] = [compileRbac(parent), compileRbac(child)];
    if (findEscalation(outer, inner) !== null) continue;
    for (const { type, id } of targets) {
      for (const action of permitted(child).actions) {
        const parsed = parseAction(action.replaceAll(FRESH, 'fresh'))!;
        const request = { action: parsed, resource_type: type, resource_id: id, sensitivity_level: 0 };
        if (refusalOf(inner, request) !== null) continue;
        checked += 1;
        assert.equal(refusalOf(outer, request), null, JSON.stringify({ parent, child, request }));
      }
    }
  }
  assert.ok(checked > PAIRS / 100, String(checked));
});
