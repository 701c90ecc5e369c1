import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, ontology } from '../../../../test/support/readings.ts';
import type { JsonObject } from '../../../lang/json.ts';
import { entryInName, matchesAny, wordSet } from '../words/word-lists.ts';

const claim = (parameters: JsonObject, user_context = ''): unknown =>
  factsOf({ action: 'db:table:drop', parameters, user_context }).get('approval_claim');
const off = (parameters: JsonObject, action = 'db:table:drop'): unknown =>
  factsOf({ action, parameters }).get('confirmation_switch');

test('an approval that the call states', () => {
  assert.equal(claim({ approved: true }), 'approved');
  assert.equal(claim({ approvedBy: 'Dana Marsh' }), 'approvedBy');
  assert.equal(claim({ meta: { approval_id: 'A-17' } }), 'approval_id');
  for (const state of [false, 'no', 'pending', 'rejected', ''])
    assert.equal(claim({ approved: state }), '', String(state));
  assert.equal(claim({ approved_amount: 500 }), '', 'another name');
  assert.equal(claim({ approved_by: 'Dana Marsh' }, 'Dana Marsh approved it.'), '', 'in the user’s own words');
});

test('what skips a confirmation', () => {
  assert.equal(off({ force: true }), 'force');
  assert.equal(off({ options: { skipConfirmation: 'yes' } }), 'skipConfirmation');
  assert.equal(off({ deletion_protection: false }), 'deletion_protection');
  assert.equal(off({ deletion_protection: true, force: false }), '');
  assert.equal(off({ confirm: '' }), '', 'nothing is said');
});

test('options of commands, not of what commands print', () => {
  assert.equal(off({ command: 'terraform destroy -auto-approve' }, 'shell:command:run'), '-auto-approve');
  assert.equal(off({ command: 'apt-get remove --yes nginx; ls' }, 'shell:command:run'), '--yes');
  assert.equal(off({ command: "echo 'never use --force'" }, 'shell:command:run'), '');
  assert.equal(off({ command: 'git log --forced-style' }, 'shell:command:run'), '');
  assert.equal(off({ note: 'use --force' }, 'file:document:update'), '', 'no command');
});

test('lists and patterns by name', () => {
  assert.ok(wordSet(ontology, 'approval_parameters').has('approved'));
  assert.equal(wordSet(ontology, 'no such list').size, 0);
  assert.equal(matchesAny(ontology, 'no such group', 'x'), false);
  assert.equal(entryInName(ontology, 'authentication_controls', 'requireMfa'), 'mfa');
  assert.equal(entryInName(ontology, 'authentication_controls', 'mfactor'), '');
});
