/** `weir webhooks` on a database of its own, without a running server. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { temporaryFolder, weir } from './support.ts';

const folder = temporaryFolder();
const URL_ = 'https://hooks.example.com/weir';

let database: TestDatabase | undefined;
before(async () => {
  if (NO_SERVER === undefined) database = await makeDatabase();
});
after(() => database?.drop());

test('an endpoint from registration to replay', { skip: NO_SERVER ?? false }, async () => {
  const env = { DATA_DIR: folder.path, DATABASE_URL: database!.url };
  const customer = randomUUID();
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await weir(['webhooks', ...args, '--customer', customer], { env });
    return { code, stdout, stderr };
  };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const made = await run('register', URL_, '--type', 'event.held', '--type', 'event.scored');
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /whsec_/);
  const webhook_id = /webhook_id +(\S+)/.exec(made.stdout)![1]!;
  const [listed] = (await json('list')) as unknown as Record<string, unknown>[];
  assert.deepEqual(listed!['event_types'], ['event.held', 'event.scored']);
  assert.match(String((await json('test', webhook_id))['message_id']), /^msg_[0-9a-f]{32}$/);
  const shown = await run('deliveries', webhook_id, '--state', 'pending');
  assert.match(shown.stdout, /webhook\.test +pending +0 +–/);
  assert.match(String((await json('rotate', webhook_id, '--drop-old'))['secret']), /^whsec_/);
  assert.equal((await json('disable', webhook_id))['disabled_reason'], 'by the operator');
  const list = await run('list');
  assert.match(list.stdout, /disabled: by the operator/);
  assert.doesNotMatch(list.stdout, /whsec_/);
  assert.match((await run('enable', webhook_id)).stdout, /is enabled; 1 message waits/);
  assert.deepEqual(await json('replay', webhook_id), { count: 0, left: 0 });
  for (const [args, message] of [
    [['register', 'http://10.0.0.1/'], /must begin with https/],
    [['test', randomUUID()], /no such webhook/],
  ] as const) {
    const { code, stderr } = await run(...args);
    assert.notEqual(code, 0);
    assert.match(stderr, message);
  }
});
