/** What callers see while the database or the cache is away, and that it passes by itself. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { newApiKey } from '../../src/platform/ids.ts';
import { callUnary, connect as connectGrpc } from '../grpc/client.ts';
import { call, fullEvent, problem } from '../support/client.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { USUAL_LIMITS_ENV } from '../support/wide-limits.ts';

/** A door in front of a server that can be shut, as a network does it. */
async function openDoor(target: URL) {
  const sockets = new Set<Socket>();
  /** Connections are taken and stay, and nothing comes through. */
  let is_frozen = false;
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = connect(Number(target.port || 5432), target.hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      const pass = (from: Socket, to: Socket) => from.on('data', (bytes) => void (!is_frozen && to.write(bytes)));
      pass(near, far);
      pass(far, near);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  const shut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    shut,
    freeze: () => {
      is_frozen = true;
    },
    /** What was lost meanwhile left holes in every conversation. */
    thaw: () => {
      is_frozen = false;
      for (const socket of sockets) socket.destroy();
    },
    open: async () => {
      server = await listen(port);
    },
  };
}

interface BehindDoor {
  weir: Weir;
  door: Awaited<ReturnType<typeof openDoor>>;
  key: string;
  customer_id: string;
}

/** Runs the work with a server whose database follows a door that can be shut and frozen. */
async function withDoor(work: (parts: BehindDoor) => Promise<void>): Promise<void> {
  const database = await makeDatabase();
  const door = await openDoor(new URL(database.url));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String(door.port);
  const key = newApiKey('weir');
  const customer_id = randomUUID();
  const own = { DATABASE_URL: url.href, BOOTSTRAP_CUSTOMER_ID: customer_id, BOOTSTRAP_API_KEY: key };
  const env = { ...USUAL_LIMITS_ENV, ...own };
  let weir: Weir | undefined;
  try {
    weir = await startWeir({ env });
    await work({ weir, door, key, customer_id });
  } finally {
    await weir?.stop();
    await door.shut();
    await database.drop();
  }
}

test('while the database is away: 503, degraded health, recovery without a restart', async (t) => {
  if (NO_SERVER !== undefined) return t.skip(`an outage of the database was NOT tested: ${NO_SERVER}`);
  await withDoor(async ({ weir, door, key, customer_id }) => {
    const event = fullEvent();
    const scored = await call(`${weir.api}/events`, { key, body: event });
    assert.equal(scored.status, 200, scored.text);

    await door.shut();
    for (const [path, body] of [
      ['/events', fullEvent()],
      [`/scores/${customer_id}`, undefined],
      [`/scores/event/${event.event_id}`, undefined],
    ] as const) {
      const reply = await call(weir.api + path, { key, ...(body !== undefined && { body }) });
      problem(reply, 503);
      assert.match(reply.headers.get('retry-after')!, /^\d+$/);
      assert.ok(!reply.text.includes(String(door.port)));
    }
    problem(await call(`${weir.api}/events`, { key: newApiKey('weir'), body: event }), 503);
    const client = connectGrpc(weir.grpc);
    const refused = await callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' } }, { key });
    client.close();
    assert.equal(refused.code, status.UNAVAILABLE);
    assert.ok(refused.details['RetryInfo'] && !refused.message.includes(String(door.port)));
    const health = await call(`${weir.api}/health/detailed`);
    assert.equal(health.status, 200);
    assert.equal(health.json['status'], 'degraded');
    assert.equal((health.json['dependencies'] as { relational_db: { status: string } }).relational_db.status, 'error');
    assert.equal((await call(`${weir.api}/health`)).status, 200);

    await door.open();
    let again = await call(`${weir.api}/events`, { key, body: event });
    while (again.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      again = await call(`${weir.api}/events`, { key, body: event });
    }
    assert.deepEqual([again.status, again.text], [200, scored.text]);
  });
});

test('a database that takes connections and never answers: 503 on every port while it is frozen', async (t) => {
  if (NO_SERVER !== undefined) return t.skip(`a frozen database was NOT tested: ${NO_SERVER}`);
  await withDoor(async ({ weir, door, key, customer_id }) => {
    const { api, auth } = weir;
    const events = [fullEvent(), fullEvent(), fullEvent()];
    const scored = await call(`${api}/events`, { key, body: events[0] });
    assert.equal(scored.status, 200, scored.text);
    const begun = events.slice(1).map((body) => call(`${api}/events`, { key, body }));
    door.freeze();
    const replies = await Promise.all([
      ...events.map((body) => call(`${api}/events`, { key, body })),
      call(`${api}/events/batch`, { key, body: { events: [fullEvent()] } }),
      call(`${api}/scores/${customer_id}`, { key }),
      call(`${api}/scores/${customer_id}/summary`, { key }),
      call(`${auth}/api-keys/${customer_id}`),
      call(`${auth}/tokens/app`, { body: { customer_id } }),
    ]);
    for (const reply of replies) {
      problem(reply, 503);
      assert.match(reply.headers.get('retry-after')!, /^\d+$/);
    }
    // What is in work when it freezes, and what comes after it is known.
    for (const reply of await Promise.all(begun)) if (reply.status !== 200) problem(reply, 503);
    problem(await call(`${api}/events`, { key, body: fullEvent() }), 503);
    const health = await call(`${api}/health/detailed`);
    assert.equal(health.json['status'], 'degraded');

    door.thaw();
    for (const body of events) {
      let again = await call(`${api}/events`, { key, body });
      while (again.status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        again = await call(`${api}/events`, { key, body });
      }
      assert.equal(again.status, 200, again.text);
    }
    const summary = await call(`${api}/scores/${customer_id}/summary`, { key });
    assert.equal(summary.json['total_events'], events.length, 'each once');
  });
});

test('a cache that is away is seen in the health and nowhere else', async () => {
  // Port 1 is never open.
  const weir = await startWeir({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
  try {
    const health = await call(`${weir.api}/health/detailed`);
    assert.equal(health.json['status'], 'degraded');
    assert.equal((health.json['dependencies'] as { cache: { status: string } }).cache.status, 'error');
    const reply = await call(`${weir.api}/events`, { key: weir.api_key, body: fullEvent() });
    assert.equal(reply.status, 200, reply.text);
  } finally {
    assert.equal((await weir.stop()).code, 0);
  }
});
