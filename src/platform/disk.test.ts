import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freeBytes, LOW_BYTES, measureDisk } from './disk.ts';

test('the file system with the least counts', async () => {
  const left: Record<string, number> = { a: LOW_BYTES * 3, b: LOW_BYTES, c: LOW_BYTES - 1 };
  const measure = async (path: string) => left[path]!;
  assert.deepEqual(await measureDisk(['a', 'b'], measure), { status: 'ok', free_bytes: LOW_BYTES });
  assert.deepEqual(await measureDisk(['a', 'c'], measure), { status: 'degraded', free_bytes: LOW_BYTES - 1 });
});

test('one that cannot be told, or does not answer, is an error', async () => {
  const unknown = { status: 'error', free_bytes: null };
  assert.deepEqual(await measureDisk(['a'], () => Promise.reject(new Error('EIO'))), unknown);
  // Holds the process, as the open request to a file system does.
  const open = setInterval(() => {}, 1_000);
  assert.deepEqual(await measureDisk(['a'], () => new Promise<never>(() => {})), unknown);
  clearInterval(open);
});

test('a folder that is not there yet has the space of its parent', async () => {
  assert.ok((await freeBytes(join(tmpdir(), 'not', 'there'))) > 0);
});

test('a small file system that is full', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'pipe' });
  } catch {
    rmSync(dir, { recursive: true });
    return t.skip('no file system may be mounted here: a full one was NOT tried');
  }
  try {
    assert.deepEqual(await measureDisk([dir]), { status: 'degraded', free_bytes: 2 ** 20 });
  } finally {
    execFileSync('umount', [dir]);
    rmSync(dir, { recursive: true });
  }
});
