/**
 * `kill -9` of the server at random moments while it accepts and scores batches: every event of a batch that was answered
 * with 202 has exactly one score in the end. `TEST_ROUNDS` sets how often (default 3). Every third round kills the
 * embedded database as well. The first round waits for its first accepted batch, however slow the machine is, so that
 * there is something to lose; the other rounds kill at any moment from the start of the load.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import { rounds } from '../support/rounds.ts';
import { killDatabase, startWeir, temporaryDirectory, type Weir } from '../support/weir.ts';

const ROUNDS = rounds(3);
const BATCH = 1_000;
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ab',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };

/** Submits batches until the server is gone; adds the ids of those that were accepted to `accepted`. */
async function submitAll(weir: Weir, round: number, accepted: string[], is_over: () => boolean): Promise<void> {
  for (let batch = 0; !is_over(); batch += 1) {
    const events = Array.from({ length: BATCH }, (_, n) => ({
      event_id: `r${round}b${batch}e${n}`,
      action: 'email:message:send',
      session: { session_id: `s${n % 50}` },
      parameters: { to: 'ana@north.test', n },
    }));
    try {
      const response = await fetch(`${weir.api}/events/batch`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ events }),
      });
      const { event_ids } = (await response.json()) as { event_ids: string[] };
      if (response.status === 202) accepted.push(...event_ids);
    } catch {
      // The connection broke: nothing is known of this batch, and nothing was promised.
    }
  }
}

async function get(weir: Weir, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${weir.api}${path}`, { headers })).json()) as Record<string, unknown>;
}

/** How often each event is in the list of scores. */
async function countScores(weir: Weir): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let page = 1; ; page += 1) {
    const { scores } = (await get(weir, `/scores/${KEY.BOOTSTRAP_CUSTOMER_ID}?per_page=100&page=${page}`)) as {
      scores: { event_id: string }[];
    };
    for (const { event_id } of scores) counts.set(event_id, (counts.get(event_id) ?? 0) + 1);
    if (scores.length < 100) return counts;
  }
}

/** Events accepted and not scored yet. */
async function waitingEvents({ metrics }: Weir): Promise<number> {
  const text = await (await fetch(`${metrics}/metrics`)).text();
  return Number(/^weir_queue_waiting_events (\d+)$/m.exec(text)![1]);
}

test(`${ROUNDS} × kill -9 while batches are scored: each accepted event has one score`, {
  timeout: PATIENCE_MS + ROUNDS * 30_000,
}, async () => {
  const data_dir = temporaryDirectory();
  const accepted: string[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const weir = await startWeir({ data_dir, env: KEY });
      let is_over = false;
      const submitting = submitAll(weir, round, accepted, () => is_over);
      while (round === 0 && accepted.length === 0) await sleep(20);
      await sleep(200 + Math.random() * 1_000);
      const gone = once(weir.child, 'exit');
      weir.child.kill('SIGKILL');
      if (round % 3 === 2) killDatabase(data_dir);
      is_over = true;
      await gone;
      await submitting;
    }
    const weir = await startWeir({ data_dir, env: { ...KEY, METRICS_PORT: '0' } });
    // The test's own time-out bounds this: a slow machine has thousands of events to score.
    while ((await waitingEvents(weir)) > 0) await sleep(200);
    const counts = await countScores(weir);
    await weir.stop();
    assert.ok(accepted.length >= BATCH, `the load must reach the server; accepted: ${accepted.length}`);
    const wrong = accepted.filter((event_id) => counts.get(event_id) !== 1);
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} of ${accepted.length} have no score, or two`);
    assert.ok([...counts.values()].every((count) => count === 1));
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
});
