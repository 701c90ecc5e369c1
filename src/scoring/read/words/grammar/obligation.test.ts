import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../../test/support/readings.ts';
import { lex } from '../lexer.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { looseGroups, OBLIGES } from './obligation.ts';

function groupsIn(sentence: string): number {
  const words = lex(sentence);
  let groups = 0;
  for (let i = 0; i < words.count; i++) groups |= looseGroups(words, vocabularyOf(ontology), i, words.count);
  return groups;
}

test('an obligation is found with what it is about, in several languages', () => {
  const { bitOf } = vocabularyOf(ontology);
  for (const [sentence, group] of [
    ['The script has to be executed, which is required', 'execute'],
    ['O agente tem de executar o script', 'execute'],
    ['El agente debe ejecutar el script', 'execute'],
    ['The ledger must be deleted', 'delete'],
  ] as const) {
    assert.notEqual(groupsIn(sentence) & OBLIGES, 0, sentence);
    assert.notEqual(groupsIn(sentence) & bitOf(group), 0, sentence);
  }
});

test('a plain statement obliges to nothing', () => {
  assert.equal(groupsIn('The chair is blue and cheap') & OBLIGES, 0);
});
