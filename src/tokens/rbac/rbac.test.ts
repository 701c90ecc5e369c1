import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sharedFile } from '../../../test/support/shared.ts';
import { parseAction } from '../../lang/patterns.ts';
import { refusalOf } from './evaluate.ts';
import { compileRbac, lowerCaseActions, parseRbac, type Rbac } from './rbac.ts';
import { findEscalation, type Witness } from './subset.ts';

const ALL: Rbac = {
  allowed_actions: ['*:*:*'],
  denied_actions: [],
  allowed_resources: ['*:*'],
  denied_resources: [],
  max_sensitivity_level: 4,
};

function parsed(value: unknown, inherited: Rbac | null = null): Rbac {
  const { rbac, errors } = parseRbac(value, inherited);
  assert.equal(errors, null, JSON.stringify(errors));
  return rbac!;
}

function permits(rbac: Rbac, action: string, type?: string, id?: string, level = 0): boolean {
  const request = { action: parseAction(action)!, resource_type: type, resource_id: id, sensitivity_level: level };
  return refusalOf(compileRbac(rbac), request) === null;
}

const permitsWitness = (rbac: Rbac, w: Witness): boolean =>
  permits(rbac, w.action, w.resource_type, w.resource_id, w.sensitivity_level);

function vectors<T>(name: string): { skip: string | false; tests: T[] } {
  const file = sharedFile(`vectors/${name}.json`);
  if (file === null) return { skip: `no ../shared/vectors/${name}.json`, tests: [] };
  return { skip: false, tests: (JSON.parse(readFileSync(file, 'utf8')) as { tests: T[] }).tests };
}

describe('rbac objects', () => {
  test('patterns are written out and deny lists may be left out', () => {
    const rbac = parsed({
      allowed_actions: ['*', 'github:*'],
      allowed_resources: ['*', 'a:b:c/d'],
      max_sensitivity_level: 2,
    });
    assert.deepEqual(rbac, {
      allowed_actions: ['*:*:*', 'github:*:*'],
      denied_actions: [],
      allowed_resources: ['*:*', 'a:b:c/d'],
      denied_resources: [],
      max_sensitivity_level: 2,
    });
    assert.deepEqual(parsed(rbac), rbac, 'the normal form is its own normal form');
  });

  test('a key that a child leaves out is its parent’s; an empty list is empty', () => {
    const parent = { ...ALL, denied_actions: ['db:*:drop'] };
    assert.deepEqual(parsed({}, parent), parent);
    assert.deepEqual(parsed({ denied_actions: [] }, parent).denied_actions, []);
    assert.notEqual(findEscalation(compileRbac(parent), compileRbac(parsed({ denied_actions: [] }, parent))), null);
  });

  test('a first rbac names its allow lists and its level', () => {
    const { errors } = parseRbac({}, null);
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/allowed_actions', '/allowed_resources', '/max_sensitivity_level'],
    );
  });

  test('every fault is named with its place', () => {
    const { errors } = parseRbac(
      {
        allowed_actions: ['a:b'],
        denied_actions: null,
        deniedActions: [],
        max_sensitivity_level: 2.5,
        denied_resources: ['x'],
      },
      ALL,
    );
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/deniedActions', '/allowed_actions/0', '/denied_actions', '/denied_resources/0', '/max_sensitivity_level'],
    );
    assert.notEqual(parseRbac(Object.create({ allowed_actions: ['*'] }), null).errors, null, 'own keys only');
  });

  test('bounds: 64 patterns a list, 4 KB', () => {
    const names = (count: number, length = 1) => Array.from({ length: count }, (_, n) => `t:${'x'.repeat(length)}${n}`);
    parsed({ ...ALL, denied_resources: names(64) });
    assert.notEqual(parseRbac({ ...ALL, denied_resources: names(65) }, null).errors, null);
    assert.notEqual(parseRbac({ ...ALL, denied_resources: names(64, 100) }, null).errors, null);
    parsed({ ...ALL, denied_resources: [`t:${'x'.repeat(1_000)}`] });
    assert.notEqual(
      parseRbac({ ...ALL, denied_resources: names(5, 0).map((t) => t + '✓'.repeat(300)) }, null).errors,
      null,
    );
  });

  test('actions are lower-cased at the door, resources never', () => {
    const { allowed_actions, denied_actions, allowed_resources } = lowerCaseActions(
      parsed({
        ...ALL,
        allowed_actions: ['GitHub:*'],
        denied_actions: ['GITHUB:Pulls:*'],
        allowed_resources: ['Repo:Core'],
      }),
    );
    assert.deepEqual(
      [allowed_actions, denied_actions, allowed_resources],
      [['github:*:*'], ['github:pulls:*'], ['Repo:Core']],
    );
  });
});

describe('requests without a whole target', () => {
  test('no target at all is matched by `*:*` alone', () => {
    assert.ok(permits(ALL, 'a:b:c'));
    assert.ok(permits({ ...ALL, denied_resources: ['db:prod'] }, 'a:b:c'));
    assert.ok(!permits({ ...ALL, allowed_resources: ['db:*', '*:prod'] }, 'a:b:c'));
    assert.ok(!permits({ ...ALL, denied_resources: ['*:*'] }, 'a:b:c'));
  });

  test('leaving out one part does not get around a deny', () => {
    for (const denied of ['*:prod', 'db:prod', 'db:*', '*:*']) {
      assert.ok(!permits({ ...ALL, denied_resources: [denied] }, 'a:b:c', 'db'), denied);
    }
    assert.ok(permits({ ...ALL, denied_resources: ['file:prod'] }, 'a:b:c', 'db'));
    assert.ok(!permits({ ...ALL, denied_resources: ['db:prod'] }, 'a:b:c', undefined, 'prod'));
    assert.ok(!permits({ ...ALL, allowed_resources: ['db:prod'] }, 'a:b:c', 'db'), 'a literal allows no unknown id');
  });

  test('levels that are not numbers are too high', () => {
    assert.ok(!permits(ALL, 'a:b:c', 'db', 'x', Number.NaN));
  });
});

describe('vectors', () => {
  const subset = vectors<{
    id: string;
    parent: unknown;
    child: unknown;
    expected_subset: boolean;
    witness: Witness | null;
  }>('rbac-subset');
  test('rbac-subset', { skip: subset.skip }, () => {
    for (const one of subset.tests) {
      const parent = parsed(one.parent);
      const child = parsed(one.child, parent);
      const witness = findEscalation(compileRbac(parent), compileRbac(child));
      assert.equal(witness === null, one.expected_subset, one.id);
      for (const found of [witness, one.witness]) {
        if (found === null) continue;
        assert.ok(permitsWitness(child, found) && !permitsWitness(parent, found), `${one.id} ${JSON.stringify(found)}`);
      }
    }
  });

  const evaluate = vectors<{
    id: string;
    rbac: unknown;
    action: string;
    resource_type: string;
    resource_id: string;
    sensitivity_level: number;
    expected_permitted: boolean;
  }>('rbac-evaluate');
  test('rbac-evaluate', { skip: evaluate.skip }, () => {
    for (const one of evaluate.tests) {
      const { action, resource_type, resource_id, sensitivity_level } = one;
      const is_permitted = permits(parsed(one.rbac), action, resource_type, resource_id, sensitivity_level);
      assert.equal(is_permitted, one.expected_permitted, one.id);
    }
  });

  const invalid = vectors<{ id: string; rbac: unknown }>('rbac-invalid');
  test('rbac-invalid', { skip: invalid.skip }, () => {
    for (const one of invalid.tests) {
      for (const inherited of [null, ALL]) assert.notEqual(parseRbac(one.rbac, inherited).errors, null, one.id);
    }
  });
});

test('the largest lists are answered', () => {
  const many = (head: string): string[] => Array.from({ length: 64 }, (_, n) => `${head}:s${n}:*`);
  const parent = compileRbac({ ...ALL, denied_actions: many('*') });
  const child = compileRbac({ ...ALL, allowed_actions: many('a'), denied_actions: many('a') });
  assert.equal(findEscalation(parent, child), null);
});
