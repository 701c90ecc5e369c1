import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ontology } from '../../../../test/support/readings.ts';
import { matchFieldName } from './field-names.ts';

const kindOf = (name: string): string | undefined => matchFieldName(name, ontology)?.subclass;

test('every name of the ontology is found as it stands, in camel case and below a path', () => {
  for (const { kind, names } of ontology.field_names) {
    for (const name of names) {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      for (const spelling of [name, camel, `user.profile.${name}`]) assert.equal(kindOf(spelling), kind, spelling);
    }
  }
});

test('parts and run-together names match with less confidence', () => {
  assert.equal(kindOf('customer_iban'), 'bank_account');
  assert.equal(kindOf('iban_old'), 'bank_account');
  assert.equal(kindOf('billing_addresses'), 'address');
  assert.equal(kindOf('clientpassword'), 'password');
  assert.ok(matchFieldName('customer_iban', ontology)!.confidence < matchFieldName('iban', ontology)!.confidence);
});

test('parts of a name that say that it does not hold the value itself', () => {
  for (const name of ['password_policy', 'iban_masked', 'email_count', 'next_page_token', 'max_tokens'])
    assert.equal(kindOf(name), undefined, name);
});

test('everyday names do not speak of data', () => {
  for (const name of ['incoming_messages', 'keyword', 'panel', 'message', 'company', 'page', 'subject'])
    assert.equal(kindOf(name), undefined, name);
});

test('every text is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (name) => {
      const match = matchFieldName(name, ontology);
      assert.ok(match === undefined || (match.severity >= 0 && match.severity <= 4));
    }),
  );
  assert.equal(kindOf('__proto__'), undefined);
  assert.equal(kindOf('constructor'), undefined);
});
