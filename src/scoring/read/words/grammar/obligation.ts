/** What a sentence obliges or asks somebody to do, in whatever grammar: «has to be switched off», «the sending of … is required». */
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, tableOf } from '../../../../ontology/words.ts';
import { lex, type Words } from '../lexer.ts';
import type { Phrase, Vocabulary } from '../vocabulary.ts';
import { hashedList } from '../word-lists.ts';
import { foreignForm } from './asked-forms.ts';
import { GROUP_MASK } from './grammar.ts';

/** Beside the bits of verb groups: the sentence says that something has to be done, or asks for it. */
export const OBLIGES = 1 << 21;

const wordsOf = perOntology((ontology) => ({
  obliging: hashedList(ontology, 'obliging_words'),
  forms: requestForms(tableOf(ontology, 'request_forms'), ontology.group_danger_order),
  asked: requestForms(tableOf(ontology, 'asked_forms'), ontology.group_danger_order),
  negations: listOf(ontology, 'form_negations').map((word) => {
    const { hash, count } = lex(word);
    return [...hash.slice(0, count)];
  }),
  negating: new Set(
    listOf(ontology, 'form_negations').flatMap((word) => {
      const { hash, count } = lex(word);
      return count === 0 ? [] : [hash[0]!];
    }),
  ),
}));

/** Words on either side of a form within which a negation excludes it. */
const NEGATION_REACH = 4;

/** What a form of a verb that asks by itself asks for, in the words of a user, and whether a negation excludes it. */
export function askedByForm(
  words: Words,
  { ontology }: Vocabulary,
  i: number,
  from: number,
  to: number,
): { groups: number; is_excluded: boolean } {
  const { forms, asked, negations, negating } = wordsOf(ontology);
  const hash = words.hash[i]!;
  const groups = matching(words, i, to, forms.get(hash)) | matching(words, i, to, asked.get(hash));
  if (groups === 0) return foreignForm(words, ontology, i, from, to);
  const first = Math.max(from, i - NEGATION_REACH);
  const last = Math.min(to, i + 2 * NEGATION_REACH);
  for (let at = first; at < last; at++) {
    if (!negating.has(words.hash[at]!)) continue;
    const is_excluded = negations.some((negation) => negation.every((part, n) => words.hash[at + n] === part));
    if (is_excluded) return { groups, is_excluded };
  }
  return { groups, is_excluded: false };
}

/** Request forms by the hash of their first word. */
function requestForms(
  table: ReadonlyMap<string, readonly string[]>,
  order: readonly string[],
): ReadonlyMap<number, readonly Phrase[]> {
  const forms = new Map<number, Phrase[]>();
  for (const [group, words] of table) {
    const bit = 1 << order.indexOf(group);
    for (const word of words) {
      const { hash, count } = lex(word);
      if (count === 0) continue;
      const phrase = { rest: [...hash.slice(1, count)], groups: bit };
      forms.set(hash[0]!, [...(forms.get(hash[0]!) ?? []), phrase]);
    }
  }
  return forms;
}

/** Verb groups that the word at `i` speaks of in any form, with `OBLIGES` if it obliges or asks. */
export function looseGroups(
  words: Words,
  { words: table, phrases, acts, ontology }: Vocabulary,
  i: number,
  to: number,
): number {
  const hash = words.hash[i]!;
  const { obliging, forms } = wordsOf(ontology);
  let groups = (table.kinds(hash) & GROUP_MASK) | (acts.get(hash) ?? 0);
  groups |= matching(words, i, to, phrases.get(hash));
  const asked = matching(words, i, to, forms.get(hash));
  if (asked !== 0 || obliging.has(hash)) groups |= asked | OBLIGES;
  return groups;
}

function matching(words: Words, i: number, to: number, phrases: readonly Phrase[] | undefined): number {
  let groups = 0;
  for (const phrase of phrases ?? []) {
    if (i + phrase.rest.length >= to) continue;
    if (phrase.rest.every((hash, n) => words.hash[i + 1 + n] === hash)) groups |= phrase.groups;
  }
  return groups;
}
