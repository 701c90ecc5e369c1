import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../../../test/support/weir.ts';
import { createMasterKey, masterKeyFrom } from './master-key.ts';
import { openKey, rewrapKey, sealKey } from './seal.ts';

const name = { key_id: 'k-1', customer_id: 'c-1' };
const secret = randomBytes(138);

describe('the master key', () => {
  test('is the text of MASTER_KEY, whatever its length', async () => {
    const [a, same, b] = await Promise.all(['a', 'a', 'b'.repeat(4_000)].map(masterKeyFrom));
    assert.deepEqual([a!.key.length, a!.id], [32, same!.id]);
    assert.deepEqual(a!.key, same!.key);
    assert.notEqual(a!.id, b!.id);
    const given = await createMasterKey({ MASTER_KEY: 'a', DATA_DIR: '/nowhere' })();
    assert.deepEqual(given, a);
  });

  test('otherwise one file, made once, readable by its owner only, also when several processes start at once', async () => {
    const DATA_DIR = join(temporaryDirectory(), 'data');
    const keys = await Promise.all(Array.from({ length: 8 }, () => createMasterKey({ MASTER_KEY: null, DATA_DIR })()));
    assert.equal(new Set(keys.map(({ id }) => id)).size, 1);
    assert.deepEqual(readdirSync(DATA_DIR), ['master.key']);
    assert.equal(statSync(join(DATA_DIR, 'master.key')).mode & 0o777, 0o600);
    assert.match(readFileSync(join(DATA_DIR, 'master.key'), 'utf8'), /^[\w-]{43}\n$/);
  });
});

describe('sealed keys', () => {
  test('open only under their own master key and name', async () => {
    const [master, other] = await Promise.all([masterKeyFrom('a'), masterKeyFrom('b')]);
    const sealed = sealKey(master!, name, secret);
    assert.deepEqual(openKey(master!, name, sealed), secret);
    assert.ok(!sealed.private_key.includes(secret.subarray(0, 16)));
    assert.throws(() => openKey(other!, name, sealed), { code: 'unavailable' });
    assert.throws(() => openKey({ ...other!, id: master!.id }, name, sealed), { code: 'unavailable' });
    for (const wrong of [
      { ...name, key_id: 'k-2' },
      { ...name, customer_id: 'c-2' },
    ]) {
      assert.throws(() => openKey(master!, wrong, sealed), { code: 'unavailable' }, JSON.stringify(wrong));
    }
  });

  test('any flipped bit is noticed', async () => {
    const master = await masterKeyFrom('a');
    const sealed = sealKey(master, name, secret);
    for (const part of ['private_key', 'data_key'] as const) {
      for (const at of [0, 11, 12, 27, 28, sealed[part].length - 1]) {
        const changed = Buffer.from(sealed[part]);
        changed[at]! ^= 1;
        assert.throws(() => openKey(master, name, { ...sealed, [part]: changed }), { code: 'unavailable' });
      }
    }
    assert.throws(() => openKey(master, name, { ...sealed, data_key: Buffer.alloc(5) }), { code: 'unavailable' });
  });

  test('a new master key wraps the data key anew and leaves the private key as it was', async () => {
    const [from, to] = (await Promise.all([masterKeyFrom('a'), masterKeyFrom('b')])) as [never, never];
    const sealed = sealKey(from, name, secret);
    const moved = { ...sealed, ...rewrapKey(from, to, name, sealed) };
    assert.equal(moved.private_key, sealed.private_key);
    assert.deepEqual(openKey(to, name, moved), secret);
    assert.throws(() => openKey(from, name, moved), { code: 'unavailable' });
  });
});
