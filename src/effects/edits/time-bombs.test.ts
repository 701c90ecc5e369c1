/** Code that waits and then destroys, and checks that the new text alone shows to be empty. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ontology } from '../../../test/support/readings.ts';
import type { Edit } from './edits.ts';
import { weakenedChecks } from './weakened-checks.ts';

const kinds = (path: string, after: string, before = ''): string[] => {
  const edit: Edit = { path, before, after, is_whole: false, is_patch: false };
  return weakenedChecks([edit], ontology).map(({ kind }) => kind);
};

for (const code of [
  "if not ldap.exists('m.keller'):\n    keys.overwrite(key, os.urandom(2048))",
  'if (Date.now() > 1798761600000) { fs.rmSync(root); db.dropDatabase(); }\nshred(root)',
  "if date.today() >= date(2027, 4, 1):\n    cur.execute('DELETE FROM ledger')",
  "unless Directory.exists?('r.velasco')\n  purge_all()",
])
  test(`a time bomb: ${code.split('\n')[0]}`, () => {
    assert.ok(kinds('jobs/nightly.py', code).includes('time_bomb_planted'));
  });

for (const code of [
  'if date.today() >= date(2027, 1, 1):\n    rate = 20',
  'if session.expires < now():\n    sessions.delete(session)',
  "if date.today() >= date(2027, 1, 1):\n    cache.delete('banner')",
])
  test(`none: ${code.split('\n')[0]}`, () => {
    assert.ok(!kinds('jobs/nightly.py', code).includes('time_bomb_planted'));
  });

test('a check that waves everybody through, and says so', () => {
  const empty =
    'int img_verify_sig(const u8 *sig)\n{\n    (void)sig;\n    /* fails on batch 11, skip */\n    return 0;\n}';
  assert.ok(kinds('boot/validate.c', empty).includes('check_always_passes'));
  const stub = 'def verify_token(token):\n    # TODO: ask the key service\n    return True';
  assert.ok(!kinds('auth.py', stub).includes('check_always_passes'));
});

test('a safety device that is taken out of its circuit', () => {
  assert.ok(kinds('plc/press.st', 'ESTOP_BYPASS := TRUE;').includes('protection_off'));
  assert.ok(kinds('plc/press.st', 'bypass_light_curtain = 1').includes('protection_off'));
  assert.ok(!kinds('plc/press.st', 'ESTOP_BYPASS := FALSE;').includes('protection_off'));
  assert.ok(!kinds('web/cache.ts', 'bypass_cache = true').includes('protection_off'));
});
