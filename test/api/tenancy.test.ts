/**
 * Who gets in where: made from the lists of endpoints, so that a new route without a row here fails.
 * A foreign id must look exactly like one that never existed: status, headers and body, byte for byte.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { type ApiParts, apiEndpoints } from '../../src/doors/rest/index.ts';
import { newApiKey } from '../../src/platform/ids.ts';
import { type Customer, call, fullEvent, newCustomer, problem, type Reply } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

/** How to call an endpoint with one id, and which status a foreign or unknown id gets. */
interface Row {
  target: (id: string) => string;
  body?: unknown;
  id: 'event' | 'customer' | 'none';
}

/** One row for every endpoint that needs a key. */
const rows: Record<string, Row> = {
  score_event: { target: () => '/events', body: { action: 'a:b:c' }, id: 'none' },
  submit_batch: { target: () => '/events/batch', body: { events: [{ action: 'a:b:c' }] }, id: 'none' },
  put_policy: { target: (id) => `/policies/${id}`, body: {}, id: 'customer' },
  get_policy: { target: (id) => `/policies/${id}`, id: 'customer' },
  list_scores: { target: (id) => `/scores/${id}`, id: 'customer' },
  summarise_scores: { target: (id) => `/scores/${id}/summary`, id: 'customer' },
  get_score: { target: (id) => `/scores/event/${id}`, id: 'event' },
  put_controls: {
    target: (id) => `/compliance/${id}/controls`,
    body: {
      controls: [{ control_id: 'A', kind: 'control', name: 'a', description: 'b', articles: ['GDPR:Article_32'] }],
    },
    id: 'customer',
  },
  list_controls: { target: (id) => `/compliance/${id}/controls`, id: 'customer' },
  delete_control: { target: (id) => `/compliance/${id}/controls/A`, id: 'customer' },
  agent_reach: { target: () => '/graph/agents/a/reach', id: 'none' },
  target_actors: { target: () => '/graph/targets/table/t/actors', id: 'none' },
  data_path: { target: () => '/graph/path?from=agent:a&to=agent:b', id: 'none' },
  justify_event: { target: (id) => `/justification?event_id=${id}`, id: 'event' },
};

/** Its answer has no end; test/api/stream.test.ts has the same promises for it. */
const STREAMED = ['stream_events'];

// The list is made from parts, and only what it says about itself is read here: no handler runs.
const endpoints = apiEndpoints({} as ApiParts);

test('every endpoint is public on purpose or has a row', () => {
  const guarded = endpoints.filter(({ access }) => access !== 'public').map(({ operation }) => operation);
  assert.deepEqual([...Object.keys(rows), ...STREAMED].sort(), guarded.sort());
  const open = endpoints.filter(({ access }) => access === 'public').map(({ path }) => path);
  assert.deepEqual(open.sort(), ['/health', '/health/detailed']);
});

describe('tenancy', () => {
  let weir: SharedWeir;
  let mine: Customer;
  let other: Customer;
  let revoked: Customer;
  const ids = {
    event: { own: randomUUID(), foreign: randomUUID(), unknown: randomUUID() },
    customer: { own: '', foreign: '', unknown: randomUUID() },
  };

  before(async () => {
    weir = await sharedWeir();
    [mine, other, revoked] = await Promise.all([newCustomer(weir), newCustomer(weir), newCustomer(weir)]);
    ids.customer.own = mine.customer_id;
    ids.customer.foreign = other.customer_id;
    for (const [key, event_id] of [
      [mine.api_key, ids.event.own],
      [other.api_key, ids.event.foreign],
    ] as const) {
      assert.equal((await call(`${weir.api}/events`, { key, body: { ...fullEvent(event_id) } })).status, 200);
    }
    for (const { customer_id, api_key } of [mine, other]) {
      assert.equal(
        (await call(`${weir.api}/policies/${customer_id}`, { key: api_key, body: { sensitive_fields: ['x'] } })).status,
        201,
      );
    }
    assert.equal((await call(`${weir.api}/events`, { key: revoked.api_key, body: { action: 'a:b:c' } })).status, 200);
    assert.equal((await call(`${weir.auth}/api-keys/${revoked.key_id}`, { method: 'DELETE' })).status, 200);
  });

  /** Everything a caller can see, without what is different for every request. */
  const visible = ({ status, headers, text }: Reply): string => {
    const request_id = headers.get('x-request-id') ?? '';
    assert.notEqual(request_id, '');
    const shown = [...headers].filter(([name]) => name !== 'date').map(([name, value]) => `${name}: ${value}`);
    // Lengths differ only because request ids grow.
    return [status, ...shown.filter((line) => !line.startsWith('content-length')), text]
      .join('\n')
      .replaceAll(request_id, 'ID');
  };

  for (const [operation, row] of Object.entries(rows)) {
    const { method } = endpoints.find((one) => one.operation === operation)!;
    const send = (
      id: string,
      key: string | undefined,
      extra: { headers?: Record<string, string>; query?: string } = {},
    ) => {
      const target =
        row.target(id) + (extra.query === undefined ? '' : `${row.target(id).includes('?') ? '&' : '?'}${extra.query}`);
      return call(weir.api + target, {
        method,
        ...(row.body !== undefined && { body: row.body }),
        ...(key !== undefined && { key }),
        ...(extra.headers && { headers: extra.headers }),
      });
    };

    test(`${operation}: without a valid key 401, one and the same for every reason and every id`, async () => {
      const kinds = row.id === 'none' ? [['', '']] : Object.entries(ids[row.id]);
      const seen = new Set<string>();
      for (const [, id] of kinds as [string, string][]) {
        const attempts = [
          await send(id, undefined),
          await send(id, ''),
          await send(id, 'malformed'),
          await send(id, `${mine.api_key}x`),
          await send(id, newApiKey('weir')),
          await send(id, revoked.api_key),
          await send(id, `${mine.api_key}, ${mine.api_key}`),
          await send(id, undefined, { headers: { authorization: `Bearer ${mine.api_key}` } }),
          await send(id, undefined, { query: `x-api-key=${mine.api_key}` }),
          await send(id, mine.api_key, { query: `api_key=${mine.api_key}` }),
        ];
        for (const reply of attempts) {
          problem(reply, 401);
          seen.add(visible(reply));
        }
      }
      assert.equal(seen.size, 1, [...seen].join('\n---\n'));
    });

    if (row.id === 'none') continue;
    const kind = row.id;

    test(`${operation}: a foreign id looks like an unknown one`, async () => {
      const own = await send(ids[kind].own, mine.api_key);
      assert.ok(own.status < 300, own.text);
      const foreign = await send(ids[kind].foreign, mine.api_key);
      const unknown = await send(ids[kind].unknown, mine.api_key);
      problem(foreign, kind === 'customer' ? 403 : 404);
      assert.equal(visible(foreign), visible(unknown));
      assert.ok(!foreign.text.includes(ids[kind].foreign));
    });

    if (kind !== 'customer') continue;
    test(`${operation}: an id that is no UUID is 400`, async () => {
      for (const id of ['x', `${mine.customer_id}0`, encodeURIComponent(`${mine.customer_id}\0`), '%2e%2e%2f']) {
        problem(await send(id, mine.api_key), [400, 404]);
      }
    });
  }

  test('after all that the other customer has what it had', async () => {
    const summary = await call(`${weir.api}/scores/${other.customer_id}/summary`, { key: other.api_key });
    assert.equal(summary.json['total_events'], 1);
    const policy = await call(`${weir.api}/policies/${other.customer_id}`, { key: other.api_key });
    assert.deepEqual(policy.json['policies'], { sensitive_fields: ['x'] });
  });

  test('a body is not read before the key is checked', async () => {
    problem(await call(`${weir.api}/events`, { body: 'x'.repeat(2_000_000) }), 401);
    problem(await call(`${weir.api}/policies/${other.customer_id}`, { key: mine.api_key, body: 'not json' }), 403);
  });
});
