import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DAY,
  footprint,
  HOUR,
  MINUTE,
  memoryOfMany,
  SECOND,
  storedTrace,
  WEDNESDAY,
} from '../../../test/support/history.ts';
import type { AgentEvent } from '../../events/event.ts';
import { emptyMemory, type Memory, memoryOf, remember } from './memory.ts';
import { historyOf } from './recall.ts';
import type { Footprint } from './trace.ts';

const event = (parts: Partial<AgentEvent> = {}): AgentEvent => ({
  event_id: 'e',
  action: 'crm:contact:read',
  timestamp: '2026-03-04T10:00:00Z',
  ...parts,
});

const ofAgent = (agent: Memory, parts: Partial<Footprint> = {}, now = WEDNESDAY, sent = event()) =>
  historyOf({ agent, session: null }, footprint(parts), sent, now);
const ofSession = (session: Memory, parts: Partial<Footprint> = {}, now = WEDNESDAY, sent = event()) =>
  historyOf({ agent: null, session }, footprint(parts), sent, now);

test('no past and a past that says nothing are the same: none', () => {
  assert.equal(historyOf({ agent: null, session: null }, footprint(), event(), WEDNESDAY), null);
  assert.equal(ofAgent(emptyMemory()), null);
  const work = ['read', 'list', 'search', 'open'].map((verb) => `crm:contact:${verb}`);
  const calm = memoryOf(
    Array.from({ length: 40 }, (_, i) => storedTrace(WEDNESDAY + i * 10 * MINUTE, { action: work[i % 4]! })),
  );
  assert.equal(ofAgent(calm, {}, WEDNESDAY + 9 * HOUR), null);
});

test('rates are told in steps, of changes and of all', () => {
  const steps = (n: number, parts: Partial<Footprint>) => {
    const history = ofAgent(memoryOfMany(n, WEDNESDAY + 50 * SECOND, 50, parts), parts, WEDNESDAY + 50 * SECOND);
    return [history?.changes_per_minute ?? 0, history?.actions_per_minute ?? 0];
  };
  assert.deepEqual(steps(29, { is_change: true }), [0, 0]);
  assert.deepEqual(steps(30, { is_change: true }), [30, 0]);
  assert.deepEqual(steps(130, { is_change: true }), [120, 120]);
  assert.deepEqual(steps(700, {}), [0, 600]);
});

test('a burst is measured by what is usual for the agent', () => {
  const slow = memoryOfMany(10, WEDNESDAY - 10 * MINUTE, 5 * MINUTE);
  for (let i = 0; i < 25; i += 1) remember(slow, storedTrace(WEDNESDAY + i * SECOND));
  assert.equal(ofAgent(slow, {}, WEDNESDAY + 26 * SECOND)?.burst, 20);
  const fast = memoryOfMany(300, WEDNESDAY + 25 * SECOND, SECOND);
  assert.equal(ofAgent(fast, {}, WEDNESDAY + 26 * SECOND)?.burst ?? 0, 0);
});

test('what an agent of known ways never did is new, and stays new for an hour', () => {
  const known = memoryOfMany(40, WEDNESDAY, 10 * MINUTE, { places: ['ana@north.test'] });
  const strange = { action: 'iam:role:grant', resource: 'role:admin', places: ['eve@evil.test'] };
  assert.deepEqual(ofAgent(known, strange)?.first_seen, ['action', 'resource', 'destination']);
  remember(known, storedTrace(WEDNESDAY, strange));
  assert.deepEqual(ofAgent(known, strange, WEDNESDAY + MINUTE)?.first_seen, ['action', 'resource', 'destination']);
  assert.deepEqual(ofAgent(known, strange, WEDNESDAY + 2 * HOUR)?.first_seen ?? [], []);
  const young = memoryOfMany(10, WEDNESDAY, 10 * MINUTE);
  assert.deepEqual(ofAgent(young, strange)?.first_seen ?? [], []);
});

test('what was tried and refused stays new', () => {
  const known = memoryOfMany(40, WEDNESDAY, 10 * MINUTE, { places: ['ana@north.test'] });
  remember(known, storedTrace(WEDNESDAY, { places: ['eve@evil.test'], is_refused: true }));
  const later = ofAgent(known, { places: ['eve@evil.test'] }, WEDNESDAY + 3 * HOUR);
  assert.deepEqual(later?.first_seen, ['destination']);
});

test('the first destination of an agent that never sent anything is new', () => {
  const reader = memoryOfMany(40, WEDNESDAY, 10 * MINUTE);
  assert.deepEqual(ofAgent(reader, { places: ['eve@evil.test'] })?.first_seen, ['destination']);
});

test('where every record is another one, another one is nothing new', () => {
  const memory = memoryOf(
    Array.from({ length: 60 }, (_, i) => storedTrace(WEDNESDAY - i * MINUTE, { resource: `record:${i}` })),
  );
  assert.deepEqual(ofAgent(memory, { resource: 'record:new' })?.first_seen ?? [], []);
});

const habit = (claimed: Partial<Record<'claimed_hour', number>> = {}): Memory =>
  memoryOf(
    Array.from({ length: 40 }, (_, i) =>
      // Ten working hours on each of the four days before.
      storedTrace(WEDNESDAY - (1 + Math.floor(i / 10)) * DAY + (i % 10) * 20 * MINUTE, {
        claimed_day: Math.floor(i / 10),
        ...claimed,
      }),
    ),
  );

test('an hour at which it never acted, by the server or by its own word', () => {
  const now = WEDNESDAY + 8 * HOUR;
  assert.equal(ofAgent(habit(), {}, now)?.is_unusual_hour, true);
  assert.equal(ofAgent(habit(), {}, WEDNESDAY)?.is_unusual_hour ?? false, false);
  const night = event({ timestamp: '2026-03-04T03:00:00Z' });
  assert.equal(ofAgent(habit({ claimed_hour: 10 }), {}, WEDNESDAY, night)?.is_unusual_hour, true);
});

test('off hours: by the event’s own offset, else by UTC, and never where it is a habit', () => {
  const some = memoryOfMany(6, WEDNESDAY - HOUR, HOUR);
  const high = { is_high_impact: true };
  const off = (memory: Memory, timestamp: string, now = WEDNESDAY, parts: Partial<Footprint> = high) =>
    ofAgent(memory, parts, now, event({ timestamp }))?.off_hours ?? '';
  assert.equal(off(some, '2026-03-04T23:30:00-05:00'), 'local');
  assert.equal(off(some, '2026-03-04T03:00:00Z'), 'utc');
  assert.equal(off(some, '2026-03-04T10:00:00Z'), '');
  assert.equal(off(some, '2026-03-04T10:00:00Z', WEDNESDAY + 13 * HOUR), 'utc', 'no claim makes a night a day');
  assert.equal(off(some, '2026-03-04T03:00:00Z', WEDNESDAY, {}), '', 'only what has a high impact');
  assert.equal(off(habit(), '2026-03-04T03:00:00Z'), '', 'the server knows that it works at this time');
});

test('times that do not fit', () => {
  const some = memoryOfMany(6, WEDNESDAY - HOUR, HOUR);
  const clock = (timestamp: string, started_at: string) =>
    ofAgent(some, {}, WEDNESDAY, event({ timestamp, session: { started_at } }))?.clock ?? '';
  assert.equal(clock('2026-03-04T10:00:00Z', '2026-03-04T09:00:00Z'), '');
  assert.equal(clock('2026-03-04T10:04:00Z', '2026-03-04T09:00:00Z'), '');
  assert.equal(clock('2026-03-04T10:06:00Z', '2026-03-04T09:00:00Z'), 'from_the_future');
  assert.equal(clock('2026-03-04T08:59:00Z', '2026-03-04T09:00:00Z'), 'before_its_session');
  assert.equal(clock('2026-03-04T09:30:00Z', '2026-03-03T09:00:00Z'), 'session_too_long');
});

test('a session that leaves the task it began with drifts', () => {
  const session = memoryOfMany(9, WEDNESDAY, MINUTE);
  assert.equal(ofSession(session, { domain: 'crm', group: 'delete' })?.drift ?? 0, 0, 'the same domain');
  assert.equal(ofSession(session, { domain: 'iam', group: 'grant' })?.drift ?? 0, 0, 'one step aside');
  for (let i = 0; i < 4; i += 1) remember(session, storedTrace(WEDNESDAY, { domain: 'iam', group: 'grant' }));
  assert.equal(ofSession(session, { domain: 'iam', group: 'grant' })?.drift, 2);
  for (let i = 0; i < 2; i += 1) remember(session, storedTrace(WEDNESDAY, { domain: 'vault', group: 'read' }));
  assert.equal(ofSession(session, { domain: 'iam', group: 'grant' })?.drift, 1);
});

test('refusals and high scores count for an hour', () => {
  const memory = memoryOfMany(8, WEDNESDAY, SECOND, { is_refused: true, score: 85 });
  const later = (ms: number) => {
    const history = ofAgent(memory, {}, WEDNESDAY + ms);
    return [history?.refused ?? 0, history?.high ?? 0];
  };
  assert.deepEqual(later(MINUTE), [4, 8]);
  assert.deepEqual(later(2 * HOUR), [0, 0]);
});

test('what the session did and the event leaves out is told, without what adds nothing', () => {
  const session = memoryOf([
    storedTrace(WEDNESDAY, { action: 'vault:secret:read', classes: ['secret'] }),
    storedTrace(WEDNESDAY, { action: 'web:page:read' }),
    storedTrace(WEDNESDAY, { action: 'http:request:post' }),
  ]);
  const sent = event({ preceding_actions: ['web:page:read'] });
  const parts = { action: 'http:request:post', is_change: true };
  const history = ofSession(session, parts, WEDNESDAY + HOUR, sent);
  assert.deepEqual(history?.earlier_actions, ['vault:secret:read']);
  assert.deepEqual(history?.seen_classes, ['secret']);
});

test('reading the same again says nothing, sending after it does', () => {
  const session = memoryOf([storedTrace(WEDNESDAY, { action: 'vault:secret:read', classes: ['secret'] })]);
  assert.equal(ofSession(session, { action: 'vault:secret:read', classes: ['secret'] }), null);
  assert.deepEqual(ofSession(session, { action: 'vault:secret:read', is_change: true })?.seen_classes, ['secret']);
});

test('flooding a session with other actions does not make it forget what was read', () => {
  const session = memoryOf([storedTrace(WEDNESDAY, { action: 'vault:secret:read', classes: ['secret'] })]);
  for (let i = 0; i < 500; i += 1) remember(session, storedTrace(WEDNESDAY + i, { action: `a:b:c${i}` }));
  assert.deepEqual(ofSession(session, { is_change: true })?.seen_classes, ['secret']);
});

test('flooding an agent without a session does not make it forget what it read in the last hour', () => {
  const read = storedTrace(WEDNESDAY, { action: 'vault:secret:read', classes: ['secret'] });
  const agent = memoryOf([read]);
  for (let i = 0; i < 500; i += 1) remember(agent, storedTrace(WEDNESDAY + i, { action: `a:b:c${i % 60}` }));
  const later = ofAgent(agent, { is_change: true }, WEDNESDAY + MINUTE);
  assert.deepEqual(later?.seen_classes, ['secret']);
  assert.ok(later?.earlier_actions.includes('vault:secret:read'));
  assert.deepEqual(ofAgent(agent, { is_change: true }, WEDNESDAY + 2 * HOUR)?.seen_classes ?? [], []);
});

test('a memory that is rebuilt from the newest traces alone knows what older ones read', () => {
  const session = memoryOf([storedTrace(WEDNESDAY, { action: 'vault:secret:read', classes: ['secret'] })]);
  const newest = Array.from({ length: 200 }, (_, i) => {
    const seen = ofSession(session, {}, WEDNESDAY + i)?.seen_classes ?? [];
    const trace = storedTrace(WEDNESDAY + i, { action: `a:b:c${i}`, seen });
    remember(session, trace);
    return trace;
  });
  assert.deepEqual(memoryOf(newest).classes, ['secret']);
});

test('without a session the agent’s last hour stands in for it', () => {
  const agent = memoryOf([storedTrace(WEDNESDAY, { action: 'vault:secret:read' })]);
  assert.deepEqual(ofAgent(agent, {}, WEDNESDAY + MINUTE)?.earlier_actions, ['vault:secret:read']);
  assert.equal(ofAgent(agent, {}, WEDNESDAY + 2 * HOUR), null);
});

test('a steady past takes weeks, and ends with a refusal', () => {
  const weeks = memoryOfMany(240, WEDNESDAY, HOUR);
  const now = WEDNESDAY + MINUTE;
  assert.equal(ofAgent(weeks, {}, now)?.is_steady, true);
  assert.equal(ofAgent(weeks, { is_high_impact: true }, now)?.is_steady ?? false, false);
  assert.equal(ofAgent(memoryOfMany(5_000, WEDNESDAY, SECOND), {}, now)?.is_steady ?? false, false, 'numbers do not');
  remember(weeks, storedTrace(WEDNESDAY, { is_refused: true }));
  assert.equal(ofAgent(weeks, {}, now)?.is_steady ?? false, false);
});
