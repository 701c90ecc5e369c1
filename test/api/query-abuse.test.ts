/** Queries and paths of query-abuse.json, and more of the same kind. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { before, describe, test } from 'node:test';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { sharedFile } from '../support/shared.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

interface QueryCase {
  id: string;
  path: string;
  query: string;
  expected: number | string;
}

const file = sharedFile('vectors/query-abuse.json');

describe('hostile queries', () => {
  let weir: SharedWeir;
  let other: Customer;
  const other_event = randomUUID();

  before(async () => {
    weir = await sharedWeir();
    other = await newCustomer(weir);
    await call(`${weir.api}/events`, { key: weir.api_key, body: { action: 'a:b:c' } });
    const scored = await call(`${weir.api}/events`, {
      key: other.api_key,
      body: { action: 'a:b:c', event_id: other_event },
    });
    assert.equal(scored.status, 200, scored.text);
  });

  /** Sends a target exactly as written: `fetch` would tidy it first. */
  const get = (target: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(weir.api);
      const sent = request({ hostname, port, path: target, headers: { 'x-api-key': weir.api_key } }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, text }));
      });
      sent.on('error', reject).end();
    });

  const isExpected = (status: number, text: string, expected: number | string): boolean => {
    const is_good = status >= 200 && status < 300;
    if (expected === '2xx') return is_good;
    if (expected === 'either') return is_good || (status >= 400 && status < 500);
    if (expected === '2xx-empty-or-400') return status === 400 || (is_good && /"scores":\[\]/.test(text));
    return String(expected).split(' or ').map(Number).includes(status);
  };

  if (file === null) test.skip('../shared is not there: query-abuse.json was NOT run');
  const cases = file === null ? [] : (JSON.parse(readFileSync(file, 'utf8')) as { tests: QueryCase[] }).tests;
  for (const one of cases) {
    test(`${one.id} ${one.path} ${one.query}: ${one.expected}`, async () => {
      const path = one.path
        .replace('{customer_id}', weir.customer_id)
        .replace('{customer_id_uppercase}', weir.customer_id.toUpperCase())
        .replace('{other_customer_id}', other.customer_id)
        .replace('{other_event_id}', other_event);
      const target = one.query === '' ? path : `${path}?${one.query.replaceAll(' ', '%20').replaceAll("'", '%27')}`;
      const { status, text } = await get(target);
      assert.ok(isExpected(status, text, one.expected), `${status}: ${text.slice(0, 300)}`);
      assert.ok(!text.includes(other_event), 'shows another customer’s event');
    });
  }

  test('a fragment in the request target is no way around the checks', async () => {
    const { status } = await get(`/scores/${weir.customer_id}?page=0#x`);
    assert.equal(status, 400);
  });

  test('repeated and unknown parameters are refused', async () => {
    const base = `/scores/${weir.customer_id}`;
    assert.equal((await get(`${base}?page=1&page=1`)).status, 400);
    assert.equal((await get(`${base}?risk_level=high&risk_level=low`)).status, 400);
    assert.equal((await get(`${base}?p%61ge=1&page=2`)).status, 400);
    assert.equal((await get(`${base}?orderly=asc`)).status, 400);
    assert.equal((await get(`${base}?%5Bx%5D=1&&=`)).status, 200, 'no name of anything');
  });

  test('page × per_page ends at a million', async () => {
    const base = `/scores/${weir.customer_id}`;
    assert.equal((await get(`${base}?page=10000&per_page=100`)).status, 200);
    assert.equal((await get(`${base}?page=10001&per_page=100`)).status, 400);
    assert.equal((await get(`${base}?page=01`)).status, 400);
    assert.equal((await get(`${base}?per_page=0`)).status, 400);
  });

  test('an offset is taken up to what the database takes, and refused beyond', async () => {
    for (const filter of ['from_date', 'to_date', 'hold=held&from_date']) {
      for (const [offset, status] of [
        ['-15:59', 200],
        ['%2B15:59', 200],
        ['-16:00', 400],
        ['%2B23:59', 400],
      ] as const) {
        const target = `/scores/${weir.customer_id}?${filter}=2024-06-01T00:00:00${offset}`;
        assert.equal((await get(target)).status, status, target);
      }
    }
  });

  test('the refusal names the parameter and what to send', async () => {
    const reply = await call(`${weir.api}/scores/${weir.customer_id}?per_page=101&from_date=infinity`, {
      key: weir.api_key,
    });
    const { errors } = problem(reply, 400) as { errors: { path: string; message: string }[] };
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['per_page', 'from_date'],
    );
    assert.match(errors[0]!.message, /`101`.*1 to 100/);
  });
});
