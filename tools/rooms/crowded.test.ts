import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
/** More files than this are no longer seen at one look. */
const MOST = 20;
/** Folders whose files are entries of one list. */
const LISTS = ['src/storage/postgres/migrations'];

test(`no room of the house has more than ${MOST} files on one floor, tests apart`, () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const rooms = Map.groupBy(files, (file) => dirname(file));
  const crowded = [...rooms].filter(([room, own]) => own.length > MOST && !LISTS.includes(room));
  assert.deepEqual(
    crowded.map(([room, own]) => `${room}: ${own.length}`),
    [],
  );
});
