import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUIET } from '../../../test/support/history.ts';
import type { History } from '../types.ts';
import { isSameHistory } from './same-history.ts';

/** Few values each, so that equal ones are common. */
const history: fc.Arbitrary<History | null> = fc.option(
  fc
    .record({
      first_seen: fc.subarray(['action', 'resource'] as const),
      burst: fc.constantFrom(0, 5),
      off_hours: fc.constantFrom('', 'utc'),
      earlier_actions: fc.subarray(['a:b:c', 'd:e:f']),
      is_steady: fc.boolean(),
    })
    .map((parts) => ({ ...QUIET, ...parts }) as History),
);

test('two histories are the same when their JSON is', () => {
  fc.assert(
    fc.property(history, history, (one, other) => {
      assert.equal(isSameHistory(one, other), JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test('every field counts', () => {
  for (const [name, value] of Object.entries(QUIET)) {
    const changed = Array.isArray(value)
      ? ['x']
      : typeof value === 'number'
        ? 99
        : typeof value === 'boolean'
          ? !value
          : 'x';
    assert.equal(isSameHistory(QUIET, { ...QUIET, [name]: changed } as History), false, name);
  }
});
