/** Real threads: the same scores as inline, and what becomes of the others when one event kills or hangs its thread. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { knowledge } from '../../../test/support/knowledge.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { OUTLINE_FLAG } from '../../scoring/outline.ts';
import { compilePolicy, NO_POLICY } from '../../scoring/policy.ts';
import type { AgentEvent } from '../../scoring/types.ts';
import { createScoreCache } from '../score-cache.ts';
import { createScoreEvent, type ScoredEvent } from '../score-event.ts';
import { contentOf, type Scorable } from '../submission.ts';
import { createScoringPool, type ScoringPool } from './pool.ts';

const inline = createScoreEvent(knowledge, createScoreCache(knowledge.version));
const log = createLog('silent');
/** However small an event is, it goes to a thread. */
const shared = { inline, rule_set_version: knowledge.version, log, clock: systemClock, small: 0 };

const event = (event_id: string, action = 'bank:money:transfer'): AgentEvent => ({
  event_id,
  action,
  timestamp: '2026-01-15T10:00:00Z',
  parameters: { recipient: 'GB29NWBK60161331926819', amount: Number(event_id.replace(/\D/g, '')) || 1 },
  user_context: 'Show me my messages.',
});

/** Scores until the threads are there, so that what follows goes through them. */
async function warm(pool: ScoringPool, parts: Partial<AgentEvent> = {}): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    const { json } = await pool.score('c', { event: { ...event(`warm-${n}`), ...parts } }, NO_POLICY, null, 'whole');
    if (json.event !== undefined) return;
    await sleep(20);
  }
  throw new Error('the threads did not start');
}
const scorable = (one: AgentEvent): Scorable => ({ event: one, ...contentOf(one) });
const isOutline = ({ assessment }: ScoredEvent): boolean => assessment.behavioral_flags.includes(OUTLINE_FLAG);

describe('scoring threads', () => {
  let pool: ScoringPool;
  before(async () => {
    pool = createScoringPool({ ...shared, threads: 2 });
    await warm(pool);
  });
  after(() => pool.close());

  test('300 events at once have the scores that they have inline, whatever the policy', async () => {
    const policies = [
      NO_POLICY,
      compilePolicy({ blocked_actions: ['bank:money:transfer'] }, 1, () => false, knowledge),
      compilePolicy({ allowed_action_patterns: ['repo:*:*'] }, 2, () => false, knowledge),
    ];
    const events = Array.from({ length: 300 }, (_, n) => event(`e-${n}`));
    const scored = await Promise.all(
      events.map((one, n) => pool.score('c', { event: one }, policies[n % 3]!, null, 'whole')),
    );
    for (const [n, { assessment, json }] of scored.entries()) {
      const expected = await inline('c', { event: events[n]! }, policies[n % 3]!, null, 'whole');
      assert.deepEqual(assessment, expected.assessment);
      assert.equal(json.assessment.whole, JSON.stringify(expected.assessment));
      assert.equal(json.event, JSON.stringify(events[n]));
    }
  });

  test('what is small is scored where it was read, whatever of it would make it large goes to a thread', async () => {
    const choosy = createScoringPool({ ...shared, threads: 1, small: 1_000 });
    try {
      const long = 'x'.repeat(1_000);
      const large: Partial<AgentEvent>[] = [
        { user_context: long },
        { conversation_history: [{ role: 'user', content: long }] },
        { conversation_history: [{ role: 'tool', content: { text: long } }] },
        { parameters: { text: long } },
        { session: { session_id: long } },
      ];
      await warm(choosy, large[0]);
      for (const parts of large) {
        const { json } = await choosy.score('c', scorable({ ...event('large'), ...parts }), NO_POLICY, null, 'whole');
        assert.ok(json.event !== undefined, Object.keys(parts)[0]);
      }
      for (const parts of [{}, { metadata: { text: long } }]) {
        const { json } = await choosy.score('c', scorable({ ...event('small'), ...parts }), NO_POLICY, null, 'whole');
        assert.equal(json.event, undefined, 'only a thread hands over the JSON of the event');
      }
    } finally {
      await choosy.close();
    }
  });

  test('an outline, and nothing after closing', async () => {
    assert.ok(isOutline(await pool.score('c', { event: event('o-1') }, NO_POLICY, null, 'outline')));
    const closed = createScoringPool({ ...shared, threads: 1 });
    await warm(closed);
    const late = closed.score('c', { event: event('late') }, NO_POLICY, null, 'whole');
    const rejected = assert.rejects(async () => late, { name: 'StoreUnavailable' });
    await closed.close();
    await rejected;
  });
});

for (const fate of ['die', 'hang']) {
  test(`an event over which a thread would ${fate} is scored by its outline, its neighbours whole`, async () => {
    const entry = new URL('hostile-thread.ts', import.meta.url);
    const pool = createScoringPool({ ...shared, threads: 1, entry, hang_ms: 1_500 });
    try {
      await warm(pool);
      const neighbours = Array.from({ length: 10 }, (_, n) => event(`n-${n}`));
      const all = [...neighbours.slice(0, 5), event('bad', `test:thread:${fate}`), ...neighbours.slice(5)];
      const scored = await Promise.all(all.map((one) => pool.score('c', { event: one }, NO_POLICY, null, 'whole')));
      assert.deepEqual(
        scored.map(isOutline),
        all.map(({ event_id }) => event_id === 'bad'),
      );
      const later = await pool.score('c', { event: event('later') }, NO_POLICY, null, 'whole');
      assert.ok(later.json.event !== undefined, 'the successor goes on');
    } finally {
      await pool.close();
    }
  });
}
