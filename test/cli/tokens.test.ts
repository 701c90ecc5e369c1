/** `weir tokens` and `weir keys rewrap` on the data of a server that may run or not. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { call } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { temporaryDirectory } from '../support/weir.ts';
import { weir as runCli } from './support.ts';

type Json = Record<string, unknown>;

describe('weir tokens', () => {
  const data_dir = temporaryDirectory();
  let weir: HostedWeir;
  before(async () => {
    weir = await startHostedWeir({ data_dir });
  });
  after(async () => {
    await weir?.stop();
    rmSync(data_dir, { recursive: true, force: true });
  });

  const run = (args: string[], options: { input?: string; env?: Record<string, string> } = {}) =>
    runCli(args, { ...options, env: { DATA_DIR: data_dir, ...options.env } });
  async function make(kind: string, ...args: string[]): Promise<Json> {
    const { code, stdout, stderr } = await run([
      'tokens',
      'create',
      kind,
      '--customer',
      weir.customer_id,
      '--json',
      ...args,
    ]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Json;
  }

  test('a tree is made, looked at and ended beside a running server', async () => {
    const rbac = join(data_dir, 'rbac.json');
    writeFileSync(rbac, JSON.stringify({ allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 }));
    const app = await make('app', '--name', 'ci');
    const bearer = await make('bearer', '--parent', String(app['token_hash']), '--environment', 'test');
    const agent = await make(
      'agent',
      '--parent',
      String(bearer['jti']),
      '--agent',
      'a-1',
      '--rbac',
      rbac,
      '--ttl',
      '1',
    );
    const session = await make('session', '--parent', String(agent['jti']), '--session', 's', '--max-events', '3');
    const asked = await run(['tokens', 'introspect'], { input: `${session['token']}\n` });
    assert.deepEqual([JSON.parse(asked.stdout).active, JSON.parse(asked.stdout).max_events], [true, 3]);
    const shown = await run(['tokens', 'tree', String(agent['jti'])]);
    assert.match(shown.stdout, /agent \* +a-1 +active/);
    const ended = await run(['tokens', 'revoke', String(agent['jti']), '--cascade']);
    assert.match(ended.stdout, /2 tokens were revoked now/);
    assert.match((await run(['tokens', 'revoke', String(bearer['jti'])])).stdout, /stay valid/);
    const reply = await call(`${weir.auth}/audit?customer_id=${weir.customer_id}&limit=2`);
    const entries = reply.json['entries'] as Json[];
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor]),
      [
        ['token.revoked', 'command line'],
        ['tree.revoked', 'command line'],
      ],
    );

    // The new key was forgotten: what is in use without MASTER_KEY is the very file.
    const same = await run(['keys', 'rewrap', '--from', join(data_dir, 'master.key')]);
    assert.deepEqual([same.code, same.stdout], [1, '']);
    assert.match(same.stderr, /in use now; set MASTER_KEY to the new one/);
    const text = join(data_dir, 'old.key');
    writeFileSync(text, 'wrong\n');
    const env = { MASTER_KEY: 'a new one' };
    const wrong = await run(['keys', 'rewrap', '--from', text], { env });
    assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /^weir: 0 signing keys .* but 1 signing keys and 0 webhook secrets are under another/);
    for (const moved of [1, 0]) {
      const right = await run(['keys', 'rewrap', '--from', join(data_dir, 'master.key')], { env });
      assert.equal(right.code, 0, right.stderr);
      assert.match(right.stdout, new RegExp(`^${moved} signing keys .* Start every node with it`));
    }
  });

  test('mistakes are told', async () => {
    const nothing = '00000000-0000-4000-8000-000000000000';
    for (const [args, code, words] of [
      [['create', 'key', '--customer', nothing], 2, /choices are app, bearer/],
      [['create', 'override', '--customer', nothing, '--allow', 'approve'], 1, /event_id` is required/],
      [['create', 'override', '--customer', nothing, '--event', 'e', '--allow', 'approve'], 1, /no event/],
      [['create', 'app', '--customer', 'x'], 2, /must be a UUID/],
      [['create', 'app', '--customer', nothing, '--ttl', '30d'], 2, /--ttl .*'30d'.* whole number/],
      [['create', 'session', '--customer', nothing, '--max-events', ''], 2, /--max-events .* whole number/],
      [['create', 'agent', '--customer', nothing, '--agent', 'a'], 1, /bearer_jti/],
      [['create', 'app', '--customer', nothing, '--session', 's'], 1, /session_id` is not a known field/],
      [['revoke', nothing], 1, /no token/],
      [['tree', 'x'], 1, /no token/],
    ] as const) {
      const result = await run(['tokens', ...args]);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, words);
    }
  });
});
