import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexNeedles } from './needle-index.ts';

const NEEDLES = ['@', 'a', 'ab', 'abc', '0x', 'token', '-----begin', 'xox', '__'];
const { numbers, shapeOf } = indexNeedles(NEEDLES);

/** Every place of a literal, without regard to ASCII case. */
function placesOf(needle: string, text: string): number[] {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const places: number[] = [];
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + 1)) places.push(at);
  return places;
}

test('every place of every literal, the digits and the longest run, as plain searches find them', () => {
  const part = fc.oneof(
    fc.constantFrom(...NEEDLES, 'AB', 'Token', '-----BEGIN', '12', ' ', '.', 'é', '\u212a', '\u{1f600}'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      const shape = shapeOf(text, 1_000);
      for (const needle of NEEDLES)
        assert.deepEqual(shape.positions.get(numbers.get(needle)!) ?? [], placesOf(needle, text), needle);
      assert.equal(shape.digits, text.match(/[0-9]/g)?.length ?? 0);
      assert.equal(shape.longest_run, Math.max(0, ...(text.match(/[A-Za-z0-9+/_-]+/g) ?? []).map((run) => run.length)));
    }),
  );
});
