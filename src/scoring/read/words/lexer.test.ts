import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BREAK, CLAUSE, firstHash, hashWord, JOINED, lex, SENTENCE, SPACED } from './lexer.ts';

const wordsOf = (text: string): string[] => {
  const { count, start, end } = lex(text);
  return Array.from({ length: count }, (_, i) => text.slice(start[i], end[i]));
};
const gapsOf = (text: string): number[] => {
  const { count, gap } = lex(text);
  return Array.from({ length: count }, (_, i) => gap[i]!).slice(1);
};

test('words', () => {
  assert.deepEqual(wordsOf("Don't send Emma's file_1 to a@b.org, 1,000.50€"), [
    "Don't",
    'send',
    'Emma',
    's',
    'file',
    '1',
    'to',
    'a',
    'b',
    'org',
    '1',
    '000',
    '50',
  ]);
  assert.deepEqual(wordsOf('删除 文件'), ['删', '除', '文', '件']);
  // A Latin word ends where another script goes on without a blank.
  assert.deepEqual(wordsOf('新しいskillをpush'), ['新', 'し', 'い', 'skill', 'を', 'push']);
  assert.deepEqual(wordsOf('config.py를 push해줘'), ['config', 'py', '를', 'push', '해줘']);
  assert.deepEqual(wordsOf('line\\nNext \\u2019quoted\\"'), ['line', 'Next', 'quoted']);
  assert.deepEqual(wordsOf(''), []);
});

test('gaps between words', () => {
  assert.deepEqual(gapsOf('a.b c, d. E\n\nf'), [JOINED, SPACED, CLAUSE, SENTENCE, BREAK]);
  assert.deepEqual(gapsOf('{"key": "value", "next": 1}'), [BREAK, BREAK, CLAUSE]);
  assert.deepEqual(gapsOf("it is: 'x'"), [SPACED, CLAUSE]);
  assert.deepEqual(gapsOf('first:\nthen'), [SENTENCE]);
  assert.deepEqual(gapsOf('<p>hi</p>you'), [BREAK, BREAK, BREAK]);
});

test('case, accents, width and invisible characters do not change a word', () => {
  for (const [a, b] of [
    ['Überweise', 'ueberweise'],
    ['RÉPONDS', 'reponds'],
    ['ｐａｙ', 'pay'],
    ['p\u200ba\u00ady', 'pay'],
    ['ПЕРЕВОД', 'перевод'],
    ['Łódź', 'lodz'],
  ] as const) {
    assert.equal(lex(a).hash[0], hashWord(b), a);
    assert.equal(lex(a).count, 1, a);
  }
  assert.notEqual(hashWord('pay'), hashWord('pays'));
});

test('words lie in the text, in order, and are hashed as single words are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const { count, start, end, hash, gap } = lex(text);
      let last = 0;
      for (let i = 0; i < count; i++) {
        assert.ok(start[i]! >= last && end[i]! > start[i]! && end[i]! <= text.length);
        assert.ok(gap[i]! >= JOINED && gap[i]! <= BREAK);
        assert.equal(hash[i], hashWord(text.slice(start[i], end[i])));
        last = end[i]!;
      }
    }),
  );
});

test('a short text and the same text in a long one are read alike', () => {
  const piece = 'Please send 1,000.50 to "a@b.org"; then delete /tmp/x.\n\nOk?';
  const many = lex(`${piece}\n\n`.repeat(400));
  const one = lex(piece);
  assert.equal(many.count, one.count * 400);
  for (let i = 0; i < one.count; i++) assert.equal(many.hash[one.count * 399 + i], one.hash[i]);
});

test('the hash of the first word is that of a whole pass', () => {
  const pieces = [
    'zet',
    'lösche',
    "don't",
    'l’ordre',
    '|',
    ' ',
    '-',
    'ß',
    'ǌ',
    '\u00ad',
    '删',
    'スキル',
    '푸시',
    '_',
    '1',
    'Ω',
    '\u0301',
    '.',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 6 }),
      fc.string({ maxLength: 6, unit: 'binary' }),
      (some, any) => {
        for (const text of [some.join(''), any, some.join('') + any]) {
          const { hash, count } = lex(text);
          assert.equal(firstHash(text), count === 0 ? null : hash[0], JSON.stringify(text));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
