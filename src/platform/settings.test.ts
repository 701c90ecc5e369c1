import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newApiKey } from './ids.ts';
import { readSettings, SettingsError, settingRows, showSettings, unusedSettings } from './settings.ts';

describe('settings', () => {
  test('defaults', () => {
    const settings = readSettings({});
    assert.equal(settings.PORT, 8000);
    assert.equal(settings.AUTH_PORT, 8001);
    assert.equal(settings.HOST, '127.0.0.1');
    assert.equal(settings.DATABASE_URL, null);
    assert.equal(settings.AUTH_SERVICE_NAME, 'weir-auth');
  });

  test('values, with their types; an empty variable is not set', () => {
    const settings = readSettings({ PORT: '0', GNN_ENABLED: 'FALSE', REDIS_URL: '', LOG_LEVEL: 'Debug' });
    assert.equal(settings.PORT, 0);
    assert.equal(settings.GNN_ENABLED, false);
    assert.equal(settings.REDIS_URL, null);
    assert.equal(settings.LOG_LEVEL, 'debug');
  });

  const bad: Record<string, string> = {
    PORT: '65536',
    AUTH_PORT: '80a',
    LOG_LEVEL: 'loud',
    GNN_ENABLED: 'maybe',
    REDIS_URL: 'http://127.0.0.1',
    RATE_LIMIT_RPM: '-1',
    HOLD_THRESHOLD: 'severe',
    TOKEN_PREFIX: 'We ir',
    BOOTSTRAP_CUSTOMER_ID: '12',
  };
  for (const [name, value] of Object.entries(bad)) {
    test(`${name}=${value} is refused in one line that names it`, () => {
      assert.throws(
        () => readSettings({ [name]: value }),
        (error) =>
          error instanceof SettingsError && error.message.startsWith(`${name}: `) && !error.message.includes('\n'),
      );
    });
  }

  test('a bad secret is not printed', () => {
    assert.throws(
      () => readSettings({ DATABASE_URL: 'mysql://root:hunter2@db' }),
      (error) => error instanceof SettingsError && !error.message.includes('hunter2'),
    );
  });

  test('the bootstrap settings belong together', () => {
    assert.throws(() => readSettings({ BOOTSTRAP_API_KEY: newApiKey('weir') }), SettingsError);
    readSettings({
      BOOTSTRAP_API_KEY: newApiKey('weir'),
      BOOTSTRAP_CUSTOMER_ID: '018f3c1e-0000-7000-8000-000000000001',
    });
  });

  test('no hold outlives the event that it holds', () => {
    assert.throws(() => readSettings({ RETENTION_DAYS: '1', HOLD_TTL_MINUTES: '1441' }), {
      message: 'HOLD_TTL_MINUTES: `1441` exceeds the retention of events; write at most 1440, or raise RETENTION_DAYS',
    });
    readSettings({ RETENTION_DAYS: '1', HOLD_TTL_MINUTES: '1440' });
    readSettings({ HOLD_TTL_MINUTES: '525600' });
  });

  test('showing masks every secret', () => {
    const shown = showSettings(readSettings({ DATABASE_URL: 'postgres://a:hunter2@db/x', AUTH_ADMIN_KEY: 'hunter2' }));
    assert.equal(shown.length, Object.keys(settingRows).length);
    assert.ok(!JSON.stringify(shown).includes('hunter2'));
    assert.equal(shown.find(({ name }) => name === 'DATABASE_URL')?.value, '********');
    assert.equal(shown.find(({ name }) => name === 'REDIS_URL')?.value, '');
  });

  test('a provider of language models needs a model, and a key or an address', () => {
    assert.throws(() => readSettings({ LLM_PROVIDER: 'anthropic' }), /^SettingsError: LLM_MODEL is missing/);
    assert.throws(() => readSettings({ LLM_PROVIDER: 'openai', LLM_MODEL: 'm' }), /LLM_API_KEY is missing/);
    assert.throws(() => readSettings({ LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm' }), /LLM_BASE_URL is missing/);
    assert.throws(() => readSettings({ LLM_PROVIDER: 'none' }), /LLM_PROVIDER: `none` is not valid/);
    assert.throws(() => readSettings({ LLM_CONFIDENCE_BELOW: '1.5' }), /write a number from 0 to 1/);
    const settings = readSettings({
      LLM_PROVIDER: 'openai',
      LLM_MODEL: 'm',
      LLM_API_KEY: 'hunter2',
      LLM_PRICE_INPUT: '0.25',
    });
    assert.equal(settings.LLM_PRICE_INPUT, 0.25);
    assert.ok(!JSON.stringify(showSettings(settings)).includes('hunter2'));
  });

  test('every setting has an effect in this version', () => {
    assert.deepEqual(unusedSettings(Object.fromEntries(Object.keys(settingRows).map((name) => [name, '1']))), []);
  });
});
