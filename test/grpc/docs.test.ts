/** The client in docs/grpc.md, as it stands there, against a running server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sharedWeir } from '../support/shared-weir.ts';
import { callUnary, connect } from './client.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(ROOT, 'docs/grpc.md'), 'utf8');

test('the examples of docs/grpc.md work when pasted', async () => {
  const weir = await sharedWeir();
  const code = /```js\n([\s\S]*?)```/.exec(page)![1]!;
  const env = { ...process.env, WEIR_GRPC: weir.grpc, WEIR_API_KEY: weir.api_key };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: ROOT,
    env,
  });
  assert.match(stdout, /^CRITICAL \d+ .*The score is \d+ of 100/);

  // grpcurl itself is not here: its JSON is sent as it would send it.
  const sent = JSON.parse(/-d '([\s\S]*?)' 127/.exec(page)![1]!) as { context: { parameters: string } };
  const parameters = Buffer.from(sent.context.parameters, 'base64');
  const client = connect(weir.grpc);
  const ended = await callUnary(
    client,
    'EvaluateRisk',
    { context: { ...sent.context, parameters } },
    { key: weir.api_key },
  );
  assert.equal(ended.code, 0, ended.message);
  client.close();
});
