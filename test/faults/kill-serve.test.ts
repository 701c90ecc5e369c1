/**
 * `kill -9` of the server at random moments under load: everything that was answered with 200 is there after the next
 * start, once, with the answer that was given. `TEST_ROUNDS` sets how often (default 3). Every third round kills the
 * embedded database as well.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { rounds } from '../support/rounds.ts';
import { killDatabase, startWeir, temporaryDirectory, type Weir } from '../support/weir.ts';

const ROUNDS = rounds(3);
const CLIENTS = 16;
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000aa',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };

interface Answered {
  event_id: string;
  score: number;
}

/** Posts events one after another until the server is gone; keeps what was answered with 200. */
async function client(weir: Weir, name: string, answered: Answered[], is_over: () => boolean): Promise<void> {
  for (let i = 0; !is_over(); i += 1) {
    const event = {
      event_id: `${name}-${i}`,
      action: 'email:message:send',
      parameters: { to: 'ana@north.test', n: i },
    };
    try {
      const response = await fetch(`${weir.api}/events`, { method: 'POST', headers, body: JSON.stringify(event) });
      const body = (await response.json()) as Answered;
      if (response.status === 200) answered.push({ event_id: body.event_id, score: body.score });
    } catch {
      // The connection broke: nothing is known of this event, and nothing was promised.
    }
  }
}

async function stored(weir: Weir): Promise<Map<string, number[]>> {
  const scores = new Map<string, number[]>();
  for (let page = 1; ; page += 1) {
    const url = `${weir.api}/scores/${KEY.BOOTSTRAP_CUSTOMER_ID}?per_page=100&page=${page}`;
    const body = (await (await fetch(url, { headers })).json()) as {
      scores: { event_id: string; final_score: number }[];
      total: number;
    };
    for (const { event_id, final_score } of body.scores)
      scores.set(event_id, [...(scores.get(event_id) ?? []), final_score]);
    if (body.scores.length < 100) return scores;
  }
}

test(`${ROUNDS} × kill -9 under load: what was answered is there, once`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  const data_dir = temporaryDirectory();
  const answered: Answered[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const weir = await startWeir({ data_dir, env: KEY });
      let is_over = false;
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        client(weir, `r${round}c${i}`, answered, () => is_over),
      );
      await new Promise((done) => setTimeout(done, 300 + Math.random() * 700));
      const gone = once(weir.child, 'exit');
      weir.child.kill('SIGKILL');
      if (round % 3 === 2) killDatabase(data_dir);
      is_over = true;
      await Promise.all([gone, ...clients]);
    }
    const weir = await startWeir({ data_dir, env: KEY });
    const found = await stored(weir);
    await weir.stop();
    assert.ok(answered.length > ROUNDS, `the load must reach the server; answered: ${answered.length}`);
    for (const { event_id, score } of answered) assert.deepEqual(found.get(event_id), [score], event_id);
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
});
