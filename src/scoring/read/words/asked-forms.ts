/**
 * Verbs of many languages as they stand in a sentence that asks: `verstuur`, `lähetä`, `zet|uit`. They are whole forms and no stems, so
 * no grammar is needed, and they are looked for in the user's words alone.
 */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, listOf } from '../../../ontology/words.ts';
import { CLAUSE, hashWord, lex, type Words } from './lexer.ts';

interface Form {
  rest: readonly number[];
  groups: number;
  /** The last word stands later in the clause. */
  is_parted: boolean;
}

const TABLES = 'asked_forms_';
const NOUNS = 'domain_nouns_';
const INFINITIVES = /^verbs_[a-z]{2}$/;
/** Words between the parts of a verb: «zet het licht in de gang uit». */
const PARTED_BY = 8;
/** Words before a form within which a negation excludes it, and behind it, where it ends the clause: «verstuur het niet». */
const BEFORE = 3;
const BEHIND = 4;
/** Characters behind a form in which its ending is looked for. */
const LONGEST_ENDING = 6;

const formsOf = perOntology((ontology) => {
  const order = ontology.group_danger_order;
  const forms = new Map<number, Form[]>();
  for (const [name, table] of ontology.tables) {
    if (!name.startsWith(TABLES)) continue;
    for (const [group, written] of table) {
      const bit = 1 << order.indexOf(group);
      for (const text of written) {
        const { hash, count } = lex(text.replace('|', ' '));
        if (count === 0) continue;
        const known = forms.get(hash[0]!) ?? [];
        known.push({ rest: [...hash.slice(1, count)], groups: bit, is_parted: text.includes('|') });
        forms.set(hash[0]!, known);
      }
    }
  }
  return {
    forms,
    negations: new Set(listOf(ontology, 'simple_negations').map(hashWord)),
    endings: anyOf(ontology, 'negative_endings'),
  };
});

/** Hashes of the first words of all forms. */
export const firstWordsOfForms = (ontology: Ontology): Iterable<number> => formsOf(ontology).forms.keys();

/** Noun → domains that it speaks of, in languages beside English. */
export function domainNouns(ontology: Ontology): [string, string][] {
  return [...ontology.tables]
    .filter(([name]) => name.startsWith(NOUNS))
    .flatMap(([, table]) =>
      [...table].flatMap(([domain, nouns]) => nouns.map((noun): [string, string] => [noun, domain])),
    );
}

/** The forms and infinitives of one group in all languages, as they are written. */
export function formsOfGroup(ontology: Ontology, group: string): readonly string[] {
  return [...ontology.tables].flatMap(([name, table]) => {
    if (name.startsWith(TABLES)) return table.get(group) ?? [];
    // `frei|geben gib`: the infinitive, joined, and a form that names do not have.
    return INFINITIVES.test(name) ? (table.get(group) ?? []).map((verb) => verb.split(' ')[0]!.replace('|', '')) : [];
  });
}

/** Verb groups, as bits, that the form at `i` asks for, and whether a negation beside it excludes them. */
export function foreignForm(
  words: Words,
  ontology: Ontology,
  i: number,
  from: number,
  to: number,
): { groups: number; is_excluded: boolean } {
  const { forms, negations, endings } = formsOf(ontology);
  let groups = 0;
  let is_turned = false;
  for (const form of forms.get(words.hash[i]!) ?? []) {
    if (!stands(form, words, i, to)) continue;
    groups |= form.groups;
    const end = words.end[form.is_parted ? i : i + form.rest.length]!;
    is_turned ||= endings.test(words.text.slice(end, end + LONGEST_ENDING));
  }
  return { groups, is_excluded: groups !== 0 && (is_turned || isNegated(words, i, from, to, negations)) };
}

function stands({ rest, is_parted }: Form, { hash, gap }: Words, i: number, to: number): boolean {
  if (!is_parted) return i + rest.length < to && rest.every((word, n) => hash[i + 1 + n] === word);
  for (let at = i + 1; at < to && at <= i + 1 + PARTED_BY && gap[at]! < CLAUSE; at++)
    if (hash[at] === rest[0] && endsClause(at + 1, to, gap)) return true;
  return false;
}

/** Whether at most one more word follows in the clause: behind a preposition of the same form there is a whole phrase. */
const endsClause = (at: number, to: number, gap: Words['gap']): boolean =>
  [at, at + 1].some((next) => next >= to || gap[next]! >= CLAUSE);

function isNegated({ hash, gap }: Words, i: number, from: number, to: number, negations: ReadonlySet<number>): boolean {
  for (let at = i - 1; at >= from && at >= i - BEFORE && gap[at + 1]! < CLAUSE; at--)
    if (negations.has(hash[at]!)) return true;
  for (let at = i + 1; at < to && at <= i + BEHIND && gap[at]! < CLAUSE; at++) {
    const isLast = at + 1 >= to || gap[at + 1]! >= CLAUSE;
    if (isLast && negations.has(hash[at]!)) return true;
  }
  return false;
}
