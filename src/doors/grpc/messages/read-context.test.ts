import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readEvent } from '../../../events/read-event.ts';
import type { Clock } from '../../../platform/clock.ts';
import { WeirError } from '../../../platform/errors.ts';
import { parseJson } from '../../../platform/json/json.ts';
import { fieldPath } from './field-path.ts';
import type { ActionContext } from './messages.ts';
import { codecOf } from './proto.ts';
import { readContext } from './read-context.ts';

const clock: Clock = { now: () => Date.parse('2026-01-15T10:00:00Z'), ticks: () => 0 };
const codec = codecOf('risk.v1.ActionContext');

/** The event that a server reads from a context with these fields. */
function read(fields: object, at = 'context') {
  const bytes = codec.encode(fields as ActionContext);
  return readContext(codec.decode(bytes), at, bytes.includes(0), clock);
}

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const text = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((one) => !one.includes('\0'));
const partial = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  fc.record(fields, { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0);
const CLASSES = ['', 'public', 'PII', 'PHI', 'financial', 'secret', 'restricted'];
const TRANSPORTS = ['', 'stdio', 'sse', 'http'];

/** REST events that gRPC can express: texts are not empty, messages and metadata are text. */
const events = fc.record(
  {
    action: fc.constantFrom('db:table:drop', 'A:b:C', 'x.y:z-1:_'),
    event_id: some(fc.uuid()),
    timestamp: some(fc.constant('2026-01-15T10:00:00Z')),
    agent: some(partial({ agent_id: text, agent_type: text, framework: text, model: text })),
    session: some(partial({ session_id: text, user_id: text, started_at: fc.constant('2026-01-15T09:00:00Z') })),
    target: some(
      partial({ resource_type: text, resource_id: text, sensitivity_level: fc.integer({ min: 0, max: 4 }) }),
    ),
    mcp_context: some(
      partial({
        server_name: text,
        transport: fc.constantFrom('stdio', 'sse', 'http'),
        is_verified: fc.boolean(),
        tool_name: text,
      }),
    ),
    parameters: some(fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }))),
    data_fields_accessed: some(
      fc.array(fc.oneof(text, fc.record({ field: text, classification: fc.constantFrom(...CLASSES.slice(1)) })), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
    preceding_actions: some(fc.array(text, { minLength: 1, maxLength: 3 })),
    user_context: some(text),
    conversation_history: some(fc.array(fc.record({ content: fc.string() }), { minLength: 1, maxLength: 3 })),
    metadata: some(fc.dictionary(text, fc.string({ unit: 'grapheme' }), { minKeys: 1, maxKeys: 3 })),
  },
  { requiredKeys: ['action'] },
);

type Event = typeof events extends fc.Arbitrary<infer T> ? T : never;

function contextOf(event: Event): object {
  const { data_fields_accessed, mcp_context, parameters, conversation_history, ...same } = event;
  return {
    ...same,
    ...(mcp_context && {
      mcp_context: { ...mcp_context, transport: Math.max(0, TRANSPORTS.indexOf(String(mcp_context.transport ?? ''))) },
    }),
    ...(parameters && { parameters: Buffer.from(JSON.stringify(parameters)) }),
    ...(conversation_history && { conversation_history: conversation_history.map(({ content }) => content) }),
    ...(data_fields_accessed && {
      data_fields: data_fields_accessed.map((one) =>
        typeof one === 'string' ? { field: one } : { ...one, classification: CLASSES.indexOf(one.classification) },
      ),
    }),
  };
}

/** The event, or the faults found. */
function outcome(reading: () => { event: object; content_hash: string }): unknown {
  try {
    const { event, content_hash } = reading();
    const { event_id: _, ...rest } = event as { event_id: string };
    return { event: rest, content_hash };
  } catch (error) {
    assert.ok(error instanceof WeirError && error.code === 'invalid', String(error));
    return 'refused';
  }
}

describe('readContext', () => {
  test('an event read by gRPC is the event read by REST: same content, same hash, same refusals', () => {
    fc.assert(
      fc.property(events, (sent) => {
        const event = JSON.parse(JSON.stringify(sent)) as Event;
        const rest = outcome(() => readEvent(parseJson(Buffer.from(JSON.stringify(event))), clock));
        assert.deepEqual(
          outcome(() => read(contextOf(event))),
          rest,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('values that proto3 cannot tell from absent ones count as absent', () => {
    const { event } = read({ action: 'a:b:c', agent: {}, session: { user_id: '' }, metadata: {}, user_context: '' });
    assert.deepEqual(Object.keys(event).sort(), ['action', 'event_id', 'timestamp']);
    assert.deepEqual(read({ action: 'a:b:c', target: { sensitivity_level: 0 } }).event.target, {
      sensitivity_level: 0,
    });
  });

  test('all faults are reported at once, each at its place in the request', () => {
    const sent = { action: 'x', timestamp: 'now', target: { sensitivity_level: 9 } };
    assert.throws(
      () => read(sent, 'contexts[3]'),
      (error: WeirError) => error.errors?.every(({ path }) => path.startsWith('contexts[3].')) === true,
    );
  });

  test('a fault of a legacy field is reported at the field that was sent, whichever field it fills', () => {
    const long = 'x'.repeat(5_000);
    const many = JSON.stringify({ ids: Array.from({ length: 20_000 }, () => 1) });
    const at = (fields: object): string[] => {
      try {
        read({ action: 'a:b:c', ...fields });
      } catch (error) {
        return (error as WeirError).errors!.map(({ path }) => path);
      }
      return [];
    };
    const cases: [object, string[]][] = [
      [{ resource: long }, ['context.resource']],
      [{ resource: long, target: { resource_type: long } }, ['context.resource', 'context.target.resource_type']],
      [{ target: { resource_id: long } }, ['context.target.resource_id']],
      [{ resource: long, target: { resource_id: 'x' } }, ['context.resource']],
      [{ resource: 'x', target: { resource_id: long } }, ['context.target.resource_id']],
      [{ user_id: long }, ['context.user_id']],
      [{ user_id: 'x\0' }, ['context.user_id']],
      [{ tool_name: long }, ['context.tool_name']],
      [{ legacy_data_fields: ['x', long] }, ['context.legacy_data_fields[1]']],
      [{ data_fields: [{ field: long }] }, ['context.data_fields[0]']],
      [{ tool_input: many }, ['context.tool_input']],
      [{ parameters: Buffer.from(many) }, ['context.parameters']],
    ];
    for (const [fields, paths] of cases)
      assert.deepEqual(at(fields).sort(), paths, JSON.stringify(fields).slice(0, 80));
    assert.throws(() => read({ action: 'a:b:c', resource: long }), /`context\.resource` must not have more/);
  });

  test('the keys of all objects are counted together, to the same limit as by REST', () => {
    const keys = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    const byRest = (body: string) => () => readEvent(parseJson(Buffer.from(body)), clock);
    // With the names `action` and `parameters`, 10,000.
    assert.equal(read({ action: 'a:b:c', parameters: Buffer.from(keys(9_998)) }).values, 10_000);
    byRest(`{"action":"a:b:c","parameters":${keys(9_998)}}`)();
    const refused = (told: string) => (error: WeirError) => {
      assert.deepEqual(error.errors, [{ path: told, message: error.errors?.[0]?.message }]);
      assert.match(error.detail, /has more than 10000 keys; send fewer/);
      return true;
    };
    assert.throws(() => read({ action: 'a:b:c', parameters: Buffer.from(keys(9_999)) }), refused('context'));
    assert.throws(byRest(`{"action":"a:b:c","parameters":${keys(9_999)}}`), refused(''));
    const twice = { action: 'a:b:c', parameters: Buffer.from(keys(5_000)), tool_input: keys(5_001) };
    assert.throws(() => read(twice), refused('context'));
  });

  test('any bytes become an event or a refusal', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (raw) => {
        let context: ActionContext;
        try {
          context = codec.decode(Buffer.from(raw));
        } catch {
          return;
        }
        outcome(() => readContext(context, 'context', true, clock));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('fieldPath', () => {
  assert.equal(fieldPath('context', ''), 'context');
  assert.equal(
    fieldPath('contexts[3]', '/data_fields_accessed/1/classification'),
    'contexts[3].data_fields[1].classification',
  );
  assert.equal(fieldPath('context', '/parameters/a~1b/c~0d'), 'context.parameters.a/b.c~d');
});
