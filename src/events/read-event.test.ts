import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Clock } from '../platform/clock.ts';
import type { WeirError } from '../platform/errors.ts';
import { parseJson } from '../platform/json/json.ts';
import { readEvent } from './read-event.ts';

const clock: Clock = { now: () => Date.parse('2026-01-15T10:00:00Z'), ticks: () => 0 };
const read = (value: unknown) => readEvent(parseJson(Buffer.from(JSON.stringify(value))), clock);
const readText = (text: string) => readEvent(parseJson(Buffer.from(text)), clock);

describe('readEvent', () => {
  test('fills in what is missing', () => {
    const { event, ignored_fields } = read({ action: 'GitHub:Pulls:READ' });
    assert.match(event.event_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(event, {
      event_id: event.event_id,
      action: 'github:pulls:read',
      timestamp: '2026-01-15T10:00:00.000Z',
    });
    assert.deepEqual(ignored_fields, []);
  });

  test('the hash depends on the fields that were sent, not on those that were filled in', () => {
    const sent = { event_id: 'e', action: 'a:b:c' };
    assert.equal(
      read(sent).content_hash,
      readEvent(parseJson(Buffer.from(JSON.stringify(sent))), { ...clock, now: () => 0 }).content_hash,
    );
    assert.notEqual(read(sent).content_hash, read({ ...sent, timestamp: '2026-01-15T10:00:00.000Z' }).content_hash);
  });

  test('the hash depends on the content, not on its spelling', () => {
    const hash = readText('{"action":"a:b:c","parameters":{"x":1,"y":"ü"}}').content_hash;
    assert.equal(readText('{ "parameters": {"y":"\\u00fc", "x":1.0e0}, "action":"a:b:c" }').content_hash, hash);
    for (const other of [
      '{"action":"a:b:c","parameters":{"x":"1","y":"ü"}}',
      '{"action":"a:b:c","parameters":{"x":1,"y":"ü","z":null}}',
      '{"action":"a:b:c","parameters":{"x":1},"y":"ü"}',
      '{"action":"a:b:d","parameters":{"x":1,"y":"ü"}}',
    ]) {
      assert.notEqual(readText(other).content_hash, hash, other);
    }
  });

  test('text with U+0000 and the text of its escape are different content', () => {
    const odd = readText('{"action":"a:b:c","user_context":"\\u0000"}');
    const escaped = readText('{"action":"a:b:c","user_context":"\\\\u0000"}');
    assert.deepEqual(odd.event.user_context, escaped.event.user_context);
    assert.notEqual(odd.content_hash, escaped.content_hash);
  });

  test('a field whose name is nearly a known one is refused, any other is kept and named', () => {
    for (const [sent, meant] of [
      ['usr_context', 'user_context'],
      ['Parameters', 'parameters'],
      ['conversation_histroy', 'conversation_history'],
    ])
      assert.throws(
        () => read({ action: 'a:b:c', [sent!]: 'x' }),
        (error: WeirError) => error.errors?.[0]?.message.includes(`\`${meant}\``) === true,
      );
    assert.deepEqual(read({ action: 'a:b:c', colour: 'red', tags: [] }).ignored_fields, ['colour', 'tags']);
  });

  test('reports all faults at once', () => {
    const sent = { action: 'x', event_id: '.', timestamp: 'now', session: { started_at: 'then' } };
    assert.throws(
      () => read(sent),
      (error: WeirError) =>
        error.errors?.map(({ path }) => path).join() === '/action,/event_id,/timestamp,/session/started_at',
    );
  });

  test('takes every form of timestamp that `parseTimestamp` takes', () => {
    for (const timestamp of ['2026-01-15T10:00', '2026-01-15t10:00:00.123456789z', '2026-01-15T10:00:00+14:00']) {
      assert.equal(read({ action: 'a:b:c', timestamp, session: { started_at: timestamp } }).event.timestamp, timestamp);
    }
  });

  test('names unknown fields, also inside the known objects', () => {
    const sent = {
      action: 'a:b:c',
      zone: 1,
      target: { owner: 'x', sensitivity_level: 1 },
      parameters: { free: 1 },
      metadata: { free: 1 },
    };
    const { ignored_fields, event } = read(sent);
    assert.deepEqual(ignored_fields.sort(), ['target.owner', 'zone']);
    assert.equal((event as unknown as { zone: number }).zone, 1);
  });

  test('any JSON is an event or is refused', () => {
    const names = [
      'action',
      'event_id',
      'timestamp',
      'agent',
      'session',
      'target',
      'parameters',
      'mcp_context',
      'data_fields_accessed',
      'preceding_actions',
      'user_context',
      'conversation_history',
      'metadata',
    ];
    const events = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(events, fc.boolean(), (sent, has_action) => {
        try {
          const { event } = read(has_action ? { ...sent, action: 'a:b:c' } : sent);
          assert.match(event.action, /^[^:]+:[^:]+:[^:]+$/);
        } catch (error) {
          assert.equal((error as WeirError).code, 'invalid');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('too many values are refused with the field that holds most of them', () => {
    const ids = (length: number) => ({
      action: 'a:b:c',
      data_fields_accessed: ['x'],
      parameters: { ids: Array.from({ length }, (_, i) => i) },
    });
    const isRefused = (error: WeirError): boolean =>
      error.errors?.[0]?.path === '/parameters' && /20000 values/.test(error.detail ?? '');
    // Beside the numbers there are the action, two lists, a field and an object.
    assert.equal((read(ids(19_995)).event.parameters!['ids'] as unknown[]).length, 19_995);
    assert.throws(() => read(ids(19_996)), isRefused);
    assert.throws(() => readText(`{"action":"a:b:c","parameters":{"a":[${'[],'.repeat(30_000)}0]}}`), isRefused);
  });

  test('values are counted before they are validated: of half a million invalid ones none is judged', () => {
    const wrong = { action: 7, timestamp: 'now', parameters: { at: [1] }, preceding_actions: Array(500_000).fill(1) };
    assert.throws(
      () => read(wrong),
      (error: WeirError) => error.errors?.map(({ path }) => path).join() === '/preceding_actions',
    );
  });
});
