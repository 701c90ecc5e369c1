/** Real threads: they give the same scores as this thread, and events beside one that kills or hangs its thread are scored whole. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { MINUTE, memoryOfMany, WEDNESDAY } from '../../../../test/support/history.ts';
import { knowledge } from '../../../../test/support/knowledge.ts';
import { programOf } from '../../../../test/support/programs.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { contentOf, type Scorable } from '../../../events/submission.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createLog } from '../../../platform/log.ts';
import { OUTLINE_FLAG } from '../../../scoring/outline.ts';
import { compilePolicy, NO_POLICY } from '../../../scoring/policy/policy.ts';
import { ownersOf } from '../../memories/memories.ts';
import {
  type BeginScoring,
  createMakeScore,
  type MadeScore,
  type MakeScore,
  type Remembered,
  scoreHere,
} from '../make-score.ts';
import { createScoreCache } from '../score-cache.ts';
import { createScoringPool, type PoolParts } from './pool.ts';

interface Threads {
  score: MakeScore;
  /** Events that were scored in this thread so far. */
  here(): number;
  close(): Promise<void>;
}

/** Events of every size go to a thread, unless `parts` say otherwise. */
function startThreads(parts: Partial<PoolParts>): Threads {
  let here = 0;
  const begin = scoreHere(knowledge);
  const counting: BeginScoring = (...event) => {
    here += 1;
    return begin(...event);
  };
  const pool = createScoringPool({
    threads: 1,
    here: counting,
    rule_set_version: knowledge.version,
    is_structural: true,
    log: createLog('silent'),
    clock: systemClock,
    small: 0,
    lasting: { per_s: 0, surplus: -1 },
    entry: pathToFileURL(programOf('src/engine/making/threads/thread.ts')),
    ...parts,
  });
  return {
    score: createMakeScore(pool.begin, createScoreCache(knowledge.version)),
    here: () => here,
    close: pool.close,
  };
}

const here = createMakeScore(scoreHere(knowledge), createScoreCache(knowledge.version));

const event = (event_id: string, action = 'bank:money:transfer'): AgentEvent => ({
  event_id,
  action,
  timestamp: '2026-01-15T10:00:00Z',
  parameters: { recipient: 'GB29NWBK60161331926819', amount: Number(event_id.replace(/\D/g, '')) || 1 },
  user_context: 'Show me my messages.',
});

const owners = ownersOf('c', { agent: { agent_id: 'a' }, session: { session_id: 's' } })!;
const past = (n: number): Remembered => ({
  owners,
  memories: { agent: memoryOfMany(n, WEDNESDAY, MINUTE), session: memoryOfMany(n, WEDNESDAY, MINUTE) },
  now: WEDNESDAY + MINUTE,
});
const busy = past(40);
const newcomer = past(0);

/** Scores until the threads are there, so that what follows goes through them. */
async function warm({ score, here }: Threads, parts: Partial<AgentEvent> = {}): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    const before = here();
    await score('c', { event: { ...event(`warm-${n}`), ...parts } }, NO_POLICY, null, 'whole');
    if (here() === before) return;
    await sleep(20);
  }
  throw new Error('the threads did not start');
}
const scorable = (one: AgentEvent): Scorable => ({ event: one, ...contentOf(one) });
const isOutline = ({ assessment }: MadeScore): boolean => assessment.behavioral_flags.includes(OUTLINE_FLAG);
const scoreAll = ({ score }: Threads, events: readonly AgentEvent[]) =>
  Promise.all(events.map((one) => score('c', scorable(one), NO_POLICY, null, 'whole')));

describe('scoring threads', () => {
  let threads: Threads;
  before(async () => {
    threads = startThreads({ threads: 2 });
    await warm(threads);
  });
  after(() => threads.close());

  test('300 events at once get the same scores as in this thread, with each policy and past', async () => {
    const policies = [
      NO_POLICY,
      compilePolicy({ blocked_actions: ['bank:money:transfer'] }, 1, () => false, knowledge),
      compilePolicy({ allowed_action_patterns: ['repo:*:*'] }, 2, () => false, knowledge),
    ];
    const pasts = [null, busy, newcomer];
    const events = Array.from({ length: 300 }, (_, n) => event(`e-${n}`));
    const before = threads.here();
    const scored = await Promise.all(
      events.map((one, n) =>
        threads.score('c', { event: one }, policies[n % 3]!, pasts[n % 4 === 3 ? 2 : n % 2]!, 'whole'),
      ),
    );
    assert.equal(threads.here(), before);
    for (const [n, { assessment, json, past }] of scored.entries()) {
      const expected = await here(
        'c',
        { event: events[n]! },
        policies[n % 3]!,
        pasts[n % 4 === 3 ? 2 : n % 2]!,
        'whole',
      );
      assert.deepEqual(assessment, expected.assessment);
      assert.equal(JSON.stringify(assessment), JSON.stringify(expected.assessment));
      assert.equal(json.assessment.hidden, expected.json.assessment.hidden);
      assert.equal(json.assessment.shown, expected.json.assessment.shown);
      assert.deepEqual(past, expected.past);
      assert.equal(json.past, expected.json.past);
    }
  });

  test('a thread that loads other rules than the server says so in its assessments', async () => {
    const other = startThreads({ rule_set_version: 'of the start' });
    try {
      await warm(other);
      const { assessment } = await other.score('c', { event: event('e-7') }, NO_POLICY, null, 'whole');
      assert.equal(assessment.rule_set_version, knowledge.version);
    } finally {
      await other.close();
    }
  });

  test('events beyond those that a thread keeps between footprint and score are sent to it again', async () => {
    const events = Array.from({ length: 700 }, (_, n) => event(`f-${n}`));
    const score = (one: AgentEvent) => threads.score('c', scorable(one), NO_POLICY, busy, 'whole');
    const scored = await Promise.all(events.map(score));
    const expected = await Promise.all(events.map((one) => here('c', scorable(one), NO_POLICY, busy, 'whole')));
    assert.deepEqual(
      scored.map(({ assessment }) => assessment),
      expected.map(({ assessment }) => assessment),
    );
  });

  test('an outline, and nothing after closing', async () => {
    assert.ok(isOutline(await threads.score('c', { event: event('o-1') }, NO_POLICY, null, 'outline')));
    const closed = startThreads({});
    await warm(closed);
    const late = closed.score('c', { event: event('late') }, NO_POLICY, null, 'whole');
    const rejected = assert.rejects(async () => late, { name: 'StoreUnavailable' });
    await closed.close();
    await rejected;
  });
});

test('single small events are scored in this thread; crowds and large events go to a thread', async () => {
  const threads = startThreads({ threads: 2, small: 1_000, crowd: 4 });
  try {
    const long = 'x'.repeat(1_000);
    const large: Partial<AgentEvent>[] = [
      { user_context: long },
      { conversation_history: [{ role: 'user', content: long }] },
      { conversation_history: [{ role: 'tool', content: { text: long } }] },
      { parameters: { text: long } },
      { session: { session_id: long } },
    ];
    await warm(threads, large[0]);
    const here = async (events: AgentEvent[]): Promise<number> => {
      const before = threads.here();
      await scoreAll(threads, events);
      return threads.here() - before;
    };
    for (const parts of large) assert.equal(await here([{ ...event('large'), ...parts }]), 0, Object.keys(parts)[0]);
    const small = Array.from({ length: 4 }, (_, n) => ({ ...event(`s-${n}`), metadata: { text: long } }));
    const together = (n: number) => small.map((one) => ({ ...one, user_context: `warm ${n}` }));
    for (let n = 0; n < 500 && (await here(together(n))) > 0; n += 1) await sleep(20);
    assert.equal(await here(small.slice(0, 3)), 3);
    assert.equal(await here(small.slice(3)), 1);
    const others = small.map((one) => ({ ...one, user_context: 'other' }));
    assert.equal(await here(others), 0);
  } finally {
    await threads.close();
  }
});

test('threads for small events start after a flood that lasts', async () => {
  const crowd = (n: number) =>
    Array.from({ length: 4 }, (_, k) => ({ ...event(`w-${k}`), user_context: `${n + 100}` }));
  const characters = crowd(0).reduce((sum, one) => sum + scorable(one).scored_length!, 0);
  let now = 0;
  const threads = startThreads({
    threads: 2,
    small: 1_000,
    crowd: 4,
    lasting: { per_s: characters, surplus: 10 * characters },
    clock: { ...systemClock, ticks: () => now },
  });
  try {
    let n = 0;
    for (; n < 30; n += 1, now += 1_000) await scoreAll(threads, crowd(n));
    for (; n < 40; n += 1) await scoreAll(threads, crowd(n));
    await sleep(2_000);
    assert.equal(threads.here(), 160, 'one crowd a second is no flood, nor are ten at once');
    await scoreAll(threads, crowd(n));
    assert.equal(threads.here(), 164, 'the thread starts now');
    n += 1;
    for (let before = -1; before !== threads.here() && n < 500; n += 1) {
      await sleep(20);
      before = threads.here();
      await scoreAll(threads, crowd(n));
    }
    assert.ok(n < 500, 'the thread took over');
  } finally {
    await threads.close();
  }
});

test('large events that come together do not fill the memory of their thread', async () => {
  const threads = startThreads({ threads: 1 });
  try {
    await warm(threads);
    const words = Array.from({ length: 15_000 }, (_, n) => `user${n}@north${n % 977}.test`);
    const large = Array.from({ length: 64 }, (_, n) => ({ ...event(`large-${n}`), parameters: { n, words } }));
    const scored = await Promise.all(large.map((one) => threads.score('c', scorable(one), NO_POLICY, busy, 'whole')));
    assert.deepEqual(scored.filter(isOutline), []);
  } finally {
    await threads.close();
  }
});

test('one thread is for large events alone', async () => {
  const threads = startThreads({ threads: 1, small: 1_000 });
  try {
    await warm(threads, { user_context: 'x'.repeat(1_000) });
    const before = threads.here();
    await scoreAll(
      threads,
      Array.from({ length: 20 }, (_, n) => event(`s-${n + 1}`)),
    );
    assert.equal(threads.here() - before, 20);
  } finally {
    await threads.close();
  }
});

for (const fate of ['die', 'hang']) {
  test(`an event over which a thread would ${fate} is scored by its outline, events beside it are scored whole`, async () => {
    const entry = pathToFileURL(programOf('test/engine/hostile-thread.ts'));
    // A busy machine may take seconds for the neighbours' first scores, which is not a hang.
    const threads = startThreads({ entry, hang_ms: fate === 'hang' ? 5_000 : 60_000 });
    try {
      await warm(threads);
      const neighbours = Array.from({ length: 10 }, (_, n) => event(`n-${n}`));
      const bad = event('bad', `test:thread:${fate}`);
      const all = [...neighbours.slice(0, 5), bad, ...neighbours.slice(5)];
      const scored = await Promise.all(
        all.map((one, n) => threads.score('c', scorable(one), NO_POLICY, n % 2 ? busy : null, 'whole')),
      );
      assert.deepEqual(
        scored.map(isOutline),
        all.map(({ event_id }) => event_id === 'bad'),
      );
      const again = await threads.score('c', scorable(bad), NO_POLICY, null, 'whole');
      assert.ok(isOutline(again) && !again.cache_hit, 'an outline is not served again');
      const before = threads.here();
      const later = await threads.score('c', { event: event('later') }, NO_POLICY, null, 'whole');
      assert.ok(!isOutline(later) && threads.here() === before, 'the successor goes on');
    } finally {
      await threads.close();
    }
  });
}
