import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../lang/json.ts';
import { WeirError } from '../errors.ts';
import { countValues } from '../http/validate.ts';
import { parseJson } from './json.ts';
import { cutEntries } from './json-entries.ts';

const limits = { max_entries: 1_000, max_values: 10_000 };
const cut = (text: string, more: Partial<typeof limits> = {}) => cutEntries(Buffer.from(text), { ...limits, ...more });
const textsOf = (text: string): string[] => cut(text).entries.map(String);

describe('cutEntries', () => {
  test('each entry as it was sent, without the space around it; the frame has their number', () => {
    const { frame, entries, values } = cut(' {"events" : [ {"a":"]},\\"["} ,\n [1, [2]],"ü,", null\t]} ');
    assert.deepEqual(entries.map(String), ['{"a":"]},\\"["}', '[1, [2]]', '"ü,"', 'null']);
    assert.deepEqual(frame.value, { events: [0, 0, 0, 0] });
    assert.equal(values, 8);
    assert.deepEqual(textsOf('{"events":[ ]}'), []);
  });

  test('everything but lists in the outermost object stays in the frame', () => {
    for (const text of ['[[1],{"events":[2]}]', '{"a":{"events":[1]}}', '7', '"[{"'])
      assert.deepEqual([textsOf(text), cut(text).frame.value], [[], JSON.parse(text)], text);
  });

  test('too many entries, too many values, and too many bytes outside of them are refused before anything is parsed', () => {
    const refused = (text: string, words: RegExp, more = {}) =>
      assert.throws(() => cut(text, more), { code: 'invalid', detail: words });
    cut(`{"events":[${'0,'.repeat(999)}0]}`);
    refused(`{"events":[${'0,'.repeat(1_000)}0]}`, /more than 1000 entries; split it/);
    // The second entry is invalid JSON, which is not checked at this point.
    cut('{"events":[{"a":[1,{}]},{,}]}', { max_values: 7 });
    refused('{"events":[{"a":[1,{}]},{,}]}', /more than 6 values; split it/, { max_values: 6 });
    refused(`{"events":[],"more":{"a":[${'{},'.repeat(30_000)}0]}}`, /bytes outside the entries/);
  });

  test('entries parsed one by one equal the body parsed as a whole, with the same number of values', () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>, { maxLength: 5 });
    fc.assert(
      fc.property(list, fc.nat({ max: 3 }), (events, spaces) => {
        const text = JSON.stringify({ events }, null, spaces);
        fc.pre(!/"(__proto__|prototype)"/.test(text));
        const { entries, frame, values } = cut(text);
        const parsed = entries.map((one) => parseJson(one).value);
        assert.deepEqual(parsed, JSON.parse(text).events);
        assert.deepEqual(frame.value, { events: events.map(() => 0) });
        assert.equal(
          values,
          parsed.reduce<number>((sum, one) => sum + countValues(one, 1e9), 0),
        );
      }),
    );
  });

  test('whatever the text, where frame and entries are JSON it is JSON with these entries', () => {
    const token = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '"events":', '1', ' ', '\\', '{"events":[');
    const read = (text: string): Json[] | null => {
      try {
        const { frame, entries } = cut(text);
        const parsed = entries.map((one) => parseJson(one).value);
        return Object.keys(frame.value as object).join() === 'events' ? parsed : null;
      } catch (error) {
        if (error instanceof WeirError) return null;
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = `{"events":[${tokens.join('')}]}`;
        const events = read(text);
        if (events !== null) assert.deepEqual(JSON.parse(text), { events });
      }),
      { numRuns: 5_000 },
    );
  });
});
