import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../../../test/support/knowledge.ts';
import { hashWord } from '../lexer.ts';
import { groupNames, vocabularyOf } from '../vocabulary.ts';
import { CONJUGATIONS } from './conjugation.ts';

const { ontology } = knowledge;
const { words } = vocabularyOf(ontology);
const groupsOf = (word: string): string[] => groupNames(ontology, words.kinds(hashWord(word)));

test('a regular verb has the forms of requests in its language', () => {
  for (const [language, infinitive, expected] of [
    ['es', 'pagar', ['paga', 'pague', 'paguen', 'pagad', 'pagues', 'pagar']],
    ['es', 'responder', ['responde', 'responda', 'responded']],
    ['pt', 'cancelar', ['cancela', 'cancele', 'cancelem', 'cancelar']],
    ['it', 'pagare', ['paga', 'paghi', 'pagate', 'pagare']],
    ['it', 'inviare', ['invia', 'invii', 'inviate']],
    ['fr', 'rembourser', ['rembourse', 'remboursez', 'rembourser']],
    ['de', 'erstatten', ['erstatte', 'erstattet', 'erstatten']],
    ['de', 'aendern', ['aendere', 'aendert', 'aendern']],
  ] as const) {
    const forms = CONJUGATIONS.get(language)!({ infinitive, other: '' }, []).words;
    for (const form of expected) assert.ok(forms.includes(form), `${language} ${form}: ${forms.join(' ')}`);
  }
});

test('an irregular stem stands in the stressed forms alone', () => {
  const { words: forms } = CONJUGATIONS.get('es')!({ infinitive: 'mostrar', other: 'muestr' }, ['me']);
  for (const form of ['muestra', 'muestre', 'muestrame', 'mostrad', 'mostrar', 'mostrarme'])
    assert.ok(forms.includes(form), form);
  assert.ok(!forms.includes('mostra'));
});

test('a German verb parts from its prefix', () => {
  const forms = CONJUGATIONS.get('de')!({ infinitive: 'ab|lehnen', other: '' }, []);
  assert.deepEqual(forms.words, ['ablehnen', 'abzulehnen']);
  assert.ok(forms.parted.includes('lehne') && forms.prefix === 'ab');
});

test('pronouns at the end of a verb do not hide it', () => {
  for (const word of ['enviale', 'eliminalo', 'mandaglielo', 'inviagli']) assert.notDeepEqual(groupsOf(word), [], word);
});

test('no form of another language makes a verb of an everyday English word', () => {
  for (const word of [
    'such',
    'does',
    'done',
    'quite',
    'lee',
    'agenda',
    'buch',
    'para',
    'me',
    'for',
    'compiler',
    'reporter',
  ])
    assert.deepEqual(groupsOf(word), [], word);
});
