/** The audit log on the command line: lists, the chain, the export as OCSF events. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { call } from '../support/client.ts';
import { sharedWeir } from '../support/shared-weir.ts';
import { parseLines, type RunOptions, weir as run, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const server = await sharedWeir();
const customer = server.customer_id;
const env: NonNullable<RunOptions['env']> = {
  DATA_DIR: server.data_dir,
  DATABASE_URL: '',
  REDIS_URL: '',
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
await call(`${server.auth}/tokens/app`, { body: { customer_id: customer, name: 'ci' } });

const audit = (...args: string[]) => run(['audit', ...args], { env });

test('lists with filters, and verifies', async () => {
  const listed = await audit('list', '--customer', customer, '--action', 'token.');
  assert.match(listed.stdout, /^at +action +actor +subject +details\n[─ ]+\n\S+Z +token\.issued /, listed.stderr);
  assert.equal((await audit('list', '--customer', customer, '--since', 'yesterday')).code, 2);
  const verified = await audit('verify', '--customer', customer);
  const [, head] = /: 2 entries, intact, ends with (2:[0-9a-f]{64})\n$/.exec(verified.stdout) ?? [];
  assert.ok(head, verified.stdout + verified.stderr);
  assert.equal((await audit('verify', '--customer', customer, '--expect', head)).code, 0);
  const forged = await audit('verify', '--customer', customer, '--expect', `2:${'0'.repeat(64)}`);
  assert.equal(forged.code, 1);
  assert.match(forged.stdout, /entry 2: its hash is not the expected/);
});

test('exports OCSF events to standard output, a file and a webhook, and continues where it ended', async () => {
  const out = await audit('export', '--customer', customer);
  const events = parseLines(out.stdout);
  assert.equal(events.length, 2);
  for (const event of events) {
    // Required of the class API Activity in OCSF 1.5.0.
    for (const name of [
      'activity_id',
      'actor',
      'api',
      'category_uid',
      'class_uid',
      'metadata',
      'severity_id',
      'src_endpoint',
      'time',
      'type_uid',
    ])
      assert.ok(event[name] !== undefined, name);
    assert.equal(event['type_uid'], 600_300 + (event['activity_id'] as number));
    assert.equal((event['metadata'] as { tenant_uid: string }).tenant_uid, customer);
  }
  assert.match(out.stderr, /2 entries exported; continue with --after 2\n$/);

  const file = `${folder.path}/audit.jsonl`;
  assert.equal((await audit('export', '--customer', customer, '--file', file, '--after', '1')).code, 0);
  assert.deepEqual(parseLines(readFileSync(file, 'utf8')), events.slice(1));

  const bodies: { type: string | undefined; authorization: string | undefined; text: string }[] = [];
  const siem = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push({ type: request.headers['content-type'], authorization: request.headers.authorization, text });
    // The first attempt fails.
    response.writeHead(bodies.length === 1 ? 503 : 200).end();
  });
  await new Promise<void>((done) => siem.listen(0, '127.0.0.1', done));
  const { port } = siem.address() as { port: number };
  const secret = folder.write('authorization.txt', 'Splunk abc\n');
  const sent = await audit(
    'export',
    '--customer',
    customer,
    '--webhook',
    `http://127.0.0.1:${port}/x`,
    '--authorization',
    secret,
  );
  siem.close();
  assert.equal(sent.code, 0, sent.stderr);
  assert.deepEqual(parseLines(bodies[1]!.text), events);
  assert.deepEqual([bodies[1]!.type, bodies[1]!.authorization], ['application/x-ndjson', 'Splunk abc']);

  const inward = await run(['audit', 'export', '--customer', customer, '--webhook', 'http://169.254.169.254/'], {
    env: { ...env, WEBHOOK_ALLOW_PRIVATE: 'false' },
  });
  assert.equal(inward.code, 1);
  assert.match(inward.stderr, /must begin with https/);
});
