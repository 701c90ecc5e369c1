import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/lang/json.ts';
import { type Bench, makeRecord, newCustomer } from './start.ts';

/** Text that trips databases, drivers and escapes. */
const TEXTS: Record<string, string> = {
  'the replacement character': 'a\ufffdb',
  'emoji and other planes': '👩‍👩‍👧‍👦 𝕏 \u{10ffff}',
  'right to left and invisible': 'שלום \u202e dne \u200b\u2066x\u2069',
  'quotes and backslashes': `' " \\ \\\\ \\' \\" $1 $$ \`; drop table events; --`,
  'array and row syntax': '{NULL,"a",{}} (1,2) \\N \\. {}',
  'control characters': '\u0001\u0008\t\n\r\u001f\u007f\u0085\u2028\u2029',
  'U+0000 and a lone surrogate in free text': 'nul \u0000 half \ud800 end',
  'not normalised': 'e\u0301 ≠ \u00e9',
  empty: '',
};

/** Whatever text comes in, the same comes out. */
export function textTests(bench: Bench): void {
  describe('text', () => {
    async function roundTrip(event_id: string, parameters: JsonObject): Promise<void> {
      const record = makeRecord(newCustomer(), { event_id });
      record.event.parameters = parameters;
      record.assessment.reasoning = JSON.stringify(parameters);
      assert.equal((await bench.nodes[0].scores.record(record)).kind, 'stored');
      const found = await bench.nodes[1].scores.find(record.customer_id, event_id);
      assert.deepEqual(found?.event, record.event);
      assert.deepEqual(found?.assessment, record.assessment);
    }

    for (const [name, text] of Object.entries(TEXTS)) {
      test(`${name} in an event`, () => roundTrip('e', { text, [text]: [text] }));
      const is_id = text !== '' && text.isWellFormed() && !text.includes('\0');
      if (is_id) test(`${name} in an event_id`, () => roundTrip(text, { text }));
    }

    test('an event of 1 MB', () => roundTrip('big', { text: 'ä"\\\n'.repeat(200_000) }));

    test('keys that mean something to JavaScript', () =>
      roundTrip('proto', JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "1": 3, "0": 4}') as JsonObject));

    test('any JSON, and any event_id that is text', () =>
      fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), fc.json(), async (id, json) => {
          fc.pre(id.isWellFormed() && !id.includes('\0'));
          await roundTrip(id, { value: JSON.parse(json) });
        }),
        { numRuns: 100 },
      ));

    test('an id that no database can hold is not found', async () => {
      const { scores, api_keys } = bench.nodes[0];
      for (const id of ['nul \0', 'half \ud83d']) {
        assert.equal(await scores.find(newCustomer(), id), null);
        assert.equal(await api_keys.revoke(id), null);
        assert.equal(await api_keys.findByHash(id), null);
      }
    });
  });
}
