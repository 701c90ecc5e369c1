import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { endpointUrlProblem } from './endpoint-url.ts';

const VECTORS = new URL('../../../shared/vectors/ssrf-urls.json', import.meta.url);

describe('shared vectors: SSRF URLs at registration', {
  skip: existsSync(VECTORS) ? false : 'SKIPPED: ../shared is not there',
}, () => {
  if (!existsSync(VECTORS)) return;
  const { tests } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
    tests: { id: string; endpoint_url: string; expected: string; why: string }[];
  };
  for (const { id, endpoint_url, expected, why } of tests) {
    test(`${id} ${why}`, () => {
      const problem = endpointUrlProblem(endpoint_url, false);
      assert.equal(problem === null, expected !== 'reject', problem ?? 'accepted');
    });
  }
});

describe('which URLs an endpoint may have', () => {
  const good = [
    'https://hooks.example.com/in?x=1',
    'HTTPS://Hooks.Example.COM/In',
    'https://hooks.example.com:8443/a/b',
    'https://1.1.1.1/h',
    'https://[2606:4700::1111]:443/h',
  ];
  const bad = [
    'https://example.com:22/',
    'https://example.com:25',
    'https://hooks.example.com./in',
    'https://example..com/',
    'https:\\\\example.com\\x',
    'https://example.com\\@127.0.0.1/',
    'https://exa\u200dmple.localhost/',
    'https://134744072/',
    'https://0x8.8.8.8/',
    'https://198.18.0.1/',
    'https://203.0.113.9/',
    'https://100.64.0.1/',
    'https://240.0.0.1/',
    'https://[::]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b:1::1]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'https://[3fff::1]/',
    'https://[ff02::1]/',
    'https://[fc00::1]/',
    'https://db.internal/',
    'https://x.svc.cluster.local/',
    'https://a:b@example.com/',
    'https://@example.com/',
    'https://example.com/\n',
  ];
  for (const url of good) test(`takes ${url}`, () => assert.equal(endpointUrlProblem(url, false), null));
  for (const url of bad)
    test(`refuses ${JSON.stringify(url)}`, () => assert.notEqual(endpointUrlProblem(url, false), null));

  test('for development private addresses and http are accepted, malformed URLs are not', () => {
    for (const url of ['http://127.0.0.1:3000/h', 'http://localhost/h', 'https://10.0.0.1/h'])
      assert.equal(endpointUrlProblem(url, true), null, url);
    for (const url of ['file:///etc/passwd', 'http://a b/', 'http://x@localhost/', ''])
      assert.notEqual(endpointUrlProblem(url, true), null, url);
  });
});
