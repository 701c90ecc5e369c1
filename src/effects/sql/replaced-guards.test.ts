/** Guards that a migration drops and creates again, and such that it only drops or loosens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const DROP = 'DROP POLICY IF EXISTS "own" ON orders; ';
const isTampering = (sql: string): boolean => effectsOf(sql, 'sql').includes('tampers_with_guards one');

test('a guard that is made again on its table is not removed', () => {
  for (const sql of [
    `${DROP}CREATE POLICY "own" ON orders FOR SELECT USING (auth.uid() = user_id);`,
    `${DROP}ALTER TABLE orders ADD note text; CREATE POLICY "own" ON orders FOR INSERT WITH CHECK (auth.uid() = user_id);`,
    'DROP TRIGGER IF EXISTS stamp ON orders; CREATE TRIGGER stamp BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch();',
  ])
    assert.ok(!isTampering(sql), sql);
});

test('a guard that is gone, looser or elsewhere afterwards is removed', () => {
  for (const sql of [
    DROP,
    `CREATE POLICY "own" ON orders USING (auth.uid() = user_id); ${DROP}`,
    `${DROP}CREATE POLICY "other" ON orders USING (auth.uid() = user_id);`,
    `${DROP}CREATE POLICY "own" ON carts USING (auth.uid() = user_id);`,
    `${DROP}CREATE POLICY "own" ON orders USING (true);`,
    `${DROP}CREATE POLICY "own" ON orders USING (user_id = user_id);`,
    `${DROP}CREATE POLICY "own" ON orders FOR SELECT;`,
    'DROP TRIGGER IF EXISTS keep ON orders; CREATE TRIGGER keep BEFORE DELETE ON orders FOR EACH ROW BEGIN END;',
    'DROP TRIGGER IF EXISTS keep ON orders; CREATE TRIGGER keep BEFORE DELETE ON orders WHEN (false) EXECUTE FUNCTION stop();',
    'DROP TRIGGER IF EXISTS audit_orders ON orders; CREATE TRIGGER audit_orders AFTER UPDATE ON orders EXECUTE FUNCTION noop();',
    'DROP AUDIT IF EXISTS own; CREATE AUDIT own ON orders EXECUTE x;',
  ])
    assert.ok(isTampering(sql), sql);
});
