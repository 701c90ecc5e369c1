/** Which effects the user excluded for this action: «do not delete anything», «do not delete the log files». */

import type { Ontology } from '../../../ontology/index.ts';
import { listOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/action-words.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Exclusion, requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { GROUP_MASK, STOPWORD } from '../words/grammar.ts';
import { lex } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';

export function excludedGroups(
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
): number {
  const { exclusions, groups: asked } = requestOf(text, ontology);
  if (exclusions.length === 0) return 0;
  const { bitOf } = vocabularyOf(ontology);
  const grave = listOf(ontology, 'excluded_groups').reduce((bits, group) => bits | bitOf(group), 0);
  let excluded = 0;
  for (const exclusion of exclusions) {
    // An effect that is asked for elsewhere, or an everyday one, is excluded only for the objects named.
    const general = exclusion.groups & grave & ~asked;
    excluded |= general;
    if ((exclusion.groups & ~general) !== 0 && concerns(exclusion, ontology, action, args, text))
      excluded |= exclusion.groups;
  }
  return excluded;
}

function concerns(
  { from, to }: Exclusion,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
): boolean {
  const vocabulary = vocabularyOf(ontology);
  const { words } = corpusOf(text);
  const { objects } = actionWordsOf(action, vocabulary);
  const values = valueWords(args);
  const any_object = wordSet(ontology, 'any_object');
  let named = 0;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    if ((vocabulary.words.kinds(hash) & (STOPWORD | GROUP_MASK)) !== 0) continue;
    if (any_object.has(words.text.slice(words.start[i]!, words.end[i]!).toLowerCase())) continue;
    if (objects.has(hash) || values.has(hash)) return true;
    named++;
  }
  return named === 0;
}

function valueWords(args: readonly Argument[]): Set<number> {
  const found = new Set<number>();
  for (const arg of args.slice(0, 200)) {
    const { hash, count } = lex(arg.value.slice(0, 400));
    for (let i = 0; i < count; i++) found.add(hash[i]!);
  }
  return found;
}
