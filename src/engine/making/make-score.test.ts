import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, memoryOfMany, WEDNESDAY } from '../../../test/support/history.ts';
import { asEvent, knowledge } from '../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../events/event.ts';
import { contentOf } from '../../events/submission.ts';
import { NO_POLICY } from '../../scoring/policy/policy.ts';
import { ownersOf } from '../memories/memories.ts';
import { type BeginScoring, createMakeScore, scoreHere } from './make-score.ts';
import { createScoreCache } from './score-cache.ts';

const owners = ownersOf('c', { agent: { agent_id: 'a' }, session: { session_id: 's' } })!;

/** How often an event is read that comes three times, with another past each time. */
function readings(event: AgentEvent): number {
  let count = 0;
  const begin = scoreHere(knowledge);
  const counting: BeginScoring = (...parts) => {
    count += 1;
    return begin(...parts);
  };
  const score = createMakeScore(counting, createScoreCache(knowledge.version));
  for (const n of [0, 7, 12]) {
    const memory = memoryOfMany(n, WEDNESDAY, MINUTE, { action: event.action });
    const remembered = { owners, memories: { agent: memory, session: memory }, now: WEDNESDAY + MINUTE };
    const scored = score('c', { event, ...contentOf(event) }, NO_POLICY, remembered, 'whole');
    assert.ok(!(scored instanceof Promise) && !scored.cache_hit);
  }
  return count;
}

test('an event that is sent again with another past is not read again', () => {
  assert.equal(readings(asEvent({ action: 'crm:contact:update', metadata: { note: 'short' } })), 1);
});

test('the reading of a large event is not cached, also when its size is in fields that no score reads', () => {
  const long = 'x'.repeat(10_000);
  assert.equal(readings(asEvent({ action: 'crm:contact:update', metadata: { long } })), 3);
  assert.equal(readings(asEvent({ action: 'crm:contact:update', parameters: { long } })), 3);
});
