import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIET, storedTrace, WEDNESDAY } from '../../test/support/history.ts';
import { saysSomething } from '../scoring/history/says.ts';
import type { History } from '../scoring/types.ts';
import { historyJson, type KeptPast, pastJson, pastOf } from './kept-past.ts';

const { trace } = storedTrace(WEDNESDAY);
const again = (history: History | null) => {
  const past = pastOf(JSON.parse(pastJson({ trace, history })) as KeptPast);
  assert.deepEqual(past.trace, trace);
  return past.history;
};

test('a history reads as it was, and only what it says is kept', () => {
  assert.equal(again(null), null);
  assert.equal(historyJson(QUIET), '{}');
  assert.deepEqual(again(QUIET), QUIET);
  assert.ok(!saysSomething(QUIET));
  const loud: History = {
    first_seen: ['action'],
    changes_per_minute: 30,
    actions_per_minute: 120,
    burst: 5,
    is_unusual_hour: true,
    off_hours: 'utc',
    clock: 'session_too_long',
    drift: 1,
    refused: 2,
    high: 3,
    earlier_actions: ['vault:secret:read'],
    seen_classes: ['PHI'],
    repeats: 10,
    is_steady: true,
  };
  for (const name of Object.keys(loud) as (keyof History)[]) {
    const history = { ...QUIET, [name]: loud[name] } as History;
    assert.deepEqual(JSON.parse(historyJson(history)), { [name]: loud[name] });
    assert.deepEqual(again(history), history);
    assert.ok(saysSomething(history));
  }
});

test('so does one that was kept whole', () => {
  const older = { agent_key: 'a', session_key: null, trace, history: { ...QUIET, burst: 5 } };
  assert.deepEqual(pastOf(older), { trace, history: older.history });
});

test('no two share a list', () => {
  again(QUIET)!.first_seen.push('action');
  assert.deepEqual(again(QUIET), QUIET);
});
