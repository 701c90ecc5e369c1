/** «Pay the bill», «reply to her», «follow the link»: words by which a user lets a source choose a value. */

import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, tableOf } from '../../../ontology/words.ts';
import { hashWord } from './lexer.ts';
import { matchesAny, wordSet } from './word-lists.ts';

/** Hash of a noun or verb of a request → roles whose values it hands over. */
export const rolesByWord = perOntology((ontology): ReadonlyMap<number, readonly string[]> => {
  const roles_by_word = new Map<number, string[]>();
  const roles_of = tableOf(ontology, 'source_roles');
  for (const [source, words] of tableOf(ontology, 'sources')) {
    for (const word of words) {
      for (const form of [word, `${word}s`]) {
        const hash = hashWord(form);
        roles_by_word.set(hash, [...new Set([...(roles_by_word.get(hash) ?? []), ...(roles_of.get(source) ?? [])])]);
      }
    }
  }
  return roles_by_word;
});

export function delegatedBy(ontology: Ontology, hash: number, into: Set<string>): void {
  const roles = rolesByWord(ontology).get(hash);
  if (roles !== undefined) for (const role of roles) into.add(role);
}

const everyRole = perOntology((ontology) => new Set([...rolesByWord(ontology).values()].flat()));

/** Every role that can be handed over. Standing forwards, secrets and rights never can. */
export function allRoles(ontology: Ontology): Iterable<string> {
  return everyRole(ontology);
}

/** Sentences are searched up to this length. */
const MAX_SENTENCE = 600;

/** «Find his address in the CV»: roles that the user lets a look-up fill. */
export function rolesFound(ontology: Ontology, sentence: string): readonly string[] {
  return patternOf(ontology, 'delegation', 'finds_address').test(sentence.slice(0, MAX_SENTENCE)) ? FOUND : NO_ROLES;
}

const FOUND: readonly string[] = ['recipient'];
const NO_ROLES: readonly string[] = [];

/** Roles whose values documents state. */
export const statedRoles = (ontology: Ontology): Iterable<string> => wordSet(ontology, 'stated_roles');

/** «The account is in the mail», «where the contract says»: the words that say so; '' if there are none. */
export function statedIn(ontology: Ontology, sentence: string): string {
  return patternOf(ontology, 'delegation', 'stands_in').exec(sentence.slice(0, MAX_SENTENCE))?.[0] ?? '';
}

/** «Continue with task 2», «get it going»: the user wants work to go on, or a state of things, and leaves the steps to the agent. */
export function leavesSteps(ontology: Ontology, sentence: string): boolean {
  const read = sentence.slice(0, MAX_SENTENCE);
  return (
    patternOf(ontology, 'delegation', 'goes_on').test(read) || patternOf(ontology, 'delegation', 'settles').test(read)
  );
}

const toldQuestions = perOntology(
  (ontology) => new RegExp(patternOf(ontology, 'told_questions', 'wants_to_know').source, 'gi'),
);

/** «Do what the mail says», «implement #412»: the user leaves the task itself to a source. */
export function handsOverAll(ontology: Ontology, sentence: string): boolean {
  const said = sentence.slice(0, MAX_SENTENCE);
  if (!matchesAny(ontology, 'handing_over', said)) return false;
  return matchesAny(ontology, 'handing_over', said.replace(toldQuestions(ontology), ' '));
}
