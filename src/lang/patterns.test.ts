import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedFile } from '../../test/support/shared.ts';
import {
  formatResourcePattern,
  isInside,
  matchesAction,
  matchesResource,
  normaliseAction,
  normaliseActionPattern,
  parseAction,
  parseActionPattern,
  parseResourcePattern,
} from './patterns.ts';

const CORPUS = join(import.meta.dirname, '../../corpus/patterns');

function cases<T>(file: string): T[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: T[] }).cases;
}

test('an action is three segments of letters, digits, _ . and -', () => {
  assert.deepEqual(parseAction('github:pulls:read'), { domain: 'github', scope: 'pulls', verb: 'read' });
  assert.deepEqual(parseAction('A.b:c_d:e-1'), { domain: 'A.b', scope: 'c_d', verb: 'e-1' });
  assert.notEqual(parseAction(`${'a'.repeat(64)}:b:c`), null);
  for (const text of [
    '',
    'a',
    'a:b',
    'a:b:c:d',
    'a:b:*',
    'a b:c:d',
    'a:b:c\n',
    ':b:c',
    `${'a'.repeat(65)}:b:c`,
    'ä:b:c',
  ]) {
    assert.equal(parseAction(text), null, JSON.stringify(text));
  }
});

test('an action is lower-cased only after the check for ASCII', () => {
  assert.equal(normaliseAction('GitHub:Pulls:READ'), 'github:pulls:read');
  assert.equal('\u212aube'.toLowerCase(), 'kube', 'the Kelvin sign becomes an ASCII letter');
  assert.equal(normaliseAction('\u212aube:pods:delete'), null);
});

test('very long text is refused without being split', () => {
  assert.equal(parseAction(':'.repeat(1_000_000)), null);
  assert.equal(parseActionPattern(`${'*:'.repeat(500_000)}*`), null);
});

test('one pattern is inside another', () => {
  const inside = (inner: string, outer: string) => isInside(parseActionPattern(inner)!, parseActionPattern(outer)!);
  assert.equal(inside('github:pulls:read', 'github:*'), true);
  assert.equal(inside('github:*', 'github:pulls:read'), false);
  assert.equal(inside('github:*:read', 'github:*:*'), true);
  assert.equal(inside('*:*:read', 'github:*:*'), false);
  assert.equal(inside('*', '*:*:*'), true);
});

interface ActionCase {
  pattern: string;
  normal: string | null;
  matches?: string[];
  misses?: string[];
}

for (const c of cases<ActionCase>(join(CORPUS, 'actions.json'))) {
  test(`action pattern ${JSON.stringify(c.pattern)}`, () => {
    const normal = normaliseActionPattern(c.pattern);
    assert.equal(normal, c.normal);
    if (normal === null) return;
    const pattern = parseActionPattern(normal)!;
    for (const action of c.matches ?? []) assert.equal(matchesAction(pattern, parseAction(action)!), true, action);
    for (const action of c.misses ?? []) assert.equal(matchesAction(pattern, parseAction(action)!), false, action);
  });
}

interface ResourceCase {
  pattern: string;
  normal: string | null;
  matches?: [string | null, string | null][];
  misses?: [string | null, string | null][];
}

for (const c of cases<ResourceCase>(join(CORPUS, 'resources.json'))) {
  test(`resource pattern ${JSON.stringify(c.pattern)}`, () => {
    const pattern = parseResourcePattern(c.pattern);
    assert.equal(pattern && formatResourcePattern(pattern), c.normal);
    if (pattern === null) return;
    const matches = ([type, id]: [string | null, string | null]) =>
      matchesResource(pattern, type ?? undefined, id ?? undefined);
    for (const target of c.matches ?? []) assert.equal(matches(target), true, JSON.stringify(target));
    for (const target of c.misses ?? []) assert.equal(matches(target), false, JSON.stringify(target));
  });
}

test('shared vectors: action-match', (t) => {
  const file = sharedFile('vectors/action-match.json');
  if (file === null) return t.skip('../shared is not there: the vectors of action-match were not run');
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as {
    tests: { id: string; pattern: string; action: string; expected: boolean | 'invalid' }[];
  };
  assert.ok(tests.length > 0);
  for (const { id, pattern, action, expected } of tests) {
    const parsed = parseAction(action);
    const actual = parsed === null ? 'invalid' : matchesAction(parseActionPattern(pattern)!, parsed);
    assert.equal(actual, expected, `${id}: ${pattern} against ${JSON.stringify(action)}`);
  }
});
