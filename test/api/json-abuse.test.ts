/** Hostile bodies against a running server: the vectors of json-abuse.json and the JSON grammar of JSONTestSuite. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { call, fullEvent, problem, type Reply } from '../support/client.ts';
import { sharedFile } from '../support/shared.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

interface Recipe {
  kind: string;
  field?: string;
  depth?: number;
  count?: number | 'limit';
  length?: number;
  total_bytes?: number;
  value?: string;
}

interface AbuseCase {
  id: string;
  class: string;
  name: string;
  expected: 'accept' | 'reject' | 'either';
  body?: string;
  body_base64?: string;
  generate?: Recipe;
  headers?: Record<string, string>;
  route?: string;
}

const abuse = sharedFile('vectors/json-abuse.json');
const suite = sharedFile('vectors/jsontestsuite.json');
const read = <T>(file: string): T[] => (JSON.parse(readFileSync(file, 'utf8')) as { tests: T[] }).tests;

/** The body that a recipe describes, as text. */
function generate(recipe: Recipe): string {
  const { field = '', depth = 0, length = 0, value = '' } = recipe;
  const count = Number(recipe.count ?? 0);
  const base = JSON.stringify({ event_id: randomUUID(), action: 'github:pulls:read' }).slice(0, -1);
  switch (recipe.kind) {
    case 'nest_object':
      return `${base},"${field}":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
    case 'nest_array': {
      const [outer, inner] = field.split('.');
      return `${base},"${outer}":{"${inner}":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    }
    case 'pad': {
      const head = `${base},"${field}":"`;
      return `${head}${'x'.repeat(recipe.total_bytes! - head.length - 2)}"}`;
    }
    case 'many_keys':
      return `${base},"${field}":{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}}`;
    case 'repeat':
      return `${base},"${field}":${JSON.stringify(Array.from({ length: count }, () => value))}}`;
    case 'long_key':
      return `${base},"${field}":{"${'k'.repeat(length)}":1}}`;
    default:
      throw new Error(`no recipe for ${recipe.kind}`);
  }
}

describe('hostile bodies', () => {
  let weir: SharedWeir;
  let control_score: unknown;

  const post = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Reply> =>
    call(`${weir.api}/events`, { method: 'POST', body, key: weir.api_key, headers });

  const scoreOfControl = async (): Promise<unknown> => {
    // Without agent and session: what is remembered of those would make the same event score more and more.
    const { agent: _agent, session: _session, ...event } = fullEvent();
    const reply = await post(JSON.stringify(event));
    assert.equal(reply.status, 200, reply.text);
    return reply.json['score'];
  };

  before(async () => {
    weir = await sharedWeir();
    control_score = await scoreOfControl();
  });

  /** Status line of what comes back for raw bytes on a socket that is left open. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(weir.api).port), '127.0.0.1');
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.write(bytes);
    });

  const onSocket: Record<string, () => Promise<string>> = {
    slow_body: () => raw(`${head()}content-length: 100\r\n\r\n{"action"`),
    smuggle_cl_te: () => raw(`${head()}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nX`),
  };
  const head = () =>
    `POST /events HTTP/1.1\r\nhost: x\r\nx-api-key: ${weir.api_key}\r\ncontent-type: application/json\r\n`;

  if (abuse === null) test.skip('../shared is not there: json-abuse.json was NOT run');
  for (const one of abuse === null ? [] : read<AbuseCase>(abuse)) {
    if (one.route !== undefined && one.route !== '/events') continue;
    test(`${one.id} ${one.name}: ${one.expected}`, async () => {
      const socket_case = onSocket[one.generate?.kind ?? ''];
      if (socket_case !== undefined) {
        assert.match(await socket_case(), /^(HTTP\/1\.1 4\d\d |$)/);
        return;
      }
      const id = randomUUID();
      const fill = (text: string) => text.replaceAll('{{ID}}', id);
      const body =
        one.generate !== undefined
          ? generate(one.generate)
          : one.body_base64 !== undefined
            ? Buffer.from(one.body_base64, 'base64')
            : fill(one.body!);
      const reply = await post(body, one.headers ?? {});
      if (one.expected === 'accept') assert.equal(reply.status, 200, reply.text);
      else if (one.expected === 'reject' || reply.status !== 200) problem(reply, [400, 413, 415]);
      if (reply.status === 200) await isStoredAsScored(reply);
      assert.equal(await scoreOfControl(), control_score);
    });
  }

  const isStoredAsScored = async (scored: Reply): Promise<void> => {
    const path = `/scores/event/${encodeURIComponent(String(scored.json['event_id']))}`;
    const stored = await call(weir.api + path, { key: weir.api_key });
    assert.equal(stored.status, 200, stored.text);
    assert.equal(stored.json['final_score'], scored.json['score']);
    assert.equal(stored.json['risk_level'], scored.json['risk_level']);
  };

  test('U+0000 and lone surrogates in free text are scored and stored as a visible escape', async () => {
    const body =
      '{"action":"a:b:c","user_context":"x\\u0000y","parameters":{"k\\ud800":["\\udc00\\u0000"]},"odd\\u0000":1}';
    const reply = await post(body);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('weir-ignored-fields'), 'odd%5Cu0000');
    const detail = await call(`${weir.api}/scores/event/${reply.json['event_id']}`, { key: weir.api_key });
    const event = detail.json['event'] as Record<string, unknown>;
    assert.equal(event['user_context'], 'x\\u0000y');
    assert.deepEqual(event['parameters'], { 'k\\ud800': ['\\udc00\\u0000'] });
    assert.equal(event['odd\\u0000'], 1);
  });

  test('two integers that one double stands for are not one content: neither is taken', async () => {
    const body = (account: string) =>
      `{"event_id":"${randomUUID()}","action":"a:b:c","parameters":{"account":${account}}}`;
    const refused = problem(await post(body('9007199254740993')), 400);
    assert.deepEqual(refused['errors'], [
      { path: '/parameters/account', message: 'more digits than a double keeps; send it as text' },
    ]);
    for (const account of ['9007199254740992', '"9007199254740993"', '0.12345678901234567890'])
      assert.equal((await post(body(account))).status, 200, account);
  });

  test('in identifiers they are refused, and the answer says where', async () => {
    for (const [path, body] of [
      ['/event_id', '{"action":"a:b:c","event_id":"x\\u0000"}'],
      ['/agent/agent_id', '{"action":"a:b:c","agent":{"agent_id":"\\ud800"}}'],
      ['/session/session_id', '{"action":"a:b:c","session":{"session_id":"\\u0000"}}'],
      ['/target/resource_id', '{"action":"a:b:c","target":{"resource_id":"\\udfff"}}'],
      ['/mcp_context/tool_name', '{"action":"a:b:c","mcp_context":{"tool_name":"\\u0000"}}'],
    ] as const) {
      const { errors } = problem(await post(body), 400) as { errors: { path: string }[] };
      assert.equal(errors[0]!.path, path);
    }
  });

  test('two keys that would become one by escaping are refused', async () => {
    problem(await post('{"action":"a:b:c","parameters":{"a\\u0000":1,"a\\\\u0000":2}}'), 400);
  });

  test('unknown fields are stored and named, nested ones too; names cannot break the header', async () => {
    const event = { action: 'a:b:c', score: 0, agent: { colour: 'red' }, 'x\r\ny: 1,ü': true };
    const reply = await post(JSON.stringify(event));
    assert.equal(reply.status, 200, reply.text);
    const named = reply.headers.get('weir-ignored-fields')!.split(', ').map(decodeURIComponent);
    assert.deepEqual(named.sort(), ['agent.colour', 'score', 'x\r\ny: 1,ü']);
    const detail = await call(`${weir.api}/scores/event/${reply.json['event_id']}`, { key: weir.api_key });
    assert.equal((detail.json['event'] as { score: number }).score, 0);
  });

  if (suite === null) test.skip('../shared is not there: jsontestsuite.json was NOT run');
  else {
    test('JSONTestSuite as bodies: refused with 400, never worse', async () => {
      for (const one of read<{ file: string; body_base64: string }>(suite)) {
        const reply = await post(Buffer.from(one.body_base64, 'base64'));
        // None of the suite's documents is an event, so the valid ones are refused by the schema.
        assert.equal(reply.status, 400, `${one.file}: ${reply.text}`);
      }
      assert.equal(await scoreOfControl(), control_score);
    });
  }
});
