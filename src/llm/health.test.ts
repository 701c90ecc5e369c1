import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type LlmServer, startLlmServer } from '../../test/kits/llm/server.ts';
import { systemClock } from '../platform/clock.ts';
import { createCheckLlm } from './health.ts';
import { type ProviderName, providerNames } from './providers.ts';

describe('health of a provider', () => {
  let server: LlmServer;
  before(async () => {
    server = await startLlmServer(() => ({}));
  });
  after(() => server.stop());

  const check = (name: ProviderName, base_url = server.url, model = 'claude-stand-in') =>
    createCheckLlm(name, { model, api_key: 'k', base_url }, systemClock)();

  for (const name of providerNames) {
    test(`${name}: up, without the model, frozen, down`, async () => {
      assert.deepEqual(await check(name), { status: 'ok', model: 'claude-stand-in' });
      server.is_known = false;
      assert.equal((await check(name)).status, 'error');
      server.is_known = true;
      server.mode = 'slow';
      assert.equal((await check(name)).status, 'error');
      server.mode = 'answers';
      assert.equal((await check(name, 'http://127.0.0.1:1/v1')).status, 'error');
    });
  }

  test('a tag after the name of a listed model is no other model', async () => {
    assert.equal((await check('openai-compatible', server.url, 'claude')).status, 'error');
  });
});
