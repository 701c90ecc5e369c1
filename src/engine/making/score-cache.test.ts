import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { footprint, QUIET } from '../../../test/support/history.ts';
import { knowledge, scoreOf } from '../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../events/event.ts';
import { contentOf } from '../../events/submission.ts';
import type { JsonObject } from '../../lang/json.ts';
import type { Past } from '../../records/record.ts';
import { AssessmentJson, historyJson } from '../../records/texts.ts';
import { compilePolicy, NO_POLICY } from '../../scoring/policy/policy.ts';
import { type EventReading, read as readEvent } from '../../scoring/score.ts';
import type { Assessment, CompiledPolicy, History } from '../../scoring/types.ts';
import { createScoreCache, type OpenContent, type Scored } from './score-cache.ts';

const EVENT: AgentEvent = {
  event_id: 'e1',
  action: 'email:message:send',
  timestamp: '2026-03-04T10:00:00Z',
  agent: { agent_id: 'a', agent_type: 't', framework: 'f', model: 'm' },
  session: { session_id: 's', user_id: 'u', started_at: '2026-03-04T09:00:00Z' },
  target: { resource_type: 'mailbox', resource_id: 'r', sensitivity_level: 1 },
  parameters: { to: 'ana@north.test', body: 'b' },
  mcp_context: { server_name: 'n', server_id: 'i', transport: 'http', is_verified: true, tool_name: 'send' },
  data_fields_accessed: ['x', { field: 'y', classification: 'PII' }],
  preceding_actions: ['a:b:c'],
  user_context: 'please',
  conversation_history: [{ role: 'user', content: 'hello' }],
  metadata: { a: 1 },
};

const rule = (condition: string): CompiledPolicy =>
  compilePolicy({ custom_rules: { r: { condition, score_impact: 5, description: '' } } }, 1, () => false);
const keyOf = (event: AgentEvent, policy = NO_POLICY, customer = 'c', version = 'v') =>
  createScoreCache(version).contentKey(customer, { event, ...contentOf(event) }, policy);

test('id, metadata and minutes change nothing; customer, versions and the hour do', () => {
  const same = { ...EVENT, event_id: 'e2', metadata: { b: 2 }, timestamp: '2026-03-11T10:59:59.5Z' };
  assert.equal(keyOf(same), keyOf(EVENT));
  assert.notEqual(keyOf(EVENT, NO_POLICY, 'd'), keyOf(EVENT));
  assert.notEqual(keyOf(EVENT, NO_POLICY, 'c', 'w'), keyOf(EVENT));
  assert.notEqual(
    keyOf(
      EVENT,
      compilePolicy({}, 1, () => false),
    ),
    keyOf(EVENT),
  );
  assert.notEqual(keyOf({ ...EVENT, timestamp: '2026-03-04T11:00:00Z' }), keyOf(EVENT));
  assert.notEqual(keyOf({ ...EVENT, timestamp: '2026-03-05T10:00:00Z' }), keyOf(EVENT));
});

test('a condition that reads the id or the whole timestamp makes them count', () => {
  const later = { ...EVENT, timestamp: '2026-03-04T10:00:01Z' };
  const named = { ...EVENT, event_id: 'e2' };
  const by_time = rule('hour(timestamp) >= 9');
  const by_id = rule('event_id == "e2"');
  assert.notEqual(keyOf(later, by_time), keyOf(EVENT, by_time));
  assert.equal(keyOf(named, by_time), keyOf(EVENT, by_time));
  assert.notEqual(keyOf(named, by_id), keyOf(EVENT, by_id));
});

/** Every place of the event, as a path, with one that is added. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => places(one, [...path, name]));
  return [...inner, [...path, 'added']];
}

test('any other change of any field is another key', () => {
  const { event_id: _id, metadata: _metadata, timestamp: _timestamp, ...content } = EVENT;
  for (const path of places(content)) {
    const changed = structuredClone(EVENT) as unknown as JsonObject;
    const last = path.at(-1)!;
    const owner = path.slice(0, -1).reduce<JsonObject>((at, name) => at[name] as JsonObject, changed);
    if (Array.isArray(owner) && last === 'added') (owner as unknown[]).push('z');
    else owner[last] = 'changed';
    assert.notEqual(keyOf(changed as unknown as AgentEvent), keyOf(EVENT), path.join('.'));
  }
});

test('equal keys have equal scores', () => {
  const time = fc.constantFrom('2026-03-04T10:00:00Z', '2026-03-04T10:30:00+00:00', '2026-03-11T10:05:00Z', 'x');
  fc.assert(
    fc.property(time, time, fc.uuid(), fc.uuid(), (t1, t2, id1, id2) => {
      const [one, two] = [
        { ...EVENT, timestamp: t1, event_id: id1 },
        { ...EVENT, timestamp: t2, event_id: id2 },
      ];
      if (keyOf(one) !== keyOf(two)) return;
      assert.deepEqual(scoreOf(one), scoreOf(two));
    }),
  );
});

const shown = ({ json, cache_hit }: Scored) => ({ assessment: json.assessment, cache_hit });
const assessmentOf = (score: number) =>
  new AssessmentJson({ score, findings: [], compliance_refs: [] } as unknown as Assessment);
/** The cached score of a content for a history, or one that is made now. */
function scored(
  content: OpenContent,
  history: History | null,
  score: number,
  read: EventReading | null = null,
): Scored {
  return content.find(history) ?? content.add(history, assessmentOf(score), () => read);
}

test('a score is cached for its history, and never for an event without a hash of its content', () => {
  const cache = createScoreCache('v');
  const key = keyOf(EVENT);
  assert.equal(scored(cache.open(key), null, 1).cache_hit, false);
  assert.equal(scored(cache.open(key), QUIET, 2).json.assessment.score, 2);
  assert.deepEqual(shown(scored(cache.open(key), QUIET, 3)), {
    assessment: { score: 2, findings: [], compliance_refs: [] },
    cache_hit: true,
  });
  assert.deepEqual(shown(scored(cache.open(key), null, 4)), {
    assessment: { score: 1, findings: [], compliance_refs: [] },
    cache_hit: true,
  });
  assert.equal(createScoreCache('v').contentKey('c', { event: EVENT }, NO_POLICY), null);
  assert.equal(scored(cache.open(null), null, 5).cache_hit, false);
  assert.equal(scored(cache.open(null), null, 6).cache_hit, false);
});

test('the footprint of one content is kept with its scores, whatever its past', () => {
  const cache = createScoreCache('v');
  const key = keyOf(EVENT);
  const first = cache.open(key);
  assert.equal(first.footprint, null);
  first.footprint = footprint();
  scored(first, null, 1);
  assert.deepEqual(cache.open(key).footprint, footprint());
  assert.equal(cache.open(null).footprint, null);
});

test('the scores of one content for its newest pasts are cached', () => {
  const cache = createScoreCache('v');
  const key = keyOf(EVENT);
  const score = (repeats: number) => scored(cache.open(key), { ...QUIET, repeats }, repeats);
  for (let repeats = 0; repeats < 10; repeats++) assert.equal(score(repeats).cache_hit, false);
  assert.equal(score(9).cache_hit, true);
  assert.equal(score(0).cache_hit, false, 'the oldest made room');
  assert.equal(score(0).json.assessment.score, 0);
});

test('the reading of an event is cached for the next event with its content, unless it is large or has no key', () => {
  const cache = createScoreCache('v');
  const key = keyOf(EVENT);
  const read = readEvent(EVENT, NO_POLICY, knowledge);
  const score = (key: string | null, repeats: number, length?: number) =>
    scored(cache.open(key, length), { ...QUIET, repeats }, repeats, read);
  assert.equal(cache.open(key).reading(NO_POLICY), null);
  score(key, 0, 1_000);
  assert.equal(cache.open(key).reading(NO_POLICY), read);
  score(null, 1, 1_000);
  assert.equal(cache.open(null).reading(NO_POLICY), null);
  const others = [10_000, undefined].map((length) => ({ key: keyOf({ ...EVENT, user_context: `${length}` }), length }));
  for (const { key, length } of others) for (const repeats of [0, 1]) score(key, repeats, length);
  for (const { key } of others) assert.equal(cache.open(key).reading(NO_POLICY), null, 'it would take too much');
});

test('a score that several events waited for is cached once', () => {
  const cache = createScoreCache('v');
  const key = keyOf(EVENT);
  const content = cache.open(key);
  const all = [1, 2, 3, 4, 5].map(() => content.add(QUIET, assessmentOf(7), () => null));
  assert.deepEqual(
    all.map(({ cache_hit }) => cache_hit),
    [false, false, false, false, false],
  );
  scored(content, null, 8);
  assert.equal(scored(cache.open(key), QUIET, 9).json.assessment.score, 7);
  assert.equal(scored(cache.open(key), null, 9).json.assessment.score, 8);
  for (const repeats of [1, 2]) scored(cache.open(key), { ...QUIET, repeats }, 10);
  assert.equal(scored(cache.open(key), QUIET, 9).cache_hit, true, 'it took one place of four');
});

test('the past that is stored is made once for one history and one claimed day', () => {
  const cache = createScoreCache('v');
  const kept = (claimed_day: number, history = QUIET) => {
    const { past } = scored(cache.open(keyOf(EVENT)), { ...history }, 1);
    return past({ claimed_hour: 3, claimed_day }, (json) => ({ past: {} as Past, json: `${claimed_day} ${json}` }));
  };
  // The cache does not hold the past of a score that is never asked for again.
  assert.equal(kept(1).json, `1 ${historyJson(QUIET)}`);
  const again = kept(1);
  assert.equal(again.json, `1 ${historyJson(QUIET)}`);
  assert.equal(kept(1), again);
  assert.equal(kept(2).json, `2 ${historyJson(QUIET)}`);
  const refused = { ...QUIET, refused: 2 as const };
  assert.equal(kept(1, refused).json, `1 ${historyJson(refused)}`);
});
