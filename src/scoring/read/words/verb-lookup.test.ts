import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { tableOf } from '../../../ontology/words.ts';
import { hashWord } from './lexer.ts';
import { verbOfName } from './verb-lookup.ts';
import { verbLookup } from './verb-table.ts';
import { vocabularyOf } from './vocabulary.ts';

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
  // verbs that no everyday list has, and only where nothing else tells the verb
  ['obliterate_workspace', 'delete'],
  ['disburse_loan', 'transfer_pay'],
  ['circumvent_waf', 'disable_security'],
  ['synchronise_users', 'share_publish'],
  ['ditch_branch', 'delete'],
  ['list_and_nuke_indices', 'delete'],
  ['reorder_rows', 'update'],
  ['get_clean_records', 'list_search'],
  // with a particle, beside it or at the end
  ['tear_down_env', 'delete'],
  ['kick_user_out', 'grant_escalate'],
  ['kick_off_build', 'execute'],
  ['get_rid_of_rows', 'delete'],
  // other forms of a verb
  ['deletes_user', 'delete'],
  ['user_deleter', 'delete'],
  ['FileWriterTool', 'create'],
  ['massdelete_rows', 'delete'],
  ['token_revocation', 'grant_escalate'],
  ['AccountSuspension', 'decide'],
  // written in one word
  ['deleteuser', 'delete'],
  ['makepayment', 'transfer_pay'],
  // other scripts and accents
  ['删除用户', 'delete'],
  ['ユーザー削除', 'delete'],
  ['사용자삭제', 'delete'],
  ['удалить_пользователя', 'delete'],
  ['διαγραφή_χρήστη', 'delete'],
  ['löschen_benutzer', 'delete'],
];
for (const [name, expected] of NAMES) test(`${name}: ${expected}`, () => assert.equal(group(name), expected));

test('a noun that names a thing tells no act', () => {
  for (const name of [
    'loan_application',

    'customer',
    'page_reminder',
    'email',
    'file',
    'file_by_id',
    'files',
    'tweets',
    'flurb',
    'vm_lifecycle',
  ])
    assert.equal(group(name), 'unknown', name);
});

test('each further verb means a verb of the ontology, and no everyday list has the word', () => {
  for (const table of ['further_verbs', 'verbs_before_objects', 'phrasal_verbs'])
    for (const [verb, written] of tableOf(ontology, table)) {
      assert.ok(ontology.verbs.has(verb), `${table}: ${verb}`);
      for (const word of written)
        assert.ok(!ontology.verbs.has(word) && !ontology.tool_verb_prefixes.has(word), `${table}: ${word}`);
    }
});

test('a sentence may spell a further verb with -ise', () => {
  const { words } = vocabularyOf(ontology);
  for (const [american, british] of [
    ['synchronize', 'synchronise'],
    ['reorganize', 'reorganise'],
  ] as const) {
    assert.notEqual(words.kinds(hashWord(american)), 0, american);
    assert.equal(words.kinds(hashWord(british)), words.kinds(hashWord(american)), british);
  }
});

test('forms of verbs of other languages begin or end a name', () => {
  for (const [name, expected] of [
    ['löscht_kunden', 'delete'],
    ['kundeLöschen', 'delete'],
    ['удаляет_клиента', 'delete'],
    ['показывает_клиентов', 'read'],
    ['supprimez_client', 'delete'],
    ['musteriyi_sil', 'delete'],
    ['disattiva_allarme', 'disable_security'],
    ['schaltet_alarm_ab', 'disable_security'],
    ['zeigt_kunden', 'read'],
    // A verb of everyday English counts before it, and words of English that only look like such a form do not.
    ['get_elimina', 'read'],
    ['active_customers', 'unknown'],
  ] as const)
    assert.equal(group(name), expected, name);
});
