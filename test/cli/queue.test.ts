import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { makeRecord } from '../contract/start.ts';
import { temporaryDirectory } from '../support/weir.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';
import { weir as run } from './support.ts';

const customer = randomUUID();
const data_dir = temporaryDirectory();
const env = { DATA_DIR: data_dir, DATABASE_URL: '', REDIS_URL: '', NATS_URL: '' };
const weir = (...args: string[]) => run(['queue', ...args], { env });

before(async () => {
  const storage = await openEmbedded(data_dir, WIDE_LIMITS);
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

test('weir queue: many that are dead are listed in parts and come back at once', async () => {
  const storage = await openEmbedded(data_dir, WIDE_LIMITS);
  const other = randomUUID();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  await storage.queue.accept(
    other,
    ids.map((event_id) => {
      const { content_hash, event } = makeRecord(other, { event_id });
      return { event_id, content_hash, event, lane: 0 };
    }),
  );
  const lane = (await storage.queue.lease('w', 10_000, { lane: { customer_id: other, lane: 0 } }))!;
  for (const event of await storage.queue.take(lane, 'w', 10))
    await storage.queue.bury(event, event.event_id === 'e' ? 'no\u001b[31m rules\nat all' : 'out of memory');
  await storage.queue.release(lane, 'w');
  await storage.close();

  const page = await weir('dead', '--customer', other, '--limit', '2', '--page', '2');
  assert.deepEqual(
    [...page.stdout.matchAll(/ ([a-e]) +\d{4}-/g)].map(([, id]) => id),
    ['c', 'd'],
  );
  assert.match(page.stdout, /Events 3 to 4 are shown; 5 in all are set aside\./);
  const json = await weir('dead', '--customer', other, '--limit', '2', '--page', '3', '--json');
  assert.deepEqual(
    (JSON.parse(json.stdout) as { event_id: string }[]).map(({ event_id }) => event_id),
    ['e'],
  );
  assert.match(json.stderr, /Events 5 to 5 are shown; 5 in all are set aside/);
  assert.match((await weir('dead', '--page', '9')).stdout, /Page 9 is empty; 5 in all are set aside/);
  assert.match((await weir('dead', '--reason', 'rules')).stdout, / e +.* no \[31m rules at all$/m);

  for (const wrong of [
    ['retry'],
    ['retry', 'a'],
    ['retry', '--all', 'a'],
    ['retry', 'a', '--customer', other, '--reason', 'x'],
    ['dead', '--limit', '0'],
    ['dead', '--page', '1e3'],
  ])
    assert.equal((await weir(...wrong)).code, 2, wrong.join(' '));
  assert.match((await weir('retry', '--all', '--reason', 'nothing of this')).stdout, /No such event is set aside/);
  assert.match((await weir('retry', '--all', '--reason', 'memory')).stdout, /4 events wait to be scored again/);
  assert.match((await weir('retry', '--all', '--customer', other)).stdout, /1 event waits to be scored again/);
  assert.equal((await weir('retry', '--all')).stdout, 'No such event is set aside.\n');
});
