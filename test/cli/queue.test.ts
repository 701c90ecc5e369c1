import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { makeRecord } from '../../src/storage/contract/start.ts';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { temporaryDirectory } from '../support/weir.ts';
import { weir as run } from './support.ts';

const customer = randomUUID();
const data_dir = temporaryDirectory();
const env = { DATA_DIR: data_dir, DATABASE_URL: '', REDIS_URL: '', NATS_URL: '' };
const weir = (...args: string[]) => run(['queue', ...args], { env });

before(async () => {
  const storage = await openEmbedded(data_dir);
  const accept = (event_id: string) => {
    const { content_hash, event } = makeRecord(customer, { event_id });
    return storage.queue.accept(customer, [{ event_id, content_hash, event, lane: 0 }]);
  };
  await accept('two');
  const lane = (await storage.queue.lease('w', 10_000))!;
  const [two] = await storage.queue.take(lane, 'w', 10);
  await storage.queue.bury(two!, 'cannot be scored');
  await storage.queue.release(lane, 'w');
  await accept('one');
  await storage.close();
});
after(() => rmSync(data_dir, { recursive: true, force: true }));

test('weir queue: what waits, what is dead, and how it comes back', async () => {
  const status = await weir('status', '--json');
  assert.equal(status.code, 0, status.stderr);
  const stats = JSON.parse(status.stdout) as Record<string, number>;
  assert.deepEqual([stats['waiting'], stats['dead'], stats['leased_lanes']], [1, 1, 0]);
  assert.match((await weir()).stdout, /waiting +1\n +oldest +[\d.]+ s\n.*\n +dead +1 /);
  assert.match((await weir('dead')).stdout, new RegExp(`${customer} +two +.* cannot be scored`));
  const wrong = await weir('retry', '--customer', customer, 'three');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /no event `three` of this customer is set aside/);
  assert.equal((await weir('retry', '--customer', customer, 'two')).code, 0);
  assert.equal((JSON.parse((await weir('status', '--json')).stdout) as Record<string, number>)['waiting'], 2);
});
