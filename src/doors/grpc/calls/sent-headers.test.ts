import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEdges } from './sent-headers.ts';

test('blanks and tabs at the ends of a header value go, those inside stay', () => {
  const cases = [
    ['', ''],
    [' \t ', ''],
    ['a', 'a'],
    ['\t a \t b \t', 'a \t b'],
    ['\u00a0a\u00a0', '\u00a0a\u00a0'],
  ];
  for (const [value, expected] of cases) assert.equal(withoutEdges(value!), expected);
});

test('each character of a header value is looked at a bounded number of times', () => {
  let reads = 0;
  const counted = new Proxy(new String(`a${' '.repeat(60_000)}b`), {
    get(value, name) {
      if (name === 'charCodeAt') {
        reads += 1;
        return (at: number) => value.charCodeAt(at);
      }
      if (name === 'slice') return (from: number, to: number) => value.slice(from, to);
      return Reflect.get(value, name) as unknown;
    },
  });
  assert.equal(withoutEdges(counted as unknown as string).length, 60_002);
  assert.ok(reads <= 2 * 60_002, `${reads} reads`);
});
