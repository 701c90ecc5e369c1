import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { systemClock } from '../../platform/clock.ts';
import { createManagementGate, isLoopback, orApiKey } from './management.ts';

type Some = Partial<Parameters<typeof createManagementGate>[0]>;

const DEFAULTS = { HOST: '127.0.0.1', admin_key: null, AUTH_RATE_LIMIT_RPM: 0 };
const gate = (settings: Some, clock = systemClock) => createManagementGate({ ...DEFAULTS, ...settings }, clock);
const call = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

describe('the management gate', () => {
  test('on a trusted network it accepts calls by any name', () => {
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'weir.internal', '127.0.0.1.example.com', 'localhost.example.com'])
      gate({ HOST })(call({ host: 'weir.internal:8001' }));
  });

  test('trusted on loopback, it accepts calls by local host names only', () => {
    const admit = gate({});
    for (const host of ['127.0.0.1:8001', 'localhost', 'LOCALHOST:1', '[::1]:8001', '127.1.2.3']) admit(call({ host }));
    for (const host of ['evil.example', '10.0.0.1:8001', '', '127.0.0.1.evil.example', 'localhost@evil.example']) {
      assert.throws(() => admit(call({ host })), { code: 'forbidden' }, host);
    }
  });

  test('with a key it wants exactly that key', () => {
    const admit = gate({ admin_key: 'secret' });
    admit(call({ authorization: 'Bearer secret' }));
    admit(call({ authorization: 'bearer  secret' }));
    for (const authorization of [
      '',
      'secret',
      'Bearer',
      'Bearer secre',
      'Bearer secrets',
      'Basic secret',
      'Bearer secret secret',
    ]) {
      assert.throws(
        () => admit(call({ authorization, host: 'localhost' })),
        { code: 'unauthenticated' },
        authorization,
      );
    }
  });

  test('one address may send a limited number of requests per minute', () => {
    let now = 0;
    const admit = gate({ AUTH_RATE_LIMIT_RPM: 2 }, { now: () => now, ticks: () => now });
    const from = (remoteAddress: string) =>
      ({ headers: { host: 'localhost' }, socket: { remoteAddress } }) as unknown as IncomingMessage;
    admit(from('a'));
    admit(from('a'));
    assert.throws(() => admit(from('a')), { code: 'rate_limited', retry_after_s: 30 });
    admit(from('b'));
    now += 30_000;
    admit(from('a'));
  });

  test('after a hundred wrong keys a wrong one has to wait, and the right one never', () => {
    let now = 0;
    const admit = gate({ admin_key: 'secret' }, { now: () => now, ticks: () => now });
    for (let n = 0; n < 100; n += 1) {
      assert.throws(() => admit(call({ authorization: `Bearer ${n}` })), { code: 'unauthenticated' });
    }
    assert.throws(() => admit(call({ authorization: 'Bearer 100' })), { code: 'rate_limited' });
    admit(call({ authorization: 'Bearer secret' }));
    now += 1_000;
    assert.throws(() => admit(call({ authorization: 'Bearer 101' })), { code: 'unauthenticated' });
  });

  test('wrong keys do not use up the requests of anyone who has the right one', () => {
    const admit = gate({ admin_key: 'secret', AUTH_RATE_LIMIT_RPM: 1 });
    for (let n = 0; n < 10; n += 1) assert.throws(() => admit(call({ authorization: `Bearer ${n}` })));
    admit(call({ authorization: 'Bearer secret' }));
    assert.throws(() => admit(call({ authorization: 'Bearer secret' })), { code: 'rate_limited' });
  });

  test('calls for pages of other sites are refused, with a key and without', () => {
    const host = 'localhost:8001';
    const authorization = 'Bearer secret';
    for (const admit of [gate({}), gate({ admin_key: 'secret' }), gate({ HOST: '0.0.0.0' })]) {
      const send = (headers: Record<string, string>) => admit(call({ host, authorization, ...headers }));
      send({});
      send({ origin: 'http://localhost:8001', 'sec-fetch-site': 'same-origin' });
      send({ 'sec-fetch-site': 'none' });
      const foreign = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://localhost:8000' },
        { origin: 'http://localhost' },
        { origin: '' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'http://localhost:8001', 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of foreign)
        assert.throws(() => send(headers as Record<string, string>), { code: 'forbidden' }, JSON.stringify(headers));
      const rawHeaders = ['Host', host, 'host', 'evil.example'];
      const doubled = { headers: { host, authorization }, rawHeaders } as unknown as IncomingMessage;
      assert.throws(() => admit(doubled), { code: 'forbidden' });
    }
  });

  test('an API key makes a caller of its customer, and never beside the admin key', () => {
    const of_key = { customer_id: 'c', key_id: 'k', scopes: ['admin'] };
    const admit = orApiKey(gate({ admin_key: 'secret' }), () => of_key);
    assert.equal(admit(call({ 'x-api-key': 'one' })), of_key);
    assert.equal((admit(call({ authorization: 'Bearer secret' })) as { customer_id: string }).customer_id, '');
    const both = call({ 'x-api-key': 'one', authorization: 'Bearer secret' });
    assert.throws(() => admit(both), { code: 'unauthenticated' });
    const foreign = call({ 'x-api-key': 'one', origin: 'https://evil.example' });
    assert.throws(() => admit(foreign), { code: 'forbidden' });
  });

  test('isLoopback', () => {
    for (const host of ['localhost', '127.0.0.1', '127.255.0.1', '::1', '[::1]']) assert.ok(isLoopback(host), host);
    for (const host of ['', '0.0.0.0', '::', '128.0.0.1', '127.0.0.1.', '127.foo']) assert.ok(!isLoopback(host), host);
  });
});
