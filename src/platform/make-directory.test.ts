import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDirectory } from './make-directory.ts';

const dir = mkdtempSync(join(tmpdir(), 'weir-directory-'));
after(() => rmSync(dir, { recursive: true, force: true }));

test('a directory is made with its parents, and may exist already', () => {
  const path = join(dir, 'a/b/c');
  for (const _ of [1, 2]) makeDirectory(path);
  assert(statSync(path).isDirectory());
  makeDirectory(`${path}/`);
  symlinkSync(path, join(dir, 'link'));
  makeDirectory(join(dir, 'link/d'));
  assert(statSync(join(path, 'd')).isDirectory());
});

test('a file in the way and a parent that accepts no children are errors', () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  symlinkSync(join(dir, 'nothing'), join(dir, 'dangling'));
  assert.throws(() => makeDirectory(file), { code: 'EEXIST' });
  assert.throws(() => makeDirectory(join(dir, 'dangling')), { code: 'EEXIST' });
  assert.throws(() => makeDirectory(join(file, 'a')), { code: 'ENOTDIR' });
});

test('a parent that accepts no children ends the attempt', {
  skip: process.platform !== 'linux' && 'there is no /proc',
}, () => {
  assert.throws(() => makeDirectory('/proc/weir/data'), { code: 'ENOENT' });
});
