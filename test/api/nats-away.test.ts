/** NATS only says where work is: without it a node starts, works and says what is wrong, and uses it as soon as it can. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { call, fullEvent } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { NO_NATS_SERVER, startNats } from '../support/nats.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { freePort } from '../support/port.ts';
import { type AnyWeir, startWeir } from '../support/weir.ts';

interface Health {
  status: string;
  dependencies: { nats?: { status: string } };
}

async function healthOf(weir: AnyWeir): Promise<[status: string, nats: string | undefined]> {
  const { json } = await call(`${weir.api}/health/detailed`);
  const { status, dependencies } = json as unknown as Health;
  return [status, dependencies.nats?.status];
}

async function untilHealthy(weir: AnyWeir): Promise<void> {
  while ((await healthOf(weir))[1] !== 'ok') await sleep(50);
}

async function untilSaid(weir: AnyWeir, words: RegExp): Promise<void> {
  while (!words.test(weir.stderr())) {
    assert(weir.isRunning(), weir.stderr());
    await sleep(50);
  }
}

/** Accepts a batch of one, and waits for its score. */
async function scoreInBatch(weir: AnyWeir): Promise<void> {
  const event = fullEvent();
  const accepted = await call(`${weir.api}/events/batch`, { key: weir.api_key, body: { events: [event] } });
  assert.equal(accepted.status, 202, accepted.text);
  const url = `${weir.api}/scores/event/${event.event_id}`;
  while ((await call(url, { key: weir.api_key })).status !== 200) await sleep(50);
}

/** Says what it is told to whoever connects, and nothing more. */
async function serverThatSays(greeting: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.write(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `nats://127.0.0.1:${port}`, close };
}

const INFO = { server_id: 'x', version: '2.9.0', proto: 1, headers: true, max_payload: 1_048_576, tls_required: true };

describe('NATS that cannot be used', { timeout: 2 * PATIENCE_MS }, () => {
  for (const [what, greeting, reason] of [
    ['says nothing', '', /it does not answer/],
    ['is something else', 'SSH-2.0-OpenSSH_9.2\r\n', /the server at this address is not a NATS server/],
    // The client never lets go of this one.
    ['falls silent', `INFO ${JSON.stringify(INFO)}\r\n`, /cannot be used: timeout/],
  ] as const) {
    test(`a server that ${what}: a start, work, a line in the log, and an end in order`, async () => {
      const server = await serverThatSays(greeting);
      const weir = await startWeir({ env: { NATS_URL: server.url } });
      try {
        assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
        await scoreInBatch(weir);
        await untilSaid(weir, reason);
        assert.equal((await weir.stop()).code, 0, weir.stderr());
      } finally {
        server.close();
      }
    });
  }
});

describe('NATS that comes', { skip: NO_NATS_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  test('later than Weir is used then, with its streams made', async () => {
    const port = await freePort();
    const weir = await startWeir({ env: { NATS_URL: `nats://127.0.0.1:${port}` } });
    await untilSaid(weir, /cannot be used: .*ECONNREFUSED/);
    assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
    await scoreInBatch(weir);
    const nats = await startNats([], port);
    try {
      await untilHealthy(weir);
      assert.deepEqual(await healthOf(weir), ['ok', 'ok']);
      assert.match(weir.stderr(), /is in use/);
      const connection = await connect({ servers: nats.url });
      const manager = await jetstreamManager(connection);
      await manager.consumers.info('weir_work', 'workers');
      await connection.close();
      await scoreInBatch(weir);
      assert.equal((await weir.stop()).code, 0, weir.stderr());
    } finally {
      await nats.stop();
    }
  });

  test('with a name and a password takes those of the URL, and says when they are wrong', async () => {
    const nats = await startNats(['--user', 'ann', '--pass', '12/3']);
    const withIdentity = (identity: string): string => nats.url.replace('//', `//${identity}@`);
    try {
      const right = await startHostedWeir({ env: { NATS_URL: withIdentity('ann:12%2F3') } });
      await untilHealthy(right);
      await right.stop();
      const wrong = await startHostedWeir({ env: { NATS_URL: withIdentity('ann:hunter2') } });
      await untilSaid(wrong, /cannot be used: Authorization Violation/);
      assert.deepEqual(await healthOf(wrong), ['degraded', 'error']);
      await wrong.stop();
      assert.doesNotMatch(wrong.stderr(), /hunter2/);
    } finally {
      await nats.stop();
    }
  });

  test('without TLS is not used where the URL asks for it', async () => {
    const nats = await startNats();
    const weir = await startHostedWeir({ env: { NATS_URL: nats.url.replace('nats:', 'tls:') } });
    try {
      await untilSaid(weir, /cannot be used: .*tls/);
      assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
    } finally {
      await weir.stop();
      await nats.stop();
    }
  });
});

describe('NATS whose stream was altered', { skip: NO_NATS_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  test('is away until it is as it must be, and work goes on', async () => {
    const nats = await startNats();
    const connection = await connect({ servers: nats.url });
    const manager = await jetstreamManager(connection);
    const weir = await startHostedWeir({ env: { NATS_URL: nats.url } });
    try {
      await untilHealthy(weir);
      await manager.streams.delete('weir_work');
      await manager.streams.add({ name: 'weir_work', subjects: ['weir.work.>'] });
      await untilSaid(weir, /cannot be used: its stream `weir_work` cannot be used: .*different configuration/);
      assert.deepEqual(await healthOf(weir), ['degraded', 'error']);
      await scoreInBatch(weir);
      await manager.streams.delete('weir_work');
      await untilSaid(weir, /is in use/);
      assert.deepEqual(await healthOf(weir), ['ok', 'ok']);
      await scoreInBatch(weir);
    } finally {
      await connection.close();
      await weir.stop();
      await nats.stop();
    }
  });
});
