/**
 * Parameters over gRPC are JSON in bytes: whatever is put there, gRPC and REST must agree on whether it is taken and on
 * the score. The cases are the hostile bodies and the grammar suite that REST is tested with.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { call } from '../support/client.ts';
import { sharedFile } from '../support/shared.ts';
import { sharedWeir } from '../support/shared-weir.ts';
import { callUnary, connect, type Fields } from './client.ts';

interface Case {
  id: string;
  name: string;
  body?: string;
  body_base64?: string;
}

const files = ['vectors/json-abuse.json', 'vectors/jsontestsuite.json'].map(sharedFile);
const read = (file: string | null): Case[] =>
  file === null ? [] : (JSON.parse(readFileSync(file, 'utf8')) as { tests: Case[] }).tests;
const bytesOf = ({ body, body_base64 }: Case): Buffer | null =>
  body === undefined && body_base64 === undefined
    ? null
    : Buffer.from(body ?? body_base64!, body === undefined ? 'base64' : 'utf8');

const weir = await sharedWeir();
const client = connect(weir.grpc);
after(() => client.close());

/** Both doors, the same bytes as parameters of the same action. */
async function both(parameters: Buffer) {
  const event_id = randomUUID();
  const head = Buffer.from(`{"action":"file:document:write","event_id":"${event_id}","parameters":`);
  const body = Buffer.concat([head, parameters, Buffer.from('}')]);
  const rest = await call(`${weir.api}/events`, { key: weir.api_key, body });
  const context = { action: 'file:document:write', event_id, parameters };
  // When REST took it, the same event_id proves that the content is the same; else it is still free.
  const grpc = await callUnary(client, 'EvaluateRisk', { context }, { key: weir.api_key });
  return { rest, grpc };
}

async function agree(name: string, parameters: Buffer): Promise<void> {
  const { rest, grpc } = await both(parameters);
  if (rest.status !== 200) {
    assert.equal(rest.status, 400, `${name}: ${rest.text}`);
    assert.equal(grpc.code, status.INVALID_ARGUMENT, `${name}: REST refused it, ${rest.text}`);
    const violations = grpc.details['BadRequest']?.['field_violations'] as { field: string }[];
    assert.ok(violations.length > 0 && violations.every(({ field }) => /^context(\.parameters|$)/.test(field)), name);
    return;
  }
  assert.equal(grpc.code, 0, `${name}: REST took it, ${grpc.message}`);
  assert.equal((grpc.answer['assessment'] as Fields)['score'], rest.json['score'], name);
}

describe('parameters', () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const own: Record<string, string> = {
    'an object': '{"a":[1,2.5,null,true,"x"]}',
    'the deepest that is taken': deep(63),
    'one level deeper': deep(64),
    'far too deep': deep(100_000),
    'a key twice': '{"a":1,"a":2}',
    'a key twice, spelt otherwise': '{"a":1,"\\u0061":2}',
    'a key twice, deep inside': '{"x":[{"a":1},{"b":{"a":1,"a":1}}]}',
    'a number out of range': '{"a":1e999}',
    'a reserved key': '{"__proto__":{"x":1}}',
    'a reserved pair of keys': '{"constructor":{"prototype":{}}}',
    'U+0000 and lone surrogates': '{"k\\ud800":"\\u0000"}',
    'two keys that become one': '{"\\u0000":1,"\\\\u0000":2}',
    null: 'null',
    'an empty list': '[]',
    'a text': '"x"',
    'half an object': '{"a":',
    'a byte order mark': '\ufeff{}',
  };
  for (const [name, text] of Object.entries(own)) test(name, () => agree(name, Buffer.from(text)));

  test('an integer that a double does not keep is taken by neither door', async () => {
    const { rest, grpc } = await both(Buffer.from('{"account":[9007199254740993]}'));
    assert.equal(rest.status, 400, rest.text);
    assert.equal(grpc.code, status.INVALID_ARGUMENT);
    assert.match(grpc.message, /parameters\.account\[0\]. more digits than a double keeps; send it as text/);
  });

  test('what a batch holds counts for its memory: half a million values are too much at once', async () => {
    const parameters = Buffer.from(`{"a":[${'{},'.repeat(5_600)}{}]}`);
    const contexts = Array.from({ length: 80 }, () => ({ action: 'a:b:c', parameters }));
    const { code, message } = await callUnary(client, 'BatchEvaluateRisk', { contexts }, { key: weir.api_key });
    assert.equal(code, status.RESOURCE_EXHAUSTED, message);
    assert.match(message, /too large together; send fewer at a time/);
  });

  test('not UTF-8', () => agree('not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])));

  test('ten thousand keys are the most', async () => {
    const keys = (count: number) =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 1]))));
    const of = (count: number) =>
      callUnary(
        client,
        'EvaluateRisk',
        { context: { action: 'a:b:c', parameters: keys(count) } },
        { key: weir.api_key },
      );
    assert.equal((await of(10_001)).code, status.INVALID_ARGUMENT);
    assert.equal((await of(9_000)).code, 0);
  });

  test('the hostile bodies and the grammar suite of REST', async (t) => {
    const cases = files.flatMap(read);
    if (cases.length === 0)
      return t.skip('the vectors of hostile JSON were NOT used: they are not beside this checkout');
    let count = 0;
    for (const one of cases) {
      const bytes = bytesOf(one);
      // Empty bytes are parameters that are not there.
      if (bytes === null || bytes.length === 0) continue;
      await agree(`${one.id} ${one.name}`, bytes);
      count += 1;
    }
    assert.ok(count > 200, `${count} cases`);
  });
});
