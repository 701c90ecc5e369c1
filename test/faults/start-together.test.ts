/**
 * Many nodes that start at the same moment on one empty database: each of them starts, however long the others keep it
 * waiting; and a database that is not ready yet is waited for.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { makeEmptyDatabase, NO_SERVER } from '../support/test-database.ts';
import { startWeir } from '../support/weir.ts';
import { USUAL_LIMITS_ENV, WIDE_LIMITS } from '../support/wide-limits.ts';

const NODES = 6;

/** For a process whose machine is so busy that reading the ontology takes longer than the time-outs of a database. */
const SLOW_READING = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const read = fs.readFileSync;
let left_ms = 7000;
fs.readFileSync = (path, ...rest) => {
  if (String(path).endsWith('.yaml') && left_ms > 0) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    left_ms -= 100;
  }
  return read(path, ...rest);
};
syncBuiltinESMExports();`;

/** A message of the server that refuses a connection. */
function refusal(state: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Refuses that many connections as a server does that is not ready, and leads the others to `target`. */
async function unreadyServer(target: URL, refusals: Buffer[]): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on('error', () => {}));
    const refused = refusals.shift();
    if (refused !== undefined) return void near.once('data', () => near.end(refused));
    const far = connect(Number(target.port || 5432), target.hostname).on('error', () => near.destroy());
    sockets.add(far);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, close };
}

describe('starts', { skip: NO_SERVER ?? false, timeout: 2 * PATIENCE_MS }, () => {
  test(`${NODES} nodes together on an empty database`, async () => {
    const database = await makeEmptyDatabase();
    try {
      const env = { DATABASE_URL: database.url };
      const starts = await Promise.allSettled(Array.from({ length: NODES }, () => startWeir({ env })));
      for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
      const failures = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
      assert.deepEqual(failures, []);
    } finally {
      await database.drop();
    }
  });

  test('a node that gets hardly any processor', async () => {
    const database = await makeEmptyDatabase();
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SLOW_READING)}`;
    try {
      const weir = await startWeir({ env: { ...USUAL_LIMITS_ENV, DATABASE_URL: database.url, NODE_OPTIONS } });
      assert.equal((await weir.stop()).code, 0, weir.stderr());
    } finally {
      await database.drop();
    }
  });

  test('a server that cannot do the last things of a start at once is waited for', async () => {
    const database = await makeEmptyDatabase();
    try {
      await (await openPostgres(database.url, WIDE_LIMITS)).close();
      // Tries are counted by a sequence, which keeps its value when a statement fails.
      for (const [table, state] of [
        ['rule_texts', '25006'],
        ['api_keys', '55P03'],
      ]) {
        await database.run(`create sequence tries_${table}`);
        await database.run(`create function busy_${table}() returns trigger language plpgsql as $$ begin
          if nextval('tries_${table}') < 3 then raise exception 'busy' using errcode = '${state}'; end if;
          return null;
        end $$`);
        await database.run(`create trigger busy before insert on ${table} execute function busy_${table}()`);
      }
      const env = {
        DATABASE_URL: database.url,
        BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ab',
        BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
      };
      const weir = await startWeir({ env });
      assert.match(weir.stdout() + weir.stderr(), /waiting for PostgreSQL at .*: busy/);
      assert.equal((await weir.stop()).code, 0, weir.stderr());
    } finally {
      await database.drop();
    }
  });

  test('a server that starts up or has no room yet is waited for, and the reason is said once', async () => {
    const database = await makeEmptyDatabase();
    const starting = refusal('57P03', 'the database system is starting up');
    const full = refusal('53300', 'sorry, too many clients already');
    const server = await unreadyServer(new URL(database.url), [starting, starting, full, full]);
    const notices: string[] = [];
    try {
      const storage = await openPostgres(server.url, { ...WIDE_LIMITS, notice: (text) => notices.push(text) });
      assert.equal((await storage.health()).status, 'ok');
      await storage.close();
      assert.equal(notices.length, 1);
      assert.match(
        notices[0]!,
        /^waiting for PostgreSQL at `127\.0\.0\.1:\d+\/.*`: the database system is starting up$/,
      );
    } finally {
      server.close();
      await database.drop();
    }
  });
});
