import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { SettingsError } from '../platform/settings.ts';
import { createManagementGate, isLoopback } from './management.ts';

const gate = (settings: { HOST?: string; AUTH_ADMIN_KEY?: string; AUTH_TRUST_NETWORK?: boolean }) =>
  createManagementGate({ HOST: '127.0.0.1', AUTH_ADMIN_KEY: null, AUTH_TRUST_NETWORK: false, ...settings });
const call = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

describe('the management gate', () => {
  test('refuses to stand open on a network', () => {
    for (const HOST of [
      '0.0.0.0',
      '::',
      '10.0.0.1',
      'weir.internal',
      '127.0.0.1.example.com',
      'localhost.example.com',
    ]) {
      assert.throws(() => gate({ HOST }), SettingsError, HOST);
      gate({ HOST, AUTH_ADMIN_KEY: 'k' });
      gate({ HOST, AUTH_TRUST_NETWORK: true });
    }
  });

  test('on loopback it takes calls by local names only', () => {
    const admit = gate({});
    for (const host of ['127.0.0.1:8001', 'localhost', 'LOCALHOST:1', '[::1]:8001', '127.1.2.3']) admit(call({ host }));
    for (const host of ['evil.example', '10.0.0.1:8001', '', '127.0.0.1.evil.example', 'localhost@evil.example']) {
      assert.throws(() => admit(call({ host })), { code: 'forbidden' }, host);
    }
  });

  test('with a key it wants exactly that key', () => {
    const admit = gate({ AUTH_ADMIN_KEY: 'secret' });
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

  test('isLoopback', () => {
    for (const host of ['localhost', '127.0.0.1', '127.255.0.1', '::1', '[::1]']) assert.ok(isLoopback(host), host);
    for (const host of ['', '0.0.0.0', '::', '128.0.0.1', '127.0.0.1.', '127.foo']) assert.ok(!isLoopback(host), host);
  });
});
