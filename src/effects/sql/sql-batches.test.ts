import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../test/support/knowledge.ts';
import { isTakenBack, statementsOf } from './sql-batches.ts';
import { readTokens } from './sql-tokens.ts';

const { ontology } = knowledge;

const split = (sql: string): string[] =>
  statementsOf(readTokens(sql), ontology).map((tokens) => sql.slice(tokens[0]!.from, tokens.at(-1)!.to));

test('a word that begins a statement parts it from the one before, without a semicolon', () => {
  assert.deepEqual(split('SELECT 1 DROP TABLE a'), ['SELECT 1', 'DROP TABLE a']);
  assert.deepEqual(split('DELETE FROM a WHERE id = 1 DELETE FROM b; SELECT 2'), [
    'DELETE FROM a WHERE id = 1',
    'DELETE FROM b',
    'SELECT 2',
  ]);
  assert.deepEqual(split('IF EXISTS (SELECT 1) UPDATE a.b SET x = 1'), [
    'IF EXISTS (SELECT 1)',
    'UPDATE a.b SET x = 1',
  ]);
});

test('the same words within a statement part nothing', () => {
  for (const sql of [
    'SELECT * FROM a FOR UPDATE',
    'INSERT INTO a (x) VALUES (1) ON CONFLICT (x) DO UPDATE SET x = 2',
    'CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE CASCADE)',
    'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.x = s.x',
    'GRANT SELECT, UPDATE, DELETE ON a TO app',
    'ALTER TABLE a DROP COLUMN b',
    'EXPLAIN DELETE FROM a',
    'SELECT drop_date, update_time FROM a',
  ])
    assert.deepEqual(split(sql), [sql]);
});

test('only one transaction of rows that is rolled back whole leaves nothing', () => {
  const isGone = (sql: string): boolean => isTakenBack(statementsOf(readTokens(sql), ontology), ontology);
  assert.ok(isGone('BEGIN; DELETE FROM a; ROLLBACK'));
  assert.ok(isGone('START TRANSACTION; UPDATE a SET x = 1; SELECT 1; ROLLBACK TRANSACTION;'));
  for (const sql of [
    'DELETE FROM a; ROLLBACK',
    'BEGIN; DELETE FROM a; COMMIT; ROLLBACK',
    'BEGIN; DELETE FROM a; ROLLBACK; DELETE FROM b',
    'BEGIN; DELETE FROM a; END; ROLLBACK',
    'BEGIN; SAVEPOINT s; DELETE FROM a; ROLLBACK TO s',
    'BEGIN; DROP TABLE a; ROLLBACK',
    // MySQL commits at a second beginning, and when it is set to commit by itself.
    'BEGIN; DELETE FROM a; BEGIN; ROLLBACK',
    'START TRANSACTION; DELETE FROM a; SET autocommit = 1; ROLLBACK',
    'BEGIN; DELETE FROM a; DO $$ BEGIN COMMIT; END $$; ROLLBACK',
  ])
    assert.ok(!isGone(sql), sql);
});
