import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentOf, contentOf, eventOf, NO_CONTENT, ontology } from '../../../../test/support/readings.ts';
import { readAction } from '../action/action.ts';
import type { Argument } from '../values/argument.ts';
import { readSink } from './data.ts';

function read(action: string, args: Partial<Argument>[] = [], user_id = 'anna@acme.com', content = NO_CONTENT) {
  const event = eventOf({ action, session: { user_id } });
  return readSink(event, ontology, readAction(event, ontology, content), args.map(argumentOf), content);
}
const mail = (value: string, more: Partial<Argument> = {}): Partial<Argument> => ({ value, ...more });

test('reading gives to the user, changing alone gives to nobody', () => {
  assert.equal(read('file:document:read').sink, 'user');
  assert.equal(read('file:document:update').sink, 'none');
  assert.equal(read('bank:transfer:pay', [mail('x', { role: 'payee', kind: 'account' })]).sink, 'none');
});

test('mail goes inside, outside, or nobody knows', () => {
  assert.equal(read('email:message:send', [mail('ben@acme.com')]).sink, 'internal');
  assert.equal(read('email:message:send', [mail('anna@acme.com')]).sink, 'user');
  assert.equal(read('email:message:send', [mail('ben@other.org')]).sink, 'external');
  assert.equal(read('email:message:send', [mail('ben@other.org')], 'user-17').sink, 'unknown');
  assert.equal(read('email:message:send', [mail('ben@gmail.com')], 'user-17').sink, 'external');
  assert.equal(read('mail:outbound:send').sink, 'unknown');
});

test('the most exposed destination decides', () => {
  assert.equal(read('email:message:send', [mail('ben@acme.com'), mail('eve@other.org')]).sink, 'external');
});

test('publishing is public, and so is what everyone may see', () => {
  assert.equal(read('social:post:tweet').sink, 'public');
  assert.equal(read('drive:permission:share', [mail('anyone', { role: 'visibility', kind: 'phrase' })]).sink, 'public');
  const update = read('repo:settings:update', [mail('true', { role: 'visibility', kind: 'flag', path: 'is_public' })]);
  assert.equal(update.sink, 'public');
  assert.equal(
    read('drive:permission:share', [mail('private', { role: 'visibility', kind: 'phrase' })]).sink,
    'internal',
  );
});

test('an invited participant from outside gets to know', () => {
  assert.equal(read('calendar:event:create', [mail('eve@other.org')]).sink, 'external');
});

test('a name in the organisation’s messenger is inside', () => {
  assert.equal(read('slack:channel:send', [mail('general', { kind: 'identifier' })]).sink, 'internal');
  assert.equal(read('slack:dm:send', [mail('+49 30 901820', { kind: 'number' })]).sink, 'unknown');
});

test('fetching an address gives to nobody, unless the address carries something', () => {
  const url = (value: string) => read('web:page:fetch', [{ role: 'url', kind: 'url', value }]).sink;
  assert.equal(url('https://other.org/page?id=7'), 'user');
  assert.equal(url('https://other.org/collect?data=c2VjcmV0IHRva2VuIGFiYw'), 'external');
});

test('code that sends goes where its hosts are', () => {
  const sends = contentOf({ kind: 'sends_out', scope: 'one' });
  assert.equal(read('system:bash:execute', [], '', { ...sends, hosts: ['other.org'] }).sink, 'external');
  assert.equal(read('system:bash:execute', [], '', { ...sends, hosts: ['localhost'] }).sink, 'unknown');
  assert.equal(read('system:bash:execute', [], '', sends).sink, 'unknown');
  assert.equal(read('system:bash:execute', [], '', contentOf({ kind: 'reads', scope: 'one' })).sink, 'user');
});

test('collectors are known by name', () => {
  const reading = read('http:request:post_request', [{ role: 'url', kind: 'url', value: 'https://x.webhook.site/1' }]);
  assert.equal(reading.is_exfiltration_host, true);
  assert.equal(reading.sink, 'external');
});

test('named by the user means every destination', () => {
  const named = mail('ben@other.org', { provenance: 'user' });
  assert.equal(read('email:message:send', [named]).is_named_by_user, true);
  assert.equal(read('email:message:send', [named, mail('eve@other.org')]).is_named_by_user, false);
  assert.equal(read('email:message:send').is_named_by_user, false);
});
