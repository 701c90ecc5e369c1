import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { makeRecord, newCustomer } from '../../../test/contract/start.ts';
import { fillDataDir } from '../../../test/support/embedded-template.ts';
import { serverPid } from '../../../test/support/kill-server.ts';
import { until } from '../../../test/support/patience.ts';
import { childOf } from '../../../test/support/programs.ts';
import { WIDE_LIMITS } from '../../../test/support/wide-limits.ts';
import { connectionConfig } from '../postgres/connection/pool.ts';
import { prepareCluster } from './cluster.ts';
import { openEmbedded } from './index.ts';
import { targetOf } from './server.ts';

const CHILD = childOf('test/storage/embedded-child.ts');

let data_dir: string;
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'weir-life-'));
});
afterEach(() => rmSync(data_dir, { recursive: true, force: true }));

/** Another process with the store open, and a way to close it in order. */
async function openInChild(): Promise<{ child: ChildProcess; close(): Promise<void> }> {
  const child = spawn(process.execPath, [...CHILD, data_dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! });
  assert.deepEqual(await once(lines, 'line'), ['open']);
  return {
    child,
    async close() {
      child.stdin!.end();
      await once(child, 'exit');
    },
  };
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** A process that was told to end needs a moment to exit. */
async function isGone(pid: number): Promise<boolean> {
  await until(() => !isRunning(pid), `the process ${pid} is gone`);
  return true;
}

describe('the embedded server', () => {
  test('a first start makes a private cluster and a log, and removes the remains of a killed one', async () => {
    const leftover = join(data_dir, 'postgres.new-999999999-abcdef');
    mkdirSync(leftover);
    writeFileSync(join(leftover, 'PG_VERSION'), '18');
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    await storage.close();
    assert.deepEqual(readdirSync(data_dir).sort(), ['postgres', 'postgres.log']);
    assert.equal(statSync(join(data_dir, 'postgres')).mode & 0o777, 0o700);
    assert.equal(statSync(join(data_dir, 'postgres.log')).mode & 0o777, 0o600);
  });

  test('it answers on its socket only, and a write is on disk before it is acknowledged', async () => {
    await fillDataDir(data_dir);
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    const client = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-test')));
    await client.connect();
    const show = async (name: string) => (await client.query(`show ${name}`)).rows[0][name];
    assert.equal(await show('listen_addresses'), '');
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
      assert.equal(await show(name), 'on', name);
    }
    await client.end();
    await storage.close();
  });

  test('two processes that start at once on a new directory share one server', async () => {
    const children = await Promise.all([openInChild(), openInChild(), openInChild()]);
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    const record = makeRecord(newCustomer());
    assert.equal((await storage.scores.record(record)).kind, 'stored');
    const pid = serverPid(data_dir);
    for (const { close } of children) await close();
    assert(isRunning(pid) && serverPid(data_dir) === pid, 'it stays while someone uses it');
    assert.notEqual(await storage.scores.find(record.customer_id, record.event_id), null);
    await storage.close();
    assert(await isGone(pid), 'the last one stops it');
    assert.deepEqual(readdirSync(data_dir).sort(), ['postgres', 'postgres.log']);
  });

  test('when several processes close at the same moment, one stops the server', async () => {
    await fillDataDir(data_dir);
    for (const count of [2, 3, 4]) {
      const storages = await Promise.all(Array.from({ length: count }, () => openEmbedded(data_dir, WIDE_LIMITS)));
      const pid = serverPid(data_dir);
      await Promise.all(storages.map((storage) => storage.close()));
      assert(await isGone(pid), `of ${count}`);
    }
  });

  test('a connection that the server still lists after its process has closed does not keep it running', async () => {
    await fillDataDir(data_dir);
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    const pid = serverPid(data_dir);
    const lingering = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-0123abcd')));
    lingering.on('error', () => {});
    await lingering.connect();
    await storage.close();
    assert(await isGone(pid));
  });

  test('a server left behind by a killed process is taken over', async () => {
    await fillDataDir(data_dir);
    const { child } = await openInChild();
    const pid = serverPid(data_dir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert(isRunning(pid), 'it outlives its parent');
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    assert.equal(serverPid(data_dir), pid);
    await storage.close();
    assert(await isGone(pid));
  });

  test('never a second server on a directory, also when it was moved while the first one runs', async () => {
    await fillDataDir(data_dir);
    const { child } = await openInChild();
    const pid = serverPid(data_dir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const moved = `${data_dir}-moved`;
    renameSync(data_dir, moved);
    try {
      const storage = await openEmbedded(moved, WIDE_LIMITS);
      assert.equal(serverPid(moved), pid);
      await storage.close();
      assert(await isGone(pid));
    } finally {
      rmSync(moved, { recursive: true });
    }
  });

  test('a pid file of a dead server is not an obstacle, even when its id belongs to another program now', async () => {
    await fillDataDir(data_dir);
    for (const pid of [process.pid, 999_999_999]) {
      await (await openEmbedded(data_dir, WIDE_LIMITS)).close();
      for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
        writeFileSync(join(data_dir, 'postgres', lock), `${pid}\n${join(data_dir, 'postgres')}\n1\n5432\n\n\n`);
      }
      const storage = await openEmbedded(data_dir, WIDE_LIMITS);
      assert.equal((await storage.health()).status, 'ok');
      assert.notEqual(serverPid(data_dir), pid);
      await storage.close();
    }
  });

  test('a directory whose path is too long for a socket', async () => {
    const long = join(data_dir, 'a long name '.repeat(12));
    const storage = await openEmbedded(long, WIDE_LIMITS);
    const { socket_dir, dir } = await prepareCluster(long);
    assert.notEqual(socket_dir, dir);
    assert.equal(statSync(socket_dir).mode & 0o777, 0o700);
    assert.equal((await storage.health()).status, 'ok');
    await storage.close();
    assert(!existsSync(socket_dir));
  });

  test('data of customers do not get into its log', async () => {
    await fillDataDir(data_dir);
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    const record = { ...makeRecord(newCustomer(), { text: 'secret-in-event' }), content_hash: 'secret\0in-hash' };
    await assert.rejects(storage.scores.record(record));
    await assert.rejects(storage.scores.record(makeRecord(newCustomer(), { text: 'secret-too', score: 101 })));
    await storage.close();
    assert.doesNotMatch(readFileSync(join(data_dir, 'postgres.log'), 'utf8'), /secret/);
  });
});

const IS_ROOT = process.getuid?.() === 0;

describe('as root', {
  skip: IS_ROOT ? false : 'not root: which account PostgreSQL gets under root is not tested',
}, () => {
  const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8');

  test('PostgreSQL runs as an account without rights of its own', async () => {
    await fillDataDir(data_dir);
    chmodSync(data_dir, 0o755);
    const storage = await openEmbedded(data_dir, WIDE_LIMITS);
    const status = statusOf(serverPid(data_dir));
    assert.doesNotMatch(status, /^Uid:\t0\t/m);
    await storage.close();
  });

  test('below a directory that only root may enter, it gets the capability to traverse directories, and no other', async () => {
    chmodSync(data_dir, 0o700);
    const storage = await openEmbedded(join(data_dir, 'inner'), WIDE_LIMITS);
    const status = statusOf(serverPid(join(data_dir, 'inner')));
    assert.doesNotMatch(status, /^Uid:\t0\t/m);
    // Bits 1 and 2: CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH.
    assert.match(status, /^CapEff:\t0000000000000006$/m);
    assert.equal((await storage.scores.record(makeRecord(newCustomer()))).kind, 'stored');
    await storage.close();
  });

  test('without setpriv the error says what to do', async () => {
    chmodSync(data_dir, 0o700);
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    try {
      await assert.rejects(openEmbedded(data_dir, WIDE_LIMITS), {
        name: 'StartError',
        message: /install `setpriv` \(util-linux\), open the/,
      });
    } finally {
      process.env['PATH'] = path;
    }
    assert.deepEqual(readdirSync(data_dir), []);
  });
});
