import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCondition, isPresent, makeVocabulary } from './conditions.ts';

const NAMES = ['is_on', 'is_off', 'kind', 'items', 'count'] as const;
const vocabulary = makeVocabulary({
  is_on: { type: 'bool', about: 'a truth value', slot: 0 },
  is_off: { type: 'bool', about: 'another one', slot: 1 },
  kind: { type: 'string', about: 'a text', slot: 2 },
  items: { type: 'list<string>', about: 'a list', slot: 3 },
  count: { type: 'int', about: 'a number', slot: 4 },
});

/** The guards as text: `kind|items !is_on`. */
const guardsOf = (when: string): string =>
  compileCondition(when, vocabulary)
    .guards.map((guard) => guard.map((need) => `${need.is_present ? '' : '!'}${NAMES[need.slot]}`).join('|'))
    .join(' ');

test('a condition is guarded by its first conjuncts, up to the first one that says nothing about presence', () => {
  const cases: [when: string, guards: string][] = [
    ['is_on', 'is_on'],
    ['NOT is_on AND is_off', '!is_on is_off'],
    ["kind == 'a'", 'kind'],
    ["kind != ''", 'kind'],
    ["kind == ''", '!kind'],
    ["kind in ['a', 'b']", 'kind'],
    ["'a' in items AND count > 0 AND count >= 2", 'items count count'],
    ['size(items) > 0', 'items'],
    ["items.exists(i, i == 'a')", 'items'],
    ["(is_on OR kind == 'a') AND is_off", 'is_on|kind is_off'],
    ["is_on AND kind != '' OR NOT is_off AND count > 3", 'is_on|!is_off'],
    // Says nothing: another value than '', a number that may be 0, a value that is compared with ''.
    ["kind != 'a' AND is_on", ''],
    ['count < 3 AND is_on', ''],
    ['count >= 0 AND is_on', ''],
    ["kind in ['', 'a'] AND is_on", ''],
    ["NOT (kind == 'a') AND is_on", ''],
    ["is_on OR kind != 'a'", ''],
    ["items.all(i, i == 'a') AND is_on", ''],
  ];
  for (const [when, guards] of cases) assert.equal(guardsOf(when), guards, when);
});

test('whatever the values are, a condition that is true has all of its guards', () => {
  const conditions = [
    "(is_on OR kind == 'a') AND NOT is_off",
    "kind != '' AND size(items) > 1 OR NOT is_on AND count >= 1",
    "kind in ['a', 'b'] AND 'x' in items AND count > 0",
    "items.exists(i, i == 'x') AND kind == ''",
  ].map((when) => compileCondition(when, vocabulary));
  let held = 0;
  for (const is_on of [true, false])
    for (const is_off of [true, false])
      for (const kind of ['', 'a', 'b'])
        for (const items of [[], ['x'], ['x', 'y']])
          for (const count of [0, 1, 2]) {
            const values = [is_on, is_off, kind, items, count];
            const env = { unevaluable: false, get: () => undefined, at: (slot: number) => values[slot] };
            for (const { guards, test: holds, source } of conditions) {
              if (!holds(env)) continue;
              held += 1;
              const isMet = guards.every((guard) =>
                guard.some(({ slot, is_present }) => isPresent(values[slot]) === is_present),
              );
              assert.ok(isMet, `${source} with ${JSON.stringify(values)}`);
            }
          }
  assert.ok(held > 20);
});
