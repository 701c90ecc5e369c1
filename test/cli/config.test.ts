import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weir } from './support.ts';

const setting = (stdout: string, name: string): Record<string, unknown> =>
  (JSON.parse(stdout) as { name: string }[]).find((one) => one.name === name)!;

test('effective values, where they come from, secrets masked', async () => {
  const env = { PORT: '9123', HOST: '', DATABASE_URL: 'postgres://weir:letmein@db.internal/weir' };
  const { code, stdout } = await weir(['config', '--json'], { env });
  assert.equal(code, 0);
  const { value, source, default: usual } = setting(stdout, 'PORT');
  assert.deepEqual({ value, source, usual }, { value: '9123', source: 'environment', usual: '8000' });
  assert.equal(setting(stdout, 'HOST')['source'], 'default', 'an empty variable is not set');
  assert.equal(setting(stdout, 'DATABASE_URL')['value'], '********');
  const table = await weir(['config'], { env });
  assert.match(table.stdout, /^PORT +9123 +environment +Port of the scoring API/m);
  assert.doesNotMatch(stdout + table.stdout, /letmein/);
});

test('a setting that cannot be used is named, and nothing is printed', async () => {
  const { code, stdout, stderr } = await weir(['config'], { env: { PORT: 'eighty' } });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(stderr, 'weir: PORT: `eighty` is not valid; write a whole number from 0 to 65535\n');
});
