/**
 * `kill -9` of the server at random moments under load: everything that was answered with 200 is there after the next
 * start, once, with the answer that was given. `TEST_ROUNDS` sets how often (default 3). Every third round kills the
 * embedded database as well.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, KNOWN_CUSTOMER, postEvents, storedScores } from '../support/journal.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { rounds } from '../support/rounds.ts';
import { killDatabase, startWeir, temporaryDirectory } from '../support/weir.ts';

const ROUNDS = rounds(3);
const CLIENTS = 16;
test(`${ROUNDS} × kill -9 under load: what was answered is there, once`, {
  timeout: PATIENCE_MS + ROUNDS * 20_000,
}, async () => {
  const data_dir = temporaryDirectory();
  const answered: Answered[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const weir = await startWeir({ data_dir, env: KNOWN_CUSTOMER });
      let is_over = false;
      const before = answered.length;
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        postEvents(weir, `r${round}c${i}`, answered, () => is_over),
      );
      while (answered.length === before) await sleep(10);
      await sleep(Math.random() * 700);
      const gone = once(weir.child, 'exit');
      weir.child.kill('SIGKILL');
      if (round % 3 === 2) killDatabase(data_dir);
      is_over = true;
      await Promise.all([gone, ...clients]);
    }
    const weir = await startWeir({ data_dir, env: KNOWN_CUSTOMER });
    const found = await storedScores(weir);
    await weir.stop();
    assert.ok(answered.length > ROUNDS, `the load must reach the server; answered: ${answered.length}`);
    for (const { event_id, score } of answered) assert.deepEqual(found.get(event_id), [score], event_id);
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
});
