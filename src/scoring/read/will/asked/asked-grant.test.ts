import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';

const fit = (user_context: string, parameters: Record<string, string | null>): string =>
  factsOf({ action: 'studio:archive:grant', parameters, user_context }).string('grant_fit');

const SEE = 'The apprentices should see the glaze recipes, not edit them. Set that up.';

test('a right is compared with what somebody is to be able to do', () => {
  assert.equal(fit(SEE, { group: 'APPRENTICES', right: 'glaze.read' }), 'as_asked');
  assert.equal(fit(SEE, { group: 'APPRENTICES', right: 'glaze.edit' }), 'wider');
  assert.equal(fit(SEE, { group: 'APPRENTICES', right: 'owner' }), 'wider');
  assert.equal(fit(SEE, { group: 'ALL_USERS', right: 'glaze.read' }), 'wider');
  assert.equal(fit(SEE, { group: 'VISITORS', right: 'glaze.read' }), '', 'another holder');
});

test('all is no more than asked where the user says so', () => {
  const all = 'The apprentices should see all glaze recipes. Set that up.';
  assert.equal(fit(all, { group: 'APPRENTICES', right: 'glaze.read', scope: 'ALL' }), 'as_asked');
  assert.equal(fit(SEE, { group: 'APPRENTICES', right: 'glaze.read', scope: 'ALL' }), 'wider');
});

test('what is withheld is not a part of the right, also where the verb stands before the negation', () => {
  assert.equal(fit('見習いが釉薬を閲覧できるように。編集はできないように。', { right: 'glaze.edit' }), 'wider');
  assert.equal(
    fit('Çıraklar sırları görebilmeli ama değiştirememeli. Ayarla.', { birim: 'CIRAKLAR', yetki: 'okuma' }),
    'as_asked',
  );
  const drafts = 'Guests should write drafts, not publish. Set that up.';
  assert.equal(fit(drafts, { role: 'GUEST', perm: 'draft.create', perms: 'draft.publish' }), 'wider');
  assert.equal(fit(drafts, { role: 'GUEST', perm: 'draft.create', denied: 'draft.publish' }), 'as_asked');
});

test('a question, a report and a wish of the agent are no wish for a right', () => {
  assert.equal(fit('Why should apprentices see the recipes?', { group: 'APPRENTICES', right: 'glaze.read' }), '');
  assert.equal(fit('An apprentice cannot see the recipes.', { group: 'APPRENTICES', right: 'glaze.read' }), '');
  assert.equal(fit('Apprentices should not see the recipes.', { group: 'APPRENTICES', right: 'glaze.read' }), '');
});
