/** `weir people` beside no server: the data alone. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { newId } from '../../src/platform/ids.ts';
import { fillDataDir } from '../support/embedded-template.ts';
import { temporaryDirectory } from '../support/weir.ts';
import { weir } from './support.ts';

const data_dir = temporaryDirectory();
const customer = newId();
const people = (...args: string[]) =>
  weir(['people', ...args, '--customer', customer], { env: { DATA_DIR: data_dir, DATABASE_URL: '' } });

before(() => fillDataDir(data_dir));
after(() => rmSync(data_dir, { recursive: true, force: true }));

test('people are added, listed, given another role, invited again and removed', async () => {
  const added = await people('add', '--email', 'Ada@Example.com', '--name', 'Ada', '--role', 'approver');
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /Added Ada, approver of customer .*\n\n.*http:\/\/127\.0\.0\.1:8001\/sign-in#[\w-]{43}/);
  const again = await people('add', '--email', 'ada@example.com', '--role', 'viewer');
  assert.deepEqual([again.code, /has a person with the email `ada@example.com`/.test(again.stderr)], [1, true]);
  assert.match((await people('role', 'ada@example.com', 'admin')).stdout, /ada@example.com is admin now/);
  const [listed] = JSON.parse((await people('list', '--json')).stdout) as { email: string; role: string }[];
  assert.deepEqual([listed?.email, listed?.role], ['ada@example.com', 'admin']);
  assert.match((await people('link', 'ada@example.com')).stdout, /sign-in#[\w-]{43}/);
  assert.equal((await people('remove', 'ada@example.com')).stdout, 'Removed ada@example.com.\n');
  assert.match((await people('list')).stdout, /has no people/);
  assert.equal((await people('remove', 'ada@example.com')).code, 1);
  assert.equal((await people('add', '--email', 'x@example.com', '--role', 'king')).code, 2);
});
