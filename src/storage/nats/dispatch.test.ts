/** The error that the node sees when NATS answers and refuses. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiscardPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NO_NATS_SERVER, startNats } from '../../../test/support/nats.ts';
import type { OwnServer } from '../../../test/support/own-server.ts';
import { PATIENCE_MS, until } from '../../../test/support/patience.ts';
import type { Dispatch, Lane } from '../ports/queue.ts';
import { natsDispatch } from './dispatch.ts';

const LANE: Lane = { customer_id: '0197a2c4-7e10-7c00-8000-0000000000ad', lane: 3 };
const WORK = 'weir_work';

describe('nats: a stream that refuses', { skip: NO_NATS_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  let nats: OwnServer;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  before(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    manager = await jetstreamManager(connection);
  });
  after(async () => {
    await connection?.close();
    await nats?.stop();
  });
  beforeEach(async () => {
    for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
  });

  /** Runs with a dispatch that is up; returns its notices. */
  async function withDispatch(work: (dispatch: Dispatch) => Promise<void>): Promise<string[]> {
    const said: string[] = [];
    const dispatch = natsDispatch(nats.url, 'weir', (text) => said.push(text));
    try {
      await until(dispatch.isUp, 'it is up');
      await work(dispatch);
    } finally {
      await dispatch.close();
    }
    return said;
  }

  async function untilAway(dispatch: Dispatch): Promise<void> {
    await until(() => !dispatch.isUp(), 'it is away');
    assert.equal((await dispatch.health()).status, 'error');
    await assert.rejects(dispatch.announce([LANE]), /cannot be used/);
  }

  async function untilUp(dispatch: Dispatch): Promise<void> {
    await until(dispatch.isUp, 'it is up again');
    assert.equal((await dispatch.health()).status, 'ok');
    await dispatch.announce([LANE]);
  }

  const ABOUT_WORK = /its stream `weir_work` cannot be used: .*; remove the stream, and Weir creates it again; /;

  test('a full stream counts as away from the first refused announcement until it has room', async () => {
    const said = await withDispatch(async (dispatch) => {
      await dispatch.announce([{ ...LANE, lane: 1 }]);
      const { config } = await manager.streams.info(WORK);
      await manager.streams.update(WORK, { ...config, max_msgs: 1, discard: DiscardPolicy.New });
      await assert.rejects(dispatch.announce([LANE]), /maximum messages exceeded/);
      await untilAway(dispatch);
      await manager.streams.update(WORK, config);
      await untilUp(dispatch);
    });
    assert.match(said[0]!, ABOUT_WORK);
    assert.match(said[1]!, /is in use$/);
    assert.equal(said.length, 2, said.join('\n'));
  });

  test('a stream that an operator created again counts as away, also for a node that announces nothing', async () => {
    const said = await withDispatch(async (dispatch) => {
      await manager.streams.delete(WORK);
      await manager.streams.add({ name: WORK, subjects: ['weir.work.>'] });
      await untilAway(dispatch);
      await manager.streams.delete(WORK);
      await untilUp(dispatch);
    });
    assert.match(said[0]!, ABOUT_WORK);
    assert.match(said[1]!, /is in use$/);
    assert.equal(said.length, 2, said.join('\n'));
  });

  test('a stream that vanished is created again without a notice', async () => {
    const served: Lane[] = [];
    const said = await withDispatch(async (dispatch) => {
      dispatch.serve(2, async (lane) => {
        served.push(lane);
        return false;
      });
      await manager.streams.delete(WORK);
      await assert.rejects(dispatch.announce([LANE]));
      for (;;)
        if (
          await dispatch.announce([LANE]).then(
            () => true,
            () => sleep(50, false),
          )
        )
          break;
      await until(() => served.length > 0, 'it is served');
    });
    assert.deepEqual(served[0], LANE, 'and nothing but what was announced');
    assert.deepEqual(said, []);
  });
});
