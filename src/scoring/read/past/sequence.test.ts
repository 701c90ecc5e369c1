import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventOf, NO_CONTENT, ontology } from '../../../../test/support/readings.ts';
import { readAction } from '../action/action.ts';
import { classesRead, readSequence } from './sequence.ts';

function read(preceding_actions: string[], action = 'email:message:send') {
  const event = eventOf({ action, preceding_actions });
  return readSequence(event, ontology, readAction(event, ontology, NO_CONTENT));
}

test('what was read before, by domain and scope', () => {
  assert.equal(read(['vault:secret:read']).has_read_secret, true);
  assert.equal(read(['identity:safe_passwords:search']).has_read_secret, true);
  assert.equal(read(['hr:employee:get']).has_read_sensitive, true);
  assert.equal(read(['web:page:read']).has_read_sensitive, false);
  assert.equal(read(['vault:secret:delete']).has_read_secret, false);
  assert.deepEqual(
    classesRead(eventOf({ preceding_actions: ['health:record:read', 'weather:forecast:get'] }), ontology),
    ['PHI'],
  );
});

test('what came from outside', () => {
  for (const action of [
    'browser:page:navigate',
    'email:message:read',
    'github:issue:get',
    'files:attachment:download',
    'zzz:tickets:list',
  ]) {
    assert.equal(read([action]).has_read_untrusted, true, action);
  }
  assert.equal(read(['file:config:read']).has_read_untrusted, false);
  assert.equal(read(['email:message:send']).has_read_untrusted, false);
});

test('steps of an attack', () => {
  assert.equal(read(['file:archive:compress']).has_packaged, true);
  assert.equal(read(['iam:role:grant']).has_granted, true);
  assert.equal(read(['iam:user:list']).has_discovered, true);
  assert.equal(read(['bank:payee:update']).has_changed_payee, true);
  assert.equal(read(['crm:account:update']).has_changed_payee, false);
});

test('groups in order, repeats among the last ten', () => {
  const { groups, repeats } = read(['email:message:send', 'web:page:fetch', 'email:message:send']);
  assert.deepEqual(groups, ['send', 'read', 'send']);
  assert.equal(repeats, 2);
});

test('many later actions do not hide the first ones', () => {
  const padding = Array.from({ length: 5000 }, (_, i) => `x${i}:y:get`);
  const reading = read(['vault:secret:read', ...padding]);
  assert.equal(reading.has_read_secret, true);
  assert.ok(reading.groups.length <= 200);
});

test('adding preceding actions never takes a finding away', () => {
  const action = fc.oneof(
    fc.string(),
    fc
      .tuple(
        fc.constantFrom(...ontology.domains.keys()),
        fc.constantFrom('secret', 'x', 'user', 'payee'),
        fc.constantFrom(...ontology.verbs.keys()),
      )
      .map((a) => a.join(':')),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), fc.array(action, { maxLength: 20 }), (before, more) => {
      const less = read(before);
      const all = read([...before, ...more]);
      for (const [name, value] of Object.entries(less)) {
        if (value === true) assert.equal(all[name as keyof typeof all], true, name);
      }
      for (const group of less.groups) assert.ok(all.groups.includes(group));
    }),
  );
});
