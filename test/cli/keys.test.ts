import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import { programOf } from '../support/programs.ts';
import { weir } from './support.ts';

const CUSTOMER = '0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10';
const data_dir = mkdtempSync(join(tmpdir(), 'weir-keys-'));
// The embedded database runs as another user where the tests run as root.
chmodSync(data_dir, 0o755);
after(() => rmSync(data_dir, { recursive: true, force: true }));
const env = { DATA_DIR: data_dir, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'warn', HOST: '127.0.0.1' };

async function keys(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await weir(['keys', ...args, '--json'], { env });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function startServer(): Promise<{ url: string; stop: () => Promise<number | null> }> {
  const child = spawn(process.execPath, [programOf('src/main.ts'), 'serve', '--roles', 'api'], {
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (part: Buffer) => {
    printed += part.toString();
  });
  const url = (): string | undefined => /scoring API +(http:\S+)/.exec(printed)?.[1];
  while (url() === undefined && child.exitCode === null) await sleep(50);
  assert.equal(child.exitCode, null, `the server did not start: ${printed}`);
  return {
    url: url()!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      return (await ended)[0] as number | null;
    },
  };
}

const ask = async (url: string, api_key: unknown): Promise<number> =>
  (await fetch(`${url}/scores/${CUSTOMER}/summary`, { headers: { 'x-api-key': String(api_key) } })).status;

/** Another process learns of a change within a second or two. */
async function becomes(status: number, probe: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let last = await probe();
  while (last !== status && performance.now() < deadline) {
    await sleep(100);
    last = await probe();
  }
  assert.equal(last, status);
}

test('a key made and revoked on the command line counts at a running server', async () => {
  const server = await startServer();
  try {
    const made = await keys('create', '--customer', CUSTOMER, '--name', 'ci');
    assert.match(String(made['api_key']), /^weir_key_/);
    await becomes(200, () => ask(server.url, made['api_key']));
    const listed = (await weir(['keys', 'list', '--customer', CUSTOMER], { env })).stdout;
    assert.match(listed, new RegExp(`^${made['key_id']} +ci +events:write scores:read policies:read +20\\S+ +–$`, 'm'));
    assert.doesNotMatch(listed, /weir_key_/, 'the key itself is shown once, when it is made');
    const revoked = await keys('revoke', String(made['key_id']));
    assert.notEqual(revoked['revoked_at'], null);
    await becomes(401, () => ask(server.url, made['api_key']));
    assert.equal(await ask(server.url, 'weir_key_of_nobody_at_all'), 401);
  } finally {
    assert.equal(await server.stop(), 0, 'SIGTERM ends the server in order');
  }
});

test('without a server, and without a customer', async () => {
  const { code, stdout } = await weir(['keys', 'create'], { env });
  assert.equal(code, 0);
  assert.match(stdout, /^The key is shown this once; keep it\.\n\n {2}API key {6}weir_key_\S+\n/);
  const customer = /customer_id {2}(\S+)/.exec(stdout)![1]!;
  const listed = JSON.parse(
    (await weir(['keys', 'list', '--customer', customer, '--json'], { env })).stdout,
  ) as unknown[];
  assert.equal(listed.length, 1);
  const none = await weir(['keys', 'list', '--customer', '00000000-0000-4000-8000-000000000000'], { env });
  assert.match(none.stdout, /has no keys\.\n$/);
});

test('a key that is not there is one line, a database that is not there one while it waits and one when it ends', async () => {
  const unknown = await weir(['keys', 'revoke', '00000000-0000-4000-8000-000000000000'], { env });
  assert.equal(unknown.code, 1);
  assert.equal(unknown.stderr, 'weir: there is no API key with this key_id\n');
  const gone = await weir(['keys', 'create'], { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
  assert.equal(gone.code, 1);
  const [waits, ends, ...more] = gone.stderr.trimEnd().split('\n');
  assert.match(waits!, /^weir: waiting for PostgreSQL at `127\.0\.0\.1:1\/none`: /);
  assert.match(ends!, /^weir: cannot use PostgreSQL at `127\.0\.0\.1:1\/none`: /);
  assert.deepEqual(more, []);
});

test('a data directory that was not there is named, so that nobody takes it for the one of the server', async () => {
  const elsewhere = { ...env, DATA_DIR: join(data_dir, 'elsewhere') };
  const made = await weir(['keys', 'create', '--json'], { env: elsewhere });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /^weir: made a new data directory `[^`]+elsewhere`; [^\n]+\n$/);
  const listed = await weir(['keys', 'list', '--customer', CUSTOMER], { env: elsewhere });
  assert.deepEqual([listed.code, listed.stderr], [0, '']);
});
