/** Tokens of SQL: quotes, comments, dialects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTokens, splitStatements } from './sql-tokens.ts';

const texts = (sql: string): string[] => readTokens(sql).map((t) => t.text);

test('quotes and comments of all dialects are read', () => {
  assert.deepEqual(texts(`select "a b", 'it''s', E'x\\'y', [c d], \`e\` -- no\n from t /* no */ where x<>1`), [
    'SELECT',
    'a b',
    ',',
    "it's",
    ',',
    "x\\'y",
    ',',
    'c d',
    ',',
    'e',
    'FROM',
    'T',
    'WHERE',
    'X',
    '<>',
    '1',
  ]);
  assert.deepEqual(texts('do $x$ drop; $x$'), ['DO', ' drop; ']);
  assert.deepEqual(texts('/*!50000 drop table x */'), ['DROP', 'TABLE', 'X']);
});

test('a semicolon in a string does not end the statement', () => {
  assert.equal(splitStatements(readTokens("select ';' ; drop table x")).length, 2);
});

test('a dollar quote that is not closed extends to the end of the text', () => {
  assert.deepEqual(readTokens('$$a b'), [{ kind: 'string', text: 'a b', from: 0, to: 5 }]);
});

test('any text is read into tokens in order and within its bounds', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (sql) => {
      let at = 0;
      for (const t of readTokens(sql)) {
        assert.ok(t.from >= at && t.to >= t.from && t.to <= sql.length);
        at = t.from;
      }
    }),
  );
});
