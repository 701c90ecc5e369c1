import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRecord, missingOf, newCustomer } from '../../../test/contract/start.ts';
import { fillDataDir } from '../../../test/support/embedded-template.ts';
import { PATIENCE_MS } from '../../../test/support/patience.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { findBinaries } from './binaries.ts';
import { openEmbedded } from './index.ts';

describe('each fault at the start is one line', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'weir-start-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  async function startError(data_dir: string): Promise<string> {
    const error = await openEmbedded(data_dir).then(
      () => assert.fail('it started'),
      (reason: unknown) => reason,
    );
    assert(error instanceof Error && error.name === 'StartError', String(error));
    assert(!error.message.includes('\n'));
    return error.message;
  }

  test('a data directory that cannot be made', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    assert.match(
      await startError(join(file, 'data')),
      /^cannot write to the data directory `.*\/file\/data`: a part of the path is a file; set DATA_DIR/,
    );
    assert.match(await startError(file), /^cannot write to the data directory `.*\/file`: it is a file; set DATA_DIR/);
    if (process.platform === 'linux')
      assert.match(await startError('/proc/weir'), /^cannot write .*`\/proc\/weir`: ENOENT/);
  });

  test('a cluster of another PostgreSQL', async () => {
    await fillDataDir(dir);
    writeFileSync(join(dir, 'postgres/PG_VERSION'), '17\n');
    assert.match(await startError(dir), /was made by PostgreSQL `17`, this version of Weir ships `18`: dump it/);
  });

  test('a cluster that PostgreSQL itself refuses', async () => {
    await fillDataDir(dir);
    rmSync(join(dir, 'postgres/global/pg_control'));
    assert.match(await startError(dir), /^PostgreSQL did not start on `.*`: .*pg_control.*; see `.*postgres\.log`$/);
  });

  test('a platform without binaries', async () => {
    await assert.rejects(findBinaries('plan9-mips'), {
      name: 'StartError',
      message: /^there is no embedded PostgreSQL for `plan9-mips` in node_modules: .* DATABASE_URL/,
    });
  });
});

/** A small disk to fill up; `null` where this process may not mount one. */
function mountSmallDisk(size: string): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'weir-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', dir], { stdio: 'ignore' });
    return dir;
  } catch {
    rmSync(dir, { recursive: true });
    return null;
  }
}

function unmount(dir: string | null): void {
  if (dir === null) return;
  execFileSync('umount', [dir]);
  rmSync(dir, { recursive: true });
}

describe('a full disk', () => {
  let tiny: string | null = null;
  let small: string | null = null;
  before(() => {
    tiny = mountSmallDisk('8m');
    small = mountSmallDisk('160m');
  });
  after(() => {
    unmount(tiny);
    unmount(small);
  });

  test('at the first start', async (t) => {
    if (tiny === null) return t.skip('may not mount a small disk here: a full disk at the start is not tested');
    await assert.rejects(openEmbedded(tiny), { name: 'StartError', message: /the disk is full; free some space/ });
  });

  test('later: writes are refused as unavailable, no acknowledged write is lost, and freeing space is enough', async (t) => {
    if (small === null) return t.skip('may not mount a small disk here: a disk that fills up is not tested');
    const storage = await openEmbedded(small);
    // Also where the test fails: a database on a disk that cannot be unmounted keeps the file running for ever.
    t.after(() => storage.close());
    const customer_id = newCustomer();
    const answered: string[] = [];
    const write = async () => {
      // A text that compresses would need ten times as many writes to fill the disk.
      const record = makeRecord(customer_id, { text: randomBytes(5_250).toString('base64') });
      await storage.scores.record(record);
      answered.push(record.event_id);
    };
    const ballast = join(small, 'ballast');
    execFileSync('fallocate', ['-l', '60M', ballast]);
    await assert.rejects(
      async () => {
        for (let n = 0; n < 500; n += 1) await Promise.all(Array.from({ length: 50 }, write));
      },
      (error) => error instanceof StoreUnavailable,
    );
    rmSync(ballast);
    const deadline = performance.now() + PATIENCE_MS;
    while (
      !(await write().then(
        () => true,
        () => false,
      ))
    ) {
      assert(performance.now() < deadline, 'it does not recover');
      await sleep(50);
    }
    assert.deepEqual(await missingOf(storage, customer_id, answered), []);
  });
});
