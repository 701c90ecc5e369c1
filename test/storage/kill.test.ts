/**
 * An answered write survives `kill -9`: of the service, of its database, of both, at any moment.
 * TEST_ROUNDS sets how often each run kills; 5 by default.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { missingOf } from '../contract/start.ts';
import { killServer } from '../support/kill-server.ts';
import { patiently } from '../support/patiently.ts';
import { childOf } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

const ROUNDS = rounds(5);
const CHILD = childOf('test/storage/kill-child.ts');

/** What dies in a round, in this order. */
const KILLS = ['service', 'both', 'database', 'service', 'database, then service'] as const;
type Kill = (typeof KILLS)[number];

describe('kill -9', () => {
  let data_dir: string;
  before(() => {
    data_dir = mkdtempSync(join(tmpdir(), 'weir-kill-'));
  });
  after(() => rmSync(data_dir, { recursive: true, force: true }));

  /** One round: load, kill at a random moment, and the ids that were acknowledged until then. */
  async function acknowledgedUntilKilled(
    kill: Kill,
    customer_id: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<string[]> {
    const child = spawn(process.execPath, [...CHILD, data_dir, customer_id], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child.stdout, 'close');
    const acknowledged: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => acknowledged.push(line));
    while (acknowledged.length === 0) await sleep(5);
    await sleep(randomInt(20, 300));
    if (kill !== 'service') killServer(data_dir);
    if (kill === 'database') await sleep(randomInt(300, 600));
    if (kill === 'database, then service') await sleep(randomInt(0, 100));
    child.kill('SIGKILL');
    await ended;
    // The last line may be cut off.
    return acknowledged.filter((id) => id.length === 36);
  }

  /** What is wrong afterwards, in words. */
  async function faultsAfter(customer_id: string, acknowledged: string[]): Promise<string[]> {
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    try {
      const faults: string[] = [];
      const missing = await missingOf(storage, customer_id, acknowledged);
      if (missing.length > 0)
        faults.push(`${missing.length} of ${acknowledged.length} acknowledged events are missing`);
      const { total_events } = await patiently(() => storage.scores.summary(customer_id));
      const all = { from_date: '2001-01-01T00:00:00Z' };
      const { total } = await patiently(() => storage.scores.list(customer_id, all, 1, 1));
      if (total_events !== total) faults.push(`the totals say ${total_events}, there are ${total}`);
      if (new Set(acknowledged).size !== acknowledged.length) faults.push('an event was acknowledged twice');
      return faults;
    } finally {
      await storage.close();
    }
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const kill = KILLS[round % KILLS.length]!;
    test(`round ${round + 1}, ${kill}: every acknowledged event is there, once`, async (t) => {
      const customer_id = randomUUID();
      const acknowledged = await acknowledgedUntilKilled(kill, customer_id);
      t.diagnostic(`${acknowledged.length} acknowledged`);
      assert.deepEqual(await faultsAfter(customer_id, acknowledged), []);
    });
  }

  test('the check finds out a service that acknowledges before the write is done', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const customer_id = randomUUID();
      const acknowledged = await acknowledgedUntilKilled('both', customer_id, { ACKNOWLEDGE_EARLY: '1' });
      const faults = await faultsAfter(customer_id, acknowledged);
      if (faults.some((fault) => fault.includes('missing'))) return;
    }
    assert.fail('five kills of such a service lost nothing: the check proves nothing');
  });
});
