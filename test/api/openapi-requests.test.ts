/** Requests made from the OpenAPI documents, and the documents by an independent linter. `npm run check:openapi -- 10000` sends more. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { checkDocument } from '../kits/openapi/check.ts';
import type { OpenApi } from '../kits/openapi/document.ts';
import { adminHeader } from '../support/admin-keys.ts';
import { call, newCustomer } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';

/** Requests to each port: enough to meet every operation some ten times. */
const REQUESTS = Number(process.env['OPENAPI_REQUESTS'] ?? 300);
const SEED = Number(process.env['OPENAPI_SEED'] ?? 27);

describe('OpenAPI, against the servers', () => {
  let weir: HostedWeir;
  before(async () => {
    weir = await startHostedWeir({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', AUTH_RATE_LIMIT_RPM: '0' } });
  });
  after(() => weir.stop());

  for (const port of ['api', 'auth'] as const)
    test(`${port}: the linter finds no error`, async () => {
      const { text } = await call(`${weir[port]}/openapi.json`);
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({ source: text, absoluteRef: `${port}.json`, config });
      const errors = problems.filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        errors.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
        [],
      );
    });

  test('api: no answer is off the document, and every allowed body is accepted', async () => {
    const customer = await newCustomer(weir);
    const document = (await call(`${weir.api}/openapi.json`)).json as unknown as OpenApi;
    const result = await checkDocument({
      base: weir.api,
      headers: { 'x-api-key': customer.api_key },
      document,
      known: { customer_id: customer.customer_id, wait: '0' },
      requests: REQUESTS,
      seed: SEED,
      skip: ['stream_events'],
      accepts: ['score_event', 'submit_batch', 'put_policy'],
    });
    assert.deepEqual(result.faults.slice(0, 5), []);
    assert.equal(result.requests, REQUESTS);
    assert.ok(result.allowed > REQUESTS / 20, `${result.allowed} allowed bodies`);
    assert.ok((result.statuses['400'] ?? 0) > 0 && (result.statuses['200'] ?? 0) > 0, JSON.stringify(result.statuses));
  });

  test('auth: the same', async () => {
    const customer = await newCustomer(weir);
    const document = (await call(`${weir.auth}/openapi.json`)).json as unknown as OpenApi;
    const result = await checkDocument({
      base: weir.auth,
      headers: adminHeader(weir.auth),
      document,
      known: { customer_id: customer.customer_id },
      requests: REQUESTS,
      seed: SEED,
      skip: [],
      accepts: ['issue_app_token', 'create_api_key'],
    });
    assert.deepEqual(result.faults.slice(0, 5), []);
    assert.ok(result.allowed > 0, `${result.allowed} allowed bodies`);
  });
});
