import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, letterWordsIn, wordsIn } from './fold.ts';

/** Letters whose other case is two letters or one of another alphabet in Unicode's own tables. */
const NOT_PAIRED = new Set(['Ĳ', 'ẞ', 'İ']);

test('a capital and its small letter are one, in every script that has both', () => {
  for (let unit = 0x41; unit < 0xd800; unit += 1) {
    const letter = String.fromCharCode(unit);
    const lower = letter.toLowerCase();
    // Signs such as that of the ohm part words.
    const isSign = unit >= 0x2000 && unit <= 0x2bff;
    if (isSign || lower === letter || lower.length !== 1 || NOT_PAIRED.has(letter)) continue;
    assert.equal(foldText(`x${letter}y`), foldText(`x${lower}y`), `U+${unit.toString(16)} ${letter}`);
  }
});

test('words of other languages are one word in capitals, too', () => {
  for (const word of ['șterge', 'hủy', 'διάγραψε', 'скасуй', 'ջնջել', 'კედელი', 'ödəniş'])
    assert.equal(foldText(word.toUpperCase()), foldText(word), word);
  assert.equal(foldText('δρόμος'), foldText('ΔΡΟΜΟΣ'));
  assert.equal(foldText('ştergeţi'), foldText('ștergeți'));
});

test('a folded text stays as it is, so that words of it are words of the text', () => {
  for (let unit = 0; unit < 0xffff; unit += 1) {
    const folded = foldText(`x${String.fromCharCode(unit)}y`);
    assert.equal(foldText(folded), folded, `U+${unit.toString(16)}`);
  }
});

test('words are runs of letters and digits, or of letters alone', () => {
  assert.deepEqual(wordsIn(' Ward-7b, Käse!'), ['ward', '7b', 'kaese']);
  assert.deepEqual(letterWordsIn(' Ward-7b, Käse!'), ['ward', 'b', 'kaese']);
  assert.deepEqual(wordsIn('...'), []);
});

test('ideographs and syllables of Korean fold to themselves', () => {
  for (const [from, to] of [
    [0x3041, 0x9fff],
    [0xac00, 0xd7a3],
  ] as const)
    for (let unit = from; unit <= to; unit += 1) {
      const letter = String.fromCharCode(unit);
      assert.equal(foldText(letter), letter.toLowerCase(), `U+${unit.toString(16)}`);
    }
});
