import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { verbLookup, verbOfName } from './verb-lookup.ts';

const lookup = verbLookup(ontology);
const group = (name: string): string => verbOfName(name, lookup)?.group ?? 'unknown';

const NAMES: [name: string, group: string][] = [
  ['get_issue', 'read'],
  ['get_issues', 'list_search'],
  ['getUserDetails', 'read'],
  ['user_delete', 'delete'],
  ['UserDelete', 'delete'],
  ['rmUser', 'delete'],
  ['upd_customer', 'update'],
  ['cfg_router', 'configure'],
  ['get_x_and_delete', 'delete'],
  ['is_admin', 'read'],
  ['convert_x_to_y', 'list_search'],
  ['weather', 'read'],
  ['nodes_log', 'read'],
  ['code_interpreter', 'execute'],
  ['image_generation', 'create'],
  ['book_flight', 'create'],
  ['make_payment', 'transfer_pay'],
  ['send_email', 'send'],
  ['send_money', 'transfer_pay'],
  ['enviar_money', 'transfer_pay'],
  ['enviar_funds', 'transfer_pay'],
];
for (const [name, expected] of NAMES) test(`${name}: ${expected}`, () => assert.equal(group(name), expected));

test('a noun that names a thing tells no act', () => {
  for (const name of ['email', 'file', 'file_by_id', 'files', 'tweets', 'flurb', 'vm_lifecycle'])
    assert.equal(group(name), 'unknown', name);
});
