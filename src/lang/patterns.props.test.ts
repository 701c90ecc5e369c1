import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Action,
  type ActionPattern,
  formatActionPattern,
  isInside,
  matchesAction,
  matchesResource,
  normaliseAction,
  parseAction,
  parseActionPattern,
  parseResourcePattern,
} from './patterns.ts';

// Few letters, so that equal segments are common.
const segment = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-', 'Z', '0'), minLength: 1, maxLength: 2 });
const action = fc.record<Action>({ domain: segment, scope: segment, verb: segment }, { noNullPrototype: true });
const star_or_segment = fc.oneof(fc.constant('*'), segment);
const pattern = fc.record<ActionPattern>(
  { domain: star_or_segment, scope: star_or_segment, verb: star_or_segment },
  { noNullPrototype: true },
);
const text = (a: Action) => `${a.domain}:${a.scope}:${a.verb}`;

test('formatting and parsing an action gives the same action', () => {
  fc.assert(fc.property(action, (a) => assert.deepEqual(parseAction(text(a)), a)));
});

test('formatting and parsing a pattern gives the same pattern', () => {
  fc.assert(fc.property(pattern, (p) => assert.deepEqual(parseActionPattern(formatActionPattern(p)), p)));
});

test('a pattern matches exactly the actions that differ only in its star segments', () => {
  const by_definition = (p: ActionPattern, a: Action) =>
    (['domain', 'scope', 'verb'] as const).filter((part) => p[part] !== a[part]).every((part) => p[part] === '*');
  fc.assert(fc.property(pattern, action, (p, a) => assert.equal(matchesAction(p, a), by_definition(p, a))));
});

test('a pattern is inside another exactly if the other matches every action that it matches', () => {
  // A segment that stands in neither pattern stands for all the segments that do not.
  const fresh = (p: ActionPattern): Action => ({
    domain: p.domain === '*' ? 'fresh' : p.domain,
    scope: p.scope === '*' ? 'fresh' : p.scope,
    verb: p.verb === '*' ? 'fresh' : p.verb,
  });
  fc.assert(fc.property(pattern, pattern, (p, q) => assert.equal(isInside(p, q), matchesAction(q, fresh(p)))));
  fc.assert(
    fc.property(pattern, pattern, action, (p, q, a) => {
      fc.pre(isInside(p, q) && matchesAction(p, a));
      assert.equal(matchesAction(q, a), true);
    }),
  );
});

test('parsers accept any text, and an accepted action is ASCII, lower-cased and stable', () => {
  const any_text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', ':', '*', ' ', 'K', '\u212a') }),
  );
  fc.assert(
    fc.property(any_text, (input) => {
      parseActionPattern(input);
      parseResourcePattern(input);
      const normal = normaliseAction(input);
      if (normal === null) return;
      assert.match(normal, /^[a-z0-9_.-]+:[a-z0-9_.-]+:[a-z0-9_.-]+$/);
      assert.equal(normaliseAction(normal), normal);
    }),
  );
});

test('only stars match a target without type and id', () => {
  const type = fc.constantFrom('*', 'a', 'b');
  const id = fc.constantFrom('*', 'a', 'b:c', '/d');
  fc.assert(
    fc.property(type, id, (t, i) => {
      const parsed = parseResourcePattern(`${t}:${i}`);
      assert.deepEqual(parsed, { type: t, id: i });
      assert.equal(matchesResource(parsed!, undefined, undefined), t === '*' && i === '*');
    }),
  );
});
