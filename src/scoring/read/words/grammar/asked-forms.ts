/**
 * Verbs of many languages as they stand in a sentence that asks: `verstuur`, `lähetä`, `zet|uit`, and nouns of deeds beside a verb of
 * carrying out: «book the destruction». They are whole forms and no stems, so no grammar is needed, and they are looked for in the
 * user's words alone.
 */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, listOf } from '../../../../ontology/words.ts';
import { CLAUSE, firstHash, hashWord, lex, type Words } from '../lexer.ts';

interface Form {
  rest: readonly number[];
  groups: number;
  /** The last word stands later in the clause. */
  is_parted: boolean;
}

/** A form as the ontology writes it, and its verb groups. */
interface Written {
  text: string;
  groups: number;
}

const NO_FORMS: readonly Form[] = [];

/** Forms by the hash of their first word. A form is parsed when its first word is looked up: most of the thousands never are. */
class FormTable {
  readonly #written = new Map<number, Written[]>();
  readonly #forms = new Map<number, readonly Form[]>();

  add(text: string, groups: number): void {
    const first = firstHash(text);
    if (first === null) return;
    const known = this.#written.get(first);
    if (known === undefined) this.#written.set(first, [{ text, groups }]);
    else known.push({ text, groups });
  }

  get(hash: number): readonly Form[] {
    let forms = this.#forms.get(hash);
    if (forms !== undefined) return forms;
    const written = this.#written.get(hash);
    if (written === undefined) return NO_FORMS;
    forms = written.map(toForm);
    this.#forms.set(hash, forms);
    return forms;
  }

  /** Hashes of the first words. */
  keys(): Iterable<number> {
    return this.#written.keys();
  }
}

function toForm({ text, groups }: Written): Form {
  const { hash, count } = lex(text.replace('|', ' '));
  return { rest: [...hash.slice(1, count)], groups, is_parted: text.includes('|') };
}

const TABLES = 'asked_forms_';
const NOUNS = 'domain_nouns_';
const DEEDS = 'deed_nouns_';
const BARE = 'bare_forms_';
/** Words between a verb of carrying out and the noun of the deed, on either side: «Book the final destruction». */
const DEED_REACH = 8;
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
  const inTables = (prefix: string): FormTable => {
    const forms = new FormTable();
    for (const [name, table] of ontology.tables) {
      if (!name.startsWith(prefix)) continue;
      for (const [group, written] of table) for (const text of written) forms.add(text, 1 << order.indexOf(group));
    }
    return forms;
  };
  const carrying = new FormTable();
  for (const text of listOf(ontology, 'carrying_forms')) carrying.add(text, 0);
  return {
    forms: inTables(TABLES),
    bare: inTables(BARE),
    followers: new Set(listOf(ontology, 'bare_form_followers').map(hashWord)),
    carrying,
    deeds: inTables(DEEDS),
    negations: new Set(listOf(ontology, 'simple_negations').map(hashWord)),
    endings: anyOf(ontology, 'negative_endings'),
  };
});

/** Hashes of the first words of all forms. */
export function* firstWordsOfForms(ontology: Ontology): Iterable<number> {
  const { forms, bare, carrying } = formsOf(ontology);
  yield* forms.keys();
  yield* bare.keys();
  yield* carrying.keys();
}

/**
 * Verb groups, as bits, of the deed that a verb of carrying out at `i` is about: «book the destruction», «die Löschung durchführen».
 * 0 where the word carries out nothing, or no deed is named beside it.
 */
export function deedCarriedOut(words: Words, ontology: Ontology, i: number, from: number, to: number): number {
  const { carrying, deeds } = formsOf(ontology);
  const verb = carrying.get(words.hash[i]!).find((form) => stands(form, words, i, to));
  if (verb === undefined) return 0;
  const at = (place: number): number =>
    deeds
      .get(words.hash[place]!)
      .reduce((bits, noun) => (stands(noun, words, place, to) ? bits | noun.groups : bits), 0);
  const last = Math.min(to, i + verb.rest.length + 1 + DEED_REACH);
  for (let place = i + verb.rest.length + 1; place < last && words.gap[place]! < CLAUSE; place++) {
    const groups = at(place);
    if (groups !== 0) return groups;
  }
  for (let place = i - 1; place >= from && place >= i - DEED_REACH && words.gap[place + 1]! < CLAUSE; place--) {
    const groups = at(place);
    if (groups !== 0) return groups;
  }
  return 0;
}

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

/** What else asks for the deeds of a group, in scripts of many languages, and nouns of these deeds, as they are written. */
export const scriptFormsOfGroup = (ontology: Ontology, group: string): readonly string[] =>
  [...ontology.tables].flatMap(([name, table]) =>
    name.startsWith(DEEDS) || ASKED.has(name) ? (table.get(group) ?? []) : [],
  );

const ASKED: ReadonlySet<string> = new Set(['asked_forms', 'request_forms']);

/** Verb groups, as bits, that the form at `i` asks for, and whether a negation beside it excludes them. */
export function foreignForm(
  words: Words,
  ontology: Ontology,
  i: number,
  from: number,
  to: number,
): { groups: number; is_excluded: boolean } {
  const { forms, bare, followers, negations, endings } = formsOf(ontology);
  let groups = deedCarriedOut(words, ontology, i, from, to);
  let is_turned = false;
  for (const form of forms.get(words.hash[i]!)) {
    if (!stands(form, words, i, to)) continue;
    groups |= form.groups;
    const end = words.end[form.is_parted ? i : i + form.rest.length]!;
    is_turned ||= endings.test(words.text.slice(end, end + LONGEST_ENDING));
  }
  for (const form of bare.get(words.hash[i]!))
    if (stands(form, words, i, to) && isFollowed(words, i + form.rest.length + 1, to, followers)) groups |= form.groups;
  return { groups, is_excluded: groups !== 0 && (is_turned || isNegated(words, i, from, to, negations)) };
}

/** «Kauf das Sofa», «kauf 2 Stühle»: what follows is the object of a verb. */
const isFollowed = (
  { hash, gap, text, start }: Words,
  at: number,
  to: number,
  followers: ReadonlySet<number>,
): boolean => at < to && gap[at]! < CLAUSE && (followers.has(hash[at]!) || /\d/.test(text[start[at]!]!));

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
