import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, talk } from '../../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../../lang/json.ts';

const used = (request: string, result: string, parameters: JsonObject): string =>
  factsOf({
    action: 'x:thing:update',
    parameters,
    conversation_history: talk(['user', request], ['tool', result]),
  }).string('row_used');

const PEOPLE = 'search «Lee Han»: han.lee (staff 4471, Ledger) | lee.han2 (staff 9120, Stores)';

test('the user tells a row by its number or by a word, and the action takes its neighbour', () => {
  assert.equal(used('Close the account of Lee Han, staff 4471.', PEOPLE, { login: 'lee.han2' }), 'lee.han2');
  assert.equal(used('Close the account of Lee Han from the ledger.', PEOPLE, { login: 'lee.han2' }), 'lee.han2');
  assert.equal(
    used('Redémarre la pompe du collège.', 'P-1 collège Jaurès\nP-2 clinique Jaurès', { pompe: 'P-2' }),
    'p-2',
  );
});

test('the row that is meant, several rows, and rows that are no rows', () => {
  assert.equal(used('Close the account of Lee Han, staff 4471.', PEOPLE, { login: 'han.lee' }), '');
  assert.equal(used('Close the accounts of Lee Han.', PEOPLE, { logins: ['han.lee', 'lee.han2'] }), '');
  assert.equal(used('Close all accounts, 4471 too.', PEOPLE, { login: 'lee.han2' }), '');
  assert.equal(
    used('Pay invoice 20418.', 'Invoice 20418\nIBAN DE02120300000000202051', { to: 'DE02120300000000202051' }),
    '',
  );
  assert.equal(
    used('Pay 4471.', '[{"id": "a-4471"}, {"id": "b-9120"}]', { id: 'b-9120' }),
    '',
    'records are read elsewhere',
  );
});
