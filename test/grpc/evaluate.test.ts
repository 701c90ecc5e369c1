/** EvaluateRisk and BatchEvaluateRisk on a running server, and that they are the same product as REST. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { newApiKey } from '../../src/platform/ids.ts';
import { call, fullEvent, newCustomer } from '../support/client.ts';
import { sharedWeir } from '../support/shared-weir.ts';
import { callUnary, connect, type Ended, type Fields } from './client.ts';
import { callRaw, encode } from './raw.ts';

const weir = await sharedWeir();
const client = connect(weir.grpc);
const [mine, other] = [await newCustomer(weir), await newCustomer(weir)];
after(() => client.close());

const evaluate = (context: Fields, rest: Fields = {}): Promise<Ended> =>
  callUnary(client, 'EvaluateRisk', { context, ...rest }, { key: mine.api_key });
const evaluateMany = (contexts: Fields[], rest: Fields = {}): Promise<Ended> =>
  callUnary(client, 'BatchEvaluateRisk', { contexts, ...rest }, { key: mine.api_key });
const stored = (event_id: unknown) =>
  call(`${weir.api}/scores/event/${encodeURIComponent(String(event_id))}`, { key: mine.api_key });
const violations = ({ details }: Ended) =>
  (details['BadRequest']?.['field_violations'] as { field: string; description: string }[] | undefined) ?? [];

/** The fields at fault, and that the call was refused for them. */
function refused(ended: Ended): string[] {
  assert.equal(ended.code, status.INVALID_ARGUMENT, ended.message);
  assert.deepEqual(ended.details['ErrorInfo'], { reason: 'INVALID', domain: 'weir', metadata: {} });
  return violations(ended).map(({ field }) => field);
}

/** The context that says what `fullEvent` says. */
function fullContext(event: ReturnType<typeof fullEvent>): Fields {
  return {
    ...event,
    parameters: Buffer.from(JSON.stringify(event.parameters)),
    mcp_context: { ...event.mcp_context, transport: 'HTTP' },
    data_fields: [{ field: 'email' }, { field: 'ssn', classification: 'PII' }],
  };
}

/** What gRPC can say of `fullEvent`: text messages, text metadata. */
function plainEvent() {
  return {
    ...fullEvent(),
    data_fields_accessed: ['email', { field: 'ssn', classification: 'PII' }],
    conversation_history: [{ content: 'user: Merge it.' }, { content: 'assistant: Done.' }],
    metadata: { trace: 'abc' },
  };
}

/** The key with another last sign. */
const withOtherEnd = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;

describe('EvaluateRisk', () => {
  test('a score with everything that belongs to it, stored and listed like a REST event', async () => {
    const { code, answer, message } = await evaluate({ action: 'DB:Table:Drop', timestamp: '2026-01-15T10:00:00Z' });
    assert.equal(code, 0, message);
    const assessment = answer['assessment'] as Fields;
    const detail = (await stored(answer['event_id'])).json;
    assert.equal(detail['action'], 'db:table:drop');
    for (const name of ['reasoning', 'mitigations', 'violations', 'compliance_refs', 'scoring_source', 'graph_score'])
      assert.deepEqual(assessment[name], detail[name], name);
    assert.equal(assessment['score'], detail['final_score']);
    assert.equal(assessment['level'], 'CRITICAL');
    assert.ok((assessment['violations'] as string[]).length > 0);
    const sentences = String(assessment['justification']).match(/[.!?](?= |$)/g) ?? [];
    assert.ok(sentences.length >= 2 && sentences.length <= 3, String(assessment['justification']));
    assert.equal(assessment['hold_state'], (detail['hold'] as { state: string } | null)?.state ?? '');
    const layers = detail['score_decomposition'] as Record<string, number>;
    for (const [name, value] of Object.entries(assessment['score_decomposition'] as Record<string, number>))
      assert.equal(value, Math.fround(layers[name] ?? 0), name);
    const list = await call(`${weir.api}/scores/${mine.customer_id}?per_page=100`, { key: mine.api_key });
    assert.ok((list.json['scores'] as Fields[]).some(({ event_id }) => event_id === answer['event_id']));
  });

  test('the same event by REST and by gRPC is the same event: stored once, whichever came first', async () => {
    for (const first of ['rest', 'grpc']) {
      const event = plainEvent();
      const context = {
        ...fullContext(fullEvent(event.event_id)),
        conversation_history: event.conversation_history.map(({ content }) => content),
        metadata: event.metadata,
      };
      const post = () => call(`${weir.api}/events`, { key: mine.api_key, body: event });
      const earlier = first === 'rest' ? await post() : null;
      const grpc = await evaluate(context);
      const rest = earlier ?? (await post());
      assert.equal(rest.status, 200, rest.text);
      assert.equal(grpc.code, 0, grpc.message);
      assert.equal(grpc.answer['event_id'], event.event_id);
      assert.equal((grpc.answer['assessment'] as Fields)['score'], rest.json['score']);
      const other_content = await evaluate({ ...context, user_context: 'something else' });
      assert.equal(other_content.code, status.ALREADY_EXISTS);
      assert.equal(other_content.details['ErrorInfo']?.['reason'], 'EVENT_CONFLICT');
    }
  });

  test('two calls with one event_id at once: one record, one answer', async () => {
    const context = { action: 'a:b:c', event_id: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => evaluate(context)));
    for (const one of answers) assert.deepEqual(one, answers[0]);
    assert.equal(answers[0]!.code, 0);
  });

  test('only the action is required', async () => {
    assert.deepEqual(refused(await evaluate({})), ['context.action']);
    assert.deepEqual(refused(await callUnary(client, 'EvaluateRisk', {}, { key: mine.api_key })), ['context']);
    assert.equal((await evaluate({ action: 'a:b:c' })).code, 0);
  });

  const faults: Record<string, [Fields, string]> = {
    'an action that is none': [{ action: 'drop table' }, 'context.action'],
    'an action with a star': [{ action: 'a:*:c' }, 'context.action'],
    'a level above 4': [{ target: { sensitivity_level: 5 } }, 'context.target.sensitivity_level'],
    'a level below 0': [{ target: { sensitivity_level: -1 } }, 'context.target.sensitivity_level'],
    'the largest level': [{ target: { sensitivity_level: 2 ** 31 - 1 } }, 'context.target.sensitivity_level'],
    'an unknown transport': [{ mcp_context: { transport: 9 } }, 'context.mcp_context.transport'],
    'an unknown classification': [
      { data_fields: [{ field: 'a' }, { field: 'b', classification: 99 }] },
      'context.data_fields[1].classification',
    ],
    'a timestamp that is none': [{ timestamp: 'now' }, 'context.timestamp'],
    'a start that is none': [{ session: { started_at: '2026-02-30T00:00:00Z' } }, 'context.session.started_at'],
    'a long identifier': [{ agent: { agent_id: 'x'.repeat(257) } }, 'context.agent.agent_id'],
    'U+0000 in an identifier': [{ session: { session_id: 'a\0b' } }, 'context.session.session_id'],
    'an event_id of two dots': [{ event_id: '..' }, 'context.event_id'],
    'a reserved key of metadata': [{ metadata: { ['__proto__']: 'x' } }, 'context.metadata.__proto__'],
  };
  for (const [name, [fields, field]] of Object.entries(faults)) {
    test(`${name} is refused by its path`, async () => {
      const request = { context: { action: 'a:b:c', ...fields } };
      if ('metadata' in fields) {
        // The client's own encoder would drop the key.
        const entry = Buffer.concat([Buffer.from([0x0a, 9]), Buffer.from('__proto__'), Buffer.from([0x12, 1, 0x78])]);
        const context = Buffer.concat([
          Buffer.from([0x0a, 5]),
          Buffer.from('a:b:c'),
          Buffer.from([0x52, entry.length]),
          entry,
        ]);
        const bytes = Buffer.concat([Buffer.from([0x0a, context.length]), context]);
        const raw = await callRaw(weir.grpc, 'EvaluateRisk', bytes, { 'x-api-key': mine.api_key });
        assert.equal(raw.code, status.INVALID_ARGUMENT);
        assert.match(raw.message, /context\.metadata\.__proto__/);
        return;
      }
      const ended = await callUnary(client, 'EvaluateRisk', request, { key: mine.api_key });
      assert.deepEqual(refused(ended), [field]);
      assert.ok(ended.message.includes(field));
    });
  }

  test('every enum member has its name in the stored event', async () => {
    const fields = ['PUBLIC', 'PII', 'PHI', 'FINANCIAL', 'SECRET', 'RESTRICTED', 'DATA_CLASSIFICATION_UNSPECIFIED'];
    for (const [transport, expected] of Object.entries({ STDIO: 'stdio', SSE: 'sse', HTTP: 'http' })) {
      const { answer } = await evaluate({
        action: 'a:b:c',
        mcp_context: { transport, is_verified: false },
        data_fields: fields.map((classification) => ({ field: 'f', classification })),
      });
      const event = (await stored(answer['event_id'])).json['event'] as Fields;
      assert.deepEqual(event['mcp_context'], { transport: expected, is_verified: false });
      const labels = ['public', 'PII', 'PHI', 'financial', 'secret', 'restricted'];
      assert.deepEqual(event['data_fields_accessed'], [
        ...labels.map((classification) => ({ field: 'f', classification })),
        'f',
      ]);
    }
  });

  test('U+0000 in free text is scored and stored as a visible escape', async () => {
    const { answer } = await evaluate({
      action: 'a:b:c',
      user_context: 'x\0y',
      parameters: Buffer.from('{"k":"\\u0000"}'),
      conversation_history: ['tool: \0'],
    });
    const event = (await stored(answer['event_id'])).json['event'] as Fields;
    assert.equal(event['user_context'], 'x\\u0000y');
    assert.deepEqual(event['parameters'], { k: '\\u0000' });
    assert.deepEqual(event['conversation_history'], [{ content: 'tool: \\u0000' }]);
  });
});

describe('legacy fields', () => {
  const eventOf = async (context: Fields): Promise<Fields> => {
    const { code, answer, message } = await evaluate(context);
    assert.equal(code, 0, message);
    const { event_id: _, timestamp: __, ...event } = (await stored(answer['event_id'])).json['event'] as Fields;
    return event;
  };
  const legacy = {
    tool_name: 'send_email',
    tool_input: '{"to": "ana@north.test"}',
    resource: 'mailbox/1',
    user_id: 'u-1',
    legacy_data_fields: ['email', 'ssn'],
  };
  const canonical = {
    mcp_context: { tool_name: 'send_email' },
    parameters: { to: 'ana@north.test' },
    target: { resource_id: 'mailbox/1' },
    session: { user_id: 'u-1' },
    data_fields_accessed: ['email', 'ssn'],
  };

  test('fill the canonical ones, and give the same score', async () => {
    const action = 'email:message:send';
    assert.deepEqual(await eventOf({ action, ...legacy }), { action, ...canonical });
    const { data_fields_accessed, parameters, ...rest } = canonical;
    const modern = await evaluate({
      action,
      ...rest,
      parameters: Buffer.from(JSON.stringify(parameters)),
      data_fields: data_fields_accessed.map((field) => ({ field })),
    });
    const older = await evaluate({ action, ...legacy });
    assert.deepEqual(older.answer['assessment'], modern.answer['assessment']);
  });

  test('without an action the tool names it', async () => {
    assert.equal((await eventOf(legacy))['action'], 'tool:legacy:send_email');
    assert.equal((await eventOf({ tool_name: 'Söme tool!' }))['action'], 'tool:legacy:s_me_tool_');
  });

  test('what contradicts a canonical one is kept with the event, apart', async () => {
    const context = {
      action: 'a:b:c',
      mcp_context: { tool_name: 'read_file' },
      parameters: Buffer.from('{"path":"x"}'),
      target: { resource_id: 'mailbox/1' },
      data_fields: [{ field: 'name' }],
      ...legacy,
    };
    assert.deepEqual(await eventOf(context), {
      action: 'a:b:c',
      mcp_context: { tool_name: 'read_file' },
      parameters: { path: 'x' },
      target: { resource_id: 'mailbox/1' },
      session: { user_id: 'u-1' },
      data_fields_accessed: ['name'],
      legacy: {
        tool_name: 'send_email',
        tool_input: { to: 'ana@north.test' },
        legacy_data_fields: ['email', 'ssn'],
      },
    });
  });

  test('a contradiction is scored both ways, keeps the higher score, and is flagged', async () => {
    const harmless = { action: 'tool:legacy:run', parameters: Buffer.from('{"command":"ls"}') };
    const grave = { action: 'tool:legacy:run', parameters: Buffer.from('{"command":"rm -rf /"}') };
    const shown = async (context: Fields): Promise<Fields> => {
      const { code, answer, message } = await evaluate(context);
      assert.equal(code, 0, message);
      return answer['assessment'] as Fields;
    };
    const [low, high] = [await shown(harmless), await shown(grave)];
    assert.ok(Number(high['score']) > Number(low['score']));
    for (const context of [
      { ...harmless, tool_input: '{"command":"rm -rf /"}' },
      { ...grave, tool_input: '{"command":"ls"}' },
    ]) {
      const both = await shown(context);
      assert.equal(both['score'], high['score']);
      assert.equal(both['level'], 'CRITICAL');
      assert.deepEqual(both['violations'], high['violations']);
      assert.ok((both['behavioral_flags'] as string[]).includes('legacy_contradicts:tool_input'));
      assert.match(String(both['reasoning']), /contradict the others \(`tool_input`\)/);
    }
  });

  test('what says the same again changes nothing: one event, one content, whether it is sent or not', async () => {
    const context = {
      action: 'email:message:send',
      event_id: randomUUID(),
      mcp_context: { tool_name: 'send_email' },
      parameters: Buffer.from('{"to":"ana@north.test","n":1}'),
      data_fields: [{ field: 'ssn', classification: 'PII' }, { field: 'email' }],
    };
    const first = await evaluate(context);
    assert.equal(first.code, 0, first.message);
    const again = await evaluate({
      ...context,
      ...legacy,
      tool_input: '{"n": 1, "to": "ana@north.test"}',
      resource: '',
      user_id: '',
    });
    assert.deepEqual(again, first);
    assert.ok(
      !((first.answer['assessment'] as Fields)['behavioral_flags'] as string[]).some((one) => /legacy/.test(one)),
    );
  });

  test('a contradicting field is checked as its canonical one is, by its own path', async () => {
    const context = {
      action: 'a:b:c',
      mcp_context: { tool_name: 'x' },
      target: { resource_id: 'x' },
      parameters: Buffer.from('{}'),
    };
    assert.deepEqual(refused(await evaluate({ ...context, tool_name: 'y'.repeat(257) })), ['context.tool_name']);
    assert.deepEqual(refused(await evaluate({ ...context, resource: 'a\0b' })), ['context.resource']);
    assert.deepEqual(refused(await evaluate({ ...context, tool_input: '{"a":1,"a":2}' })), ['context.tool_input.a']);
  });

  test('an event with a contradiction is the same by REST, and explained by what its client could leave out', async () => {
    const event = { action: 'tool:legacy:run', event_id: randomUUID(), parameters: { command: 'ls' } };
    const legacy_event = { ...event, legacy: { tool_input: { command: 'rm -rf /' } } };
    const rest = await call(`${weir.api}/events`, { key: mine.api_key, body: legacy_event });
    assert.equal(rest.status, 200, rest.text);
    assert.equal(rest.headers.get('weir-ignored-fields'), null);
    const grpc = await evaluate({
      ...event,
      parameters: Buffer.from('{"command":"ls"}'),
      tool_input: '{"command":"rm -rf /"}',
    });
    assert.equal(grpc.code, 0, grpc.message);
    assert.equal((grpc.answer['assessment'] as Fields)['score'], rest.json['score']);
    const why = await call(`${weir.api}/justification?event_id=${event.event_id}`, { key: mine.api_key });
    assert.equal(why.status, 200, why.text);
    assert.match(String(why.json['score_justification']), /if `tool_input` did not contradict the other fields/);
    assert.match(String(why.json['score_justification']), /the same score/);
  });

  test('tool_input that is no JSON object is one parameter; JSON that two readers read differently is refused', async () => {
    for (const tool_input of ['rm -rf /', '{broken', '[1]', '"x"', '{{template}}'])
      assert.deepEqual((await eventOf({ action: 'a:b:c', tool_input }))['parameters'], { tool_input });
    const twice = await evaluate({ action: 'a:b:c', tool_input: '{"a":1,"a":2}' });
    assert.deepEqual(refused(twice), ['context.tool_input.a']);
  });

  test('a command in tool_input scores as the same command in parameters', async () => {
    const parameters = Buffer.from(JSON.stringify({ command: 'rm -rf /' }));
    const canonical = await evaluate({ action: 'tool:legacy:bash', parameters });
    const legacy = await evaluate({ tool_name: 'bash', tool_input: 'rm -rf /' });
    const scoreOf = ({ answer }: Ended) => (answer['assessment'] as Fields)['score'];
    assert.equal(scoreOf(legacy), scoreOf(canonical));
    assert.equal((legacy.answer['assessment'] as Fields)['level'], 'CRITICAL');
  });
});

describe('BatchEvaluateRisk', () => {
  test('all scores, in the order of the contexts, each stored', async () => {
    const actions = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 'db:table:drop' : 'file:document:read'));
    const contexts = actions.map((action, i) => ({ action, session: { session_id: `s-${i % 5}` } }));
    const { answer, code, message } = await evaluateMany(contexts);
    assert.equal(code, 0, message);
    const assessments = answer['assessments'] as Fields[];
    const ids = answer['event_ids'] as string[];
    assert.equal(new Set(ids).size, actions.length);
    for (const [i, action] of actions.entries()) {
      const { json } = await stored(ids[i]);
      assert.equal(json['action'], action);
      assert.equal(json['final_score'], assessments[i]!['score']);
    }
  });

  test('events of one session are recorded in the order sent', async () => {
    const session = { session_id: randomUUID() };
    const { answer } = await evaluateMany(Array.from({ length: 12 }, () => ({ action: 'a:b:c', session })));
    const times = await Promise.all(
      (answer['event_ids'] as string[]).map(async (id) => String((await stored(id)).json['scored_at'])),
    );
    assert.deepEqual(times, times.toSorted());
    assert.equal(new Set(times).size, times.length);
  });

  test('none, a thousand, and one too many', async () => {
    assert.deepEqual((await evaluateMany([])).answer, { assessments: [], event_ids: [] });
    const contexts = Array.from({ length: 1_000 }, () => ({ action: 'a:b:c' }));
    const all = await evaluateMany(contexts);
    assert.equal((all.answer['assessments'] as Fields[]).length, 1_000, all.message);
    assert.deepEqual(refused(await evaluateMany([...contexts, { action: 'a:b:c' }])), ['contexts']);
  });

  test('one that is not valid refuses all, by its index, and nothing is scored', async () => {
    const event_id = randomUUID();
    const ended = await evaluateMany([
      { action: 'a:b:c', event_id },
      { action: 'a:b:c', parameters: Buffer.from('[]') },
    ]);
    assert.deepEqual(refused(ended), ['contexts[1].parameters']);
    assert.equal((await stored(event_id)).status, 404);
  });

  test('an event_id twice: the same content is one event, other content is refused before anything is scored', async () => {
    const event_id = randomUUID();
    const context = { action: 'a:b:c', event_id };
    const conflict = await evaluateMany([context, { ...context, action: 'a:b:d' }]);
    assert.equal(conflict.code, status.ALREADY_EXISTS);
    assert.match(conflict.message, /contexts\[1\]/);
    assert.equal((await stored(event_id)).status, 404);
    const same = await evaluateMany([context, context]);
    assert.deepEqual(same.answer['event_ids'], [event_id, event_id]);
  });
});

describe('who may call', () => {
  const attempt = (key?: string | string[], rest: Fields = {}): Promise<Ended> =>
    callUnary(client, 'EvaluateRisk', { context: { action: 'a:b:c' }, ...rest }, key === undefined ? {} : { key });

  test('without a valid key: the same answer, whatever is wrong with it', async () => {
    const answers = await Promise.all([
      attempt(),
      attempt(newApiKey('weir')),
      attempt('x'),
      attempt(withOtherEnd(mine.api_key)),
      attempt([mine.api_key, mine.api_key]),
      attempt([mine.api_key, other.api_key]),
      callUnary(client, 'BatchEvaluateRisk', {}, {}),
    ]);
    for (const one of answers) {
      assert.equal(one.code, status.UNAUTHENTICATED);
      assert.equal(one.message, answers[0]!.message);
      assert.equal(one.details['ErrorInfo']?.['reason'], 'UNAUTHENTICATED');
    }
  });

  test('a customer may name itself or nobody; a foreign customer and an unknown one look the same', async () => {
    for (const customer_id of ['', mine.customer_id, mine.customer_id.toUpperCase()])
      assert.equal((await attempt(mine.api_key, { customer_id })).code, 0);
    const refusals = await Promise.all(
      [other.customer_id, randomUUID(), 'nobody'].flatMap((customer_id) => [
        attempt(mine.api_key, { customer_id }),
        evaluateMany([{ action: 'a:b:c' }], { customer_id }),
      ]),
    );
    for (const one of refusals) {
      assert.equal(one.code, status.PERMISSION_DENIED);
      assert.equal(one.message, refusals[0]!.message);
    }
  });

  test('an event_id of another customer is as good as unused', async () => {
    const context = { action: 'a:b:c', event_id: randomUUID() };
    assert.equal((await evaluate(context)).code, 0);
    const theirs = await callUnary(
      client,
      'EvaluateRisk',
      { context: { ...context, action: 'a:b:d' } },
      { key: other.api_key },
    );
    assert.equal(theirs.code, 0);
  });

  test('a revoked key is refused at once', async () => {
    const gone = await newCustomer(weir);
    assert.equal((await attempt(gone.api_key)).code, 0);
    await call(`${weir.auth}/api-keys/${gone.key_id}`, { method: 'DELETE' });
    assert.equal((await attempt(gone.api_key)).code, status.UNAUTHENTICATED);
  });
});

describe('broken calls', () => {
  const raw = (bytes: Uint8Array, headers = {}) =>
    callRaw(weir.grpc, 'EvaluateRisk', bytes, { 'x-api-key': mine.api_key, ...headers });
  const request = encode('EvaluateRiskRequest', { context: { action: 'a:b:c', user_context: 'gründlich' } });

  test('bytes that are not the message, and text that is not UTF-8, are the caller’s fault', async () => {
    const broken_text = Buffer.from(request);
    broken_text[broken_text.indexOf(0xc3)] = 0xff;
    const nested = Buffer.from(Array.from({ length: 20_000 }, () => 0x7b));
    for (const bytes of [broken_text, request.subarray(0, -3), Buffer.from([0xff]), Buffer.from('{"a":1}'), nested]) {
      const ended = await raw(bytes);
      assert.equal(ended.code, status.INVALID_ARGUMENT, bytes.toString('hex').slice(0, 60));
    }
    assert.equal((await raw(request)).code, 0);
  });

  test('a context that comes in two pieces is scored whole', async () => {
    const event_id = randomUUID();
    const pieces = [
      { action: 'db:table:drop', event_id, target: { resource_id: 'customers' } },
      { target: { resource_type: 'table', sensitivity_level: 4 } },
    ];
    const bytes = Buffer.concat(pieces.map((context) => encode('EvaluateRiskRequest', { context })));
    const { code, message } = await raw(bytes);
    assert.equal(code, 0, message);
    const event = (await stored(event_id)).json['event'] as Fields;
    assert.equal(event['action'], 'db:table:drop');
    assert.deepEqual(event['target'], { resource_type: 'table', resource_id: 'customers', sensitivity_level: 4 });
  });

  test('a field of another wire type refuses the call, also inside the context', async () => {
    const action = [5, ...Buffer.from('a:b:c')];
    // As four bytes, which hold no text; and a level of the target that is none.
    for (const context of [
      [0x0d, ...action],
      [0x0a, ...action, 0x22, 2, 0x1d, 4],
    ]) {
      const bytes = Buffer.from([0x0a, context.length, ...context]);
      assert.equal((await raw(bytes)).code, status.INVALID_ARGUMENT, bytes.toString('hex'));
    }
  });

  test('beyond 4 MiB: RESOURCE_EXHAUSTED; just below: an ordinary answer', async () => {
    const big = (bytes: number) => evaluate({ action: 'a:b:c', user_context: 'x'.repeat(bytes) });
    const refused = await big(4 * 1_048_576);
    assert.equal(refused.code, status.RESOURCE_EXHAUSTED);
    assert.equal(refused.details['ErrorInfo']?.['reason'], 'TOO_LARGE');
    assert.equal((await big(4 * 1_048_576 - 100)).code, 0);
  });

  test('a deadline that has passed: DEADLINE_EXCEEDED, and nothing was scored', async () => {
    const event_id = randomUUID();
    const late = encode('EvaluateRiskRequest', { context: { action: 'a:b:c', event_id } });
    assert.equal((await raw(late, { 'grpc-timeout': '1n' })).code, status.DEADLINE_EXCEEDED);
    assert.equal((await evaluate({ action: 'a:b:c' })).code, 0);
    assert.equal((await stored(event_id)).status, 404);
  });

  test('a deadline in the middle of a batch: what has not begun does not begin', async () => {
    const who = await newCustomer(weir);
    const contexts = Array.from({ length: 1_000 }, () => ({ action: 'a:b:c', session: { session_id: 's' } }));
    const bytes = encode('BatchEvaluateRiskRequest', { contexts });
    const ended = await callRaw(weir.grpc, 'BatchEvaluateRisk', bytes, {
      'x-api-key': who.api_key,
      'grpc-timeout': '80m',
    });
    assert.equal(ended.code, status.DEADLINE_EXCEEDED);
    const count = async () =>
      Number((await call(`${weir.api}/scores/${who.customer_id}/summary`, { key: who.api_key })).json['total_events']);
    // What was in work when the call ended is finished and kept; then it stands still while others are served.
    const serveOthers = async () => {
      for (let i = 0; i < 30; i++) assert.equal((await evaluate({ action: 'a:b:c' })).code, 0);
    };
    await serveOthers();
    const then = await count();
    await serveOthers();
    const now = await count();
    assert.equal(now, then);
    assert.ok(now < 1_000, `${now} of 1000 were scored`);
  });

  test('a cancelled call harms nobody', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const ended = callUnary(
          client,
          'EvaluateRisk',
          { context: { action: 'a:b:c' } },
          { key: mine.api_key, deadline_ms: i },
        );
        assert.ok([0, status.DEADLINE_EXCEEDED].includes((await ended).code));
      }),
    );
    assert.equal((await evaluate({ action: 'a:b:c' })).code, 0);
  });

  test('an unknown method, a wrong content type, an unknown compression', async () => {
    const headers = { 'x-api-key': mine.api_key };
    assert.equal((await callRaw(weir.grpc, 'Nothing', request, headers)).code, status.UNIMPLEMENTED);
    const frame = await callRaw(weir.grpc, 'EvaluateRisk', Buffer.alloc(0), headers);
    assert.equal(frame.code, status.INVALID_ARGUMENT);
    assert.ok(weir.isRunning());
  });
});
