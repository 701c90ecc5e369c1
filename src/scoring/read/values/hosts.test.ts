import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { hostOf, isCollector, organisationDomain, organisationOf, sideOf } from './hosts.ts';

test('hosts of URLs, addresses and bare names', () => {
  const expected: [value: string, host: string][] = [
    ['https://user:pw@Mail.Example.org:8443/a?b', 'mail.example.org'],
    ['anna@shop.example.org', 'shop.example.org'],
    ['example.org/path', 'example.org'],
    ['//cdn.example.org/x', 'cdn.example.org'],
    ['http://[::1]:80/', '[::1]'],
    ['https://evil.org\\@good.org/', 'evil.org'],
    ['http://evil.org#@good.org', 'evil.org'],
  ];
  for (const [value, host] of expected) assert.equal(hostOf(value)?.host, host, value);
  for (const value of ['', 'general', 'two words.org', 'DE89370400440532013000'])
    assert.equal(hostOf(value), undefined, value);
});

test('the organisation is that of the user, unless anyone can have a mailbox there', () => {
  const of = (user_id: string): string => organisationDomain(eventOf({ session: { user_id } }), ontology);
  assert.equal(of('anna@mail.acme.co.uk'), 'acme.co.uk');
  assert.equal(of('anna@gmail.com'), '');
  assert.equal(of('user_17'), '');
});

test('inside and outside of the organisation', () => {
  assert.equal(sideOf('files.acme.com', 'acme.com', ontology), 'internal');
  assert.equal(sideOf('notacme.com', 'acme.com', ontology), 'external');
  assert.equal(sideOf('acme.com.evil.org', 'acme.com', ontology), 'external');
  assert.equal(sideOf('10.1.2.3', '', ontology), 'internal');
  assert.equal(sideOf('gmail.com', '', ontology), 'external');
  assert.equal(sideOf('partner.org', '', ontology), 'unknown');
});

test('places that take in whatever strangers send', () => {
  const expected: [host: string, path: string, is_collector: boolean][] = [
    ['abc.webhook.site', '', true],
    ['webhook.site.example.org', '', false],
    ['x.requestbin.net', '', true],
    ['discord.com', '/api/webhooks/1/x', true],
    ['discord.com', '/channels/1', false],
    ['8.8.8.8', '', true],
    ['192.168.0.1', '', false],
  ];
  for (const [host, path, is_collector] of expected)
    assert.equal(isCollector(host, path, ontology), is_collector, host + path);
});

test('configured domains are internal with everything below them, and alone tell what is', () => {
  const configured = new Set(['acme.com', 'lab.acme-research.org']);
  const side = (host: string) => sideOf(host, '', ontology, configured);
  assert.equal(side('acme.com'), 'internal');
  assert.equal(side('mail.eu.acme.com'), 'internal');
  assert.equal(side('lab.acme-research.org'), 'internal');
  for (const host of ['acme-research.org', 'partner.org', 'acme.com.evil.org', 'notacme.com', 'acme.co', 'gmail.com'])
    assert.equal(side(host), 'external', host);
  const event = eventOf({ session: { user_id: 'eve@evil.org' } });
  assert.equal(organisationOf(event, ontology).own, 'evil.org');
  assert.equal(organisationOf(event, ontology, configured).own, '');
  assert.equal(side('evil.org'), 'external');
});

test('free mail never becomes internal, even where a policy has it from before it was known', () => {
  assert.equal(sideOf('gmail.com', '', ontology, new Set(['gmail.com'])), 'external');
});
