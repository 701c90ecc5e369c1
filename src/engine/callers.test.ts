import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { range } from '../../test/contract/start.ts';
import { patientWaiter } from '../../test/support/waiter.ts';
import type { AgentEvent } from '../events/event.ts';
import { systemClock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import type { AdmitAll, AdmitEvent } from '../tokens/admit.ts';
import { type CallerParts, createEvaluateAllAs, createEvaluateAs } from './callers.ts';
import type { Evaluate, Outcome } from './evaluate.ts';
import { createTurns } from './turns.ts';

const caller = { customer_id: 'c', key_id: 'k', scopes: [] };
const events = ['e1', 'e2', 'e3', 'e4'].map((event_id) => ({
  event: { event_id, action: 'a:b:c' } as AgentEvent,
  content_hash: event_id,
}));

function setUp() {
  const turns = createTurns({ clock: systemClock, limits: { in_work: 1, waiting_each: 1 } });
  const begun: string[] = [];
  const given_back: string[] = [];
  const open: (() => void)[] = [];
  const evaluate: Evaluate = (_, [first]) => {
    const { event_id } = first!.event;
    begun.push(event_id);
    return new Promise((resolve) => open.push(() => resolve([{ is_replay: false, record: { event_id } } as Outcome])));
  };
  const admitAll: AdmitAll = async (_bearer, _caller, submitted) => ({
    events: [...submitted],
    release: async (of) => void given_back.push(...of.map(({ event }) => event.event_id)),
  });
  return { turns, begun, given_back, open, evaluate, admitAll };
}

test('events of a token that get no turn are not counted, and events in work are finished', async () => {
  const { turns, begun, given_back, open, evaluate, admitAll } = setUp();
  const evaluateAll = createEvaluateAllAs({ evaluate, admission: { admitAll } as CallerParts['admission'], turns });
  const failed = assert.rejects(evaluateAll('token', caller, events, 'r', patientWaiter()), { code: 'rate_limited' });
  await sleep(1);
  assert.deepEqual(begun, ['e1']);
  open[0]!();
  await failed;
  // One event was in the queue when another found it full; its count is given back.
  assert.deepEqual(begun, ['e1'], 'nothing is begun after a failure');
  assert.deepEqual(given_back, ['e2', 'e3', 'e4']);
  assert.deepEqual(turns.load(), { in_work: 0, waiting: 0, later: 0 });
});

test('as many events of a session are scored together as there are turns for, and the first failure ends the session', async () => {
  const turns = createTurns({ clock: systemClock, limits: { in_work: 6 } });
  const given_back: string[] = [];
  const rows: string[][] = [];
  const evaluate: Evaluate = async (_, submissions, options) => {
    const more = submissions.length === 1 ? 0 : options!.takeMore!(Math.min(2, submissions.length - 1));
    const row = submissions.slice(0, 1 + more);
    rows.push(row.map(({ event }) => event.event_id));
    return row.map(({ event: { event_id } }) => {
      if (event_id === 'e5') return new WeirError('event_conflict');
      return { is_replay: event_id === 'e2', record: { event_id } } as Outcome;
    });
  };
  const admitAll: AdmitAll = async (_bearer, _caller, submitted) => ({
    events: [...submitted],
    release: async (of) => void given_back.push(...of.map(({ event }) => event.event_id)),
  });
  const evaluateAll = createEvaluateAllAs({ evaluate, admission: { admitAll } as CallerParts['admission'], turns });
  const of_session = range(8).map((n) => ({
    event: { event_id: `e${n}`, action: 'a:b:c', session: { session_id: 's' } } as AgentEvent,
    content_hash: `e${n}`,
  }));
  const outcomes = await evaluateAll('token', caller, of_session.slice(0, 5), 'r', patientWaiter());
  assert.deepEqual(
    outcomes.map(({ record }) => record.event_id),
    ['e0', 'e1', 'e2', 'e3', 'e4'],
  );
  assert.deepEqual(rows.splice(0), [
    ['e0', 'e1', 'e2'],
    ['e3', 'e4'],
  ]);
  assert.deepEqual(given_back.splice(0), ['e2'], 'a retry takes no count');
  await assert.rejects(evaluateAll('token', caller, of_session.slice(4), 'r', patientWaiter()), {
    code: 'event_conflict',
  });
  assert.deepEqual(rows, [['e4', 'e5', 'e6']]);
  assert.deepEqual(given_back, ['e5', 'e7'], 'events recorded behind it stay counted');
  assert.deepEqual(turns.load(), { in_work: 0, waiting: 0, later: 0 });
});

test('an event gets its turn before its token is checked, and the turn ends with the event in every case', async () => {
  const { turns, open, evaluate } = setUp();
  let is_permitted = false;
  let asked = 0;
  const admit: AdmitEvent = async (_bearer, _caller, submitted) => {
    asked += 1;
    if (!is_permitted) throw new Error('not permitted');
    return { events: [submitted], release: async () => {} };
  };
  const evaluateAs = createEvaluateAs({ evaluate, admission: { admit } as CallerParts['admission'], turns });
  const send = (index: number, checkWanted = () => {}) =>
    evaluateAs('token', caller, events[index]!, 'r', patientWaiter(checkWanted));
  await assert.rejects(send(0), /not permitted/);
  assert.equal(turns.load().in_work, 0);
  is_permitted = true;
  const first = send(1);
  const second = assert.rejects(
    send(2, () => {
      throw new Error('left');
    }),
    /left/,
  );
  await sleep(1);
  open[0]!();
  assert.equal((await first).record.event_id, 'e2');
  await second;
  assert.equal(asked, 2, 'the token of a caller that has disconnected is not checked');
  assert.equal(turns.load().in_work, 0);
});
