import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { readText } from '../conversation/text.ts';
import { readValue } from '../words/normalise.ts';
import { namedValues } from './named-values.ts';

const named = (user_context: string) => namedValues(corpusOf(readText(eventOf({ user_context }), ontology)));

test('addresses, paths and codes of the user’s own words, with what precedes them', () => {
  assert.deepEqual(
    named('Send ORD-1042 to ana@north.test, then read /srv/a.csv!').map(({ value, before, at }) => [
      value.text,
      before.slice(-5),
      at,
    ]),
    [
      ['ORD-1042', 'send ', 5],
      ['ana@north.test', '2 to ', 17],
      ['/srv/a.csv', 'read ', 43],
    ],
  );
});

test('a text is cut into the pieces that the pattern of a piece finds', () => {
  const PIECES = /[^\s"'`<>()[\]{},;|]{4,256}/g;
  const KINDS = new Set(['email', 'url', 'host', 'account', 'card', 'path', 'identifier']);
  const byPattern = (text: string): [string, number][] =>
    [...text.matchAll(PIECES)].flatMap((match): [string, number][] => {
      const piece = match[0].replace(/[.!?:]{1,8}$/, '');
      return /[@./\\_\d-]/.test(piece) && KINDS.has(readValue(piece, '', ontology).kind)
        ? [[readValue(piece, '', ontology).text, match.index]]
        : [];
    });
  const part = fc.constantFrom(
    'a',
    'Order',
    '17',
    '-',
    '.',
    '!',
    '_',
    '/x',
    ' ',
    '\u00a0',
    '"',
    ')',
    'ä',
    '!?'.repeat(6),
    'b'.repeat(254),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      // A word first, so that nothing of it is quoted text.
      const text = `go ${parts.join('')}`;
      assert.deepEqual(
        named(text).map(({ value, at }) => [value.text, at]),
        byPattern(text),
      );
    }),
  );
});
