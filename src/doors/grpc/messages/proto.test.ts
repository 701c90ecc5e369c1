import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type protobuf from 'protobufjs';
import { codecOf, protoRoot, textReaderOf } from './proto.ts';

const codec = codecOf('risk.v1.EvaluateRiskRequest');
const type = protoRoot.lookupType('risk.v1.EvaluateRiskRequest');
const encode = (fields: object): Buffer => Buffer.from(type.encode(type.fromObject(fields)).finish());
const plain = (message: object) => type.toObject(message as protobuf.Message, { defaults: true });
const read = (bytes: Buffer) => plain(codec.decode(bytes));

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) => fc.record(fields, { requiredKeys: [] });
const requests = some({
  customer_id: text,
  context: some({
    action: text,
    agent: some({ agent_id: text, model: text }),
    target: some({ resource_id: text, sensitivity_level: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) }),
    mcp_context: some({ transport: fc.nat(9), is_verified: fc.boolean() }),
    data_fields: fc.array(some({ field: text, classification: fc.nat(9) }), { maxLength: 3 }),
    conversation_history: fc.array(text, { maxLength: 3 }),
    parameters: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    metadata: fc.dictionary(text, text, { maxKeys: 3 }),
    legacy_data_fields: fc.array(text, { maxLength: 2 }),
  }),
});

describe('reading a message', () => {
  test('messages that the library encodes are decoded unchanged', () => {
    fc.assert(fc.property(requests, (sent) => assert.deepEqual(read(encode(sent)), plain(type.fromObject(sent)))));
  });

  test('a message in two pieces is merged: the later text counts, lists and maps are concatenated', () => {
    const pieces = [
      {
        customer_id: 'a',
        context: {
          action: 'a:b:c',
          target: { resource_id: 'x', sensitivity_level: 4 },
          data_fields: [{ field: 'ssn' }],
          metadata: { k: '1', l: '1' },
        },
      },
      {
        context: {
          action: 'a:b:d',
          target: { resource_type: 'file' },
          data_fields: [{ field: 'email' }],
          metadata: { k: '2' },
        },
      },
    ];
    const { context, customer_id } = read(Buffer.concat(pieces.map(encode)));
    assert.equal(customer_id, 'a');
    assert.equal(context.action, 'a:b:d');
    assert.deepEqual(context.target, { resource_type: 'file', resource_id: 'x', sensitivity_level: 4 });
    assert.deepEqual(
      context.data_fields.map(({ field }: { field: string }) => field),
      ['ssn', 'email'],
    );
    assert.deepEqual(context.metadata, { k: '2', l: '1' });
  });

  test('a field of another wire type is ignored like an unknown one, for every field and type', () => {
    const inner = (bytes: number[]): Buffer => Buffer.from([0x0a, bytes.length, ...bytes]);
    const of: Record<string, Buffer> = {
      'a number for the context': Buffer.from([0x08, 1]),
      'eight bytes for a text': inner([0x09, 1, 2, 3, 4, 5, 6, 7, 8]),
      'a group for the agent': inner([0x13, 0x14]),
      'a number for parameters': inner([0x48, 1]),
      'a text for the sensitivity level': inner([0x22, 3, 0x1a, 1, 0x31]),
      'a number for the key of a map': inner([0x52, 2, 0x08, 1]),
    };
    for (const [name, bytes] of Object.entries(of)) {
      const { context, customer_id } = codec.decode(bytes);
      assert.equal(customer_id, '', name);
      assert.deepEqual([context?.action ?? '', context?.parameters?.length ?? 0], ['', 0], name);
      assert.deepEqual([context?.agent ?? null, context?.target?.sensitivity_level ?? null], [null, null], name);
    }
  });

  test('unknown fields of a newer client are skipped; field 0 and a field that overruns its message are refused', () => {
    const action = encode({ context: { action: 'a:b:c' } });
    for (const unknown of [
      [0xfa, 0x06, 1, 0x41],
      [0xf8, 0x06, 1],
      [0xfd, 0x06, 1, 2, 3, 4],
    ])
      assert.equal(read(Buffer.concat([Buffer.from(unknown), action])).context.action, 'a:b:c');
    for (const bad of [
      [0x02, 0],
      [0x0a, 2, 0x0a, 5, 0x61, 0x61, 0x61, 0x61, 0x61],
      [0x0a, 9, 0x0a, 1, 0x61],
      [0x0a, 0x80],
    ])
      assert.throws(() => codec.decode(Buffer.from(bad)), Error, bad.join());
  });

  test('the key `__proto__` is a key', () => {
    const entry = [0x0a, 9, ...Buffer.from('__proto__'), 0x12, 1, 0x78];
    const context = [0x52, entry.length, ...entry];
    const { metadata } = codec.decode(Buffer.from([0x0a, context.length, ...context])).context!;
    assert.deepEqual(Object.entries(metadata), [['__proto__', 'x']]);
  });
});

describe('reading one text of a message', () => {
  const customerIdOf = textReaderOf('risk.v1.EvaluateRiskRequest', 'customer_id');
  const sent = encode({ customer_id: 'a', context: { action: 'x' } });

  test('it is the text that the codec reads', () => {
    const bytes = fc.oneof(
      fc.array(requests, { maxLength: 3 }).map((pieces) => Buffer.concat(pieces.map(encode))),
      fc.uint8Array({ maxLength: 20 }).map((some) => Buffer.concat([sent, some, sent])),
    );
    fc.assert(
      fc.property(bytes, (one) => {
        let decoded: string;
        try {
          decoded = read(one).customer_id;
        } catch {
          return;
        }
        assert.equal(customerIdOf(one), decoded);
      }),
    );
  });

  test('a fault after it does not matter, and bytes that are not a message have none', () => {
    assert.equal(customerIdOf(encode({ customer_id: 'a' })), 'a');
    assert.equal(customerIdOf(Buffer.concat([encode({ customer_id: 'a' }), Buffer.from([0x0a, 9])])), 'a');
    assert.equal(customerIdOf(Buffer.from([0xff, 0xff])), '');
    assert.equal(customerIdOf(Buffer.from([0x12, 1, 0xff])), '');
    assert.equal(customerIdOf(Buffer.alloc(0)), '');
  });
});
