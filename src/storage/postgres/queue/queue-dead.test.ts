/** Set-aside events and their ids. `test/contract/queue-dead.ts` has what every backend promises. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeQueued, recordOf } from '../../../../test/contract/queue-start.ts';
import { makeRecord, newCustomer } from '../../../../test/contract/start.ts';
import { connectTo, NO_SERVER, useNode } from '../../../../test/support/test-database.ts';
import type { TakenEvent } from '../../ports/queue.ts';
import { dropExpired } from '../partitions/partitions.ts';

describe('set-aside events and their ids', { skip: NO_SERVER ?? false }, () => {
  const own = useNode();

  const KEPT_DAYS = 10_000;
  const retain = () => dropExpired({ url: own.database.url }, KEPT_DAYS);
  const expire = () =>
    own.database.run('update event_partitions set is_gone = true where from_time <= now() and to_time > now()');
  const deadRows = async (customer_id: string) =>
    (await own.database.run('select event_id from queue_dead where customer_id = $1 order by 1', [customer_id])).map(
      ({ event_id }) => event_id,
    );
  const accept = (customer_id: string, ...names: string[]) =>
    own.storage.queue.accept(
      customer_id,
      names.map((event_id) => makeQueued(customer_id, { event_id })),
    );

  async function withLane(customer_id: string, work: (take: () => Promise<TakenEvent[]>) => Promise<void>) {
    const lane = await own.storage.queue.lease('w', 10_000, { lane: { customer_id, lane: 0 } });
    assert.ok(lane !== null, 'the lane has work');
    await work(() => own.storage.queue.take(lane, 'w', 10));
    await own.storage.queue.release(lane, 'w', true);
  }

  /** Accepts the events and sets all of them aside. */
  async function bury(customer_id: string, ...names: string[]): Promise<void> {
    await accept(customer_id, ...names);
    await withLane(customer_id, async (take) => {
      for (const event of await take()) await own.storage.queue.bury(event, 'cannot');
      assert.deepEqual(await take(), []);
    });
  }

  /** As if a worker had died holding all chunks of the customer. */
  const loseAll = (customer_id: string) =>
    own.database.run(
      `update queue_lanes l set lost = array(select seq from queue_chunks q where q.customer_id = l.customer_id and q.lane = l.lane order by seq)
       where customer_id = $1`,
      [customer_id],
    );
  const textOf = ({ event }: TakenEvent) => (event.parameters as { text: string }).text;

  test('retention removes them with their events, and leaves the unscored ones', async () => {
    const customer_id = newCustomer();
    await bury(customer_id, 'scored', 'waits');
    await own.storage.scores.record(recordOf(customer_id, 'scored'));
    await expire();
    assert.equal((await retain()).length, 1);
    assert.deepEqual(await deadRows(customer_id), ['waits']);
    assert.equal((await own.storage.queue.stats(customer_id)).dead, 1);
    assert.equal(await own.storage.queue.reviveAll({ customer_id }), 1);
  });

  test('an event whose key is gone was scored: it is neither listed nor put back', async () => {
    const customer_id = newCustomer();
    await bury(customer_id, 'a', 'b', 'c');
    await own.database.run(`delete from event_keys where customer_id = $1 and event_id <> 'c'`, [customer_id]);
    assert.equal((await own.storage.queue.stats(customer_id)).dead, 1);
    const { events, total } = await own.storage.queue.buried({ customer_id }, 1, 10);
    assert.deepEqual([total, events.map(({ event_id }) => event_id)], [1, ['c']]);
    assert.equal(await own.storage.queue.revive(customer_id, 'a'), false);
    assert.deepEqual(await deadRows(customer_id), ['b', 'c']);
    assert.equal(await own.storage.queue.reviveAll({ customer_id }), 1);
    assert.deepEqual(await deadRows(customer_id), []);
    await withLane(customer_id, async (take) =>
      assert.deepEqual(
        (await take()).map(({ event_id }) => event_id),
        ['c'],
      ),
    );
  });

  test('an event that another door has scored is not put back', async () => {
    const customer_id = newCustomer();
    await bury(customer_id, 'a', 'b');
    for (const name of ['a', 'b']) await own.storage.scores.record(recordOf(customer_id, name));
    assert.equal(await own.storage.queue.revive(customer_id, 'a'), false);
    assert.equal(await own.storage.queue.reviveAll({ customer_id }), 0);
    assert.equal((await own.storage.queue.stats(customer_id)).waiting, 0);
    assert.deepEqual(await deadRows(customer_id), []);
  });

  test('putting all back skips a locked event, which waits for the next time', async () => {
    const customer_id = newCustomer();
    await bury(customer_id, 'a', 'b', 'c');
    const other = await connectTo(own.database.url);
    try {
      await other.query('begin');
      await other.query(`select from queue_dead where customer_id = $1 and event_id = 'b' for update`, [customer_id]);
      assert.equal(await own.storage.queue.reviveAll({ customer_id }), 2);
    } finally {
      await other.end();
    }
    assert.deepEqual(await deadRows(customer_id), ['b']);
    assert.equal(await own.storage.queue.reviveAll({ customer_id }), 1);
  });

  test('a new event under the id is scored, even if a worker dies holding it', async () => {
    for (const is_dropped of [true, false]) {
      const customer_id = newCustomer();
      await bury(customer_id, 'again');
      await own.storage.scores.record(recordOf(customer_id, 'again'));
      await expire();
      // Invisible already, whether or not its key is gone.
      if (is_dropped) await own.database.run('delete from event_keys where customer_id = $1', [customer_id]);
      assert.deepEqual(await accept(customer_id, 'again'), { kind: 'accepted', event_ids: ['again'] });
      await retain();
      await loseAll(customer_id);
      assert.equal((await own.storage.queue.stats(customer_id)).waiting, 1);
      await withLane(customer_id, async (take) => {
        assert.deepEqual(
          (await take()).map(({ event_id, deaths }) => [event_id, deaths]),
          [['again', 0]],
        );
        assert.equal((await own.storage.scores.record(recordOf(customer_id, 'again'))).kind, 'stored');
        assert.deepEqual(await take(), []);
      });
    }
  });

  test('an old row with other content blocks nothing, and makes room for the new event', async () => {
    const customer_id = newCustomer();
    await accept(customer_id, 'again');
    // As left before claiming an id removed it.
    await own.database.run(
      `insert into queue_dead (customer_id, event_id, lane, content_hash, event, reason, accepted_at)
       values ($1, 'again', 0, 'of another', '{}', 'old', now())`,
      [customer_id],
    );
    await loseAll(customer_id);
    const { waiting, dead } = await own.storage.queue.stats(customer_id);
    assert.deepEqual({ waiting, dead }, { waiting: 1, dead: 0 });
    await withLane(customer_id, async (take) => {
      await own.storage.queue.bury((await take())[0]!, 'cannot');
      assert.deepEqual(await take(), []);
    });
    const { events } = await own.storage.queue.buried({ customer_id }, 1, 10);
    assert.deepEqual(
      events.map(({ reason }) => reason),
      ['cannot'],
    );
    await retain();
    assert.deepEqual(await deadRows(customer_id), ['again']);
  });

  test('of two events that used one id in turn, each in a lost chunk, only one is set aside', async () => {
    const customer_id = newCustomer();
    await accept(customer_id, 'twice');
    await own.storage.scores.record(recordOf(customer_id, 'twice'));
    await own.database.run('delete from event_keys where customer_id = $1', [customer_id]);
    const text = 'something else';
    await own.storage.queue.accept(customer_id, [makeQueued(customer_id, { event_id: 'twice', text })]);
    await loseAll(customer_id);
    await withLane(customer_id, async (take) => {
      const [first] = await take();
      assert.notEqual(textOf(first!), text);
      await own.storage.queue.bury(first!, 'its id is another’s');
      const [second] = await take();
      assert.equal(textOf(second!), text);
      assert.equal((await own.storage.queue.stats(customer_id)).dead, 0);
      await own.storage.queue.bury(second!, 'cannot');
      assert.deepEqual(await take(), []);
    });
    const { events } = await own.storage.queue.buried({ customer_id }, 1, 10);
    assert.deepEqual(
      events.map(({ reason }) => reason),
      ['cannot'],
    );
    await own.storage.queue.revive(customer_id, 'twice');
    await withLane(customer_id, async (take) => {
      assert.deepEqual((await take()).map(textOf), [text]);
      const outcome = await own.storage.scores.record(makeRecord(customer_id, { event_id: 'twice', text }));
      assert.equal(outcome.kind, 'stored');
      assert.deepEqual(await take(), []);
    });
  });
});
