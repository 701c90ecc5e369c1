/** The ontology's words for verbs and the words beside them in names, compiled once. */

import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, listOf, tableOf } from '../../../ontology/words.ts';
import { foldText } from './fold.ts';
import { formsOfGroup, scriptFormsOfGroup } from './grammar/asked-forms.ts';
import { CONJUGATIONS, type VerbForms } from './grammar/conjugation.ts';

type Verbs = ReadonlyMap<string, VerbEntry>;

export interface VerbLookup {
  ontology: Ontology;
  verbs: Verbs;
  /** Single words, everyday synonyms included. */
  words: Verbs;
  /** Those of them that are no forms of other languages. */
  native: ReadonlySet<string>;
  /** Verbs that count where no word of a name is one of `words`, and those that do so only before an object. */
  further: Verbs;
  before_objects: Verbs;
  /** Forms of verbs of other languages that begin or end a name; those in two parts with a `_` between them. */
  of_languages: Verbs;
  /** `tear_down`: verb and particle. */
  phrasal: Verbs;
  /** What leaves the meaning of the verb behind it, `mass` of `massdelete`, and words that only look like such a verb. */
  prefixes: readonly string[];
  not_again: ReadonlySet<string>;
  /** Verb groups whose tools are named after who does it: `file_writer`. */
  agent_nouns_of: ReadonlySet<string>;
  not_agents: ReadonlySet<string>;
  /** Nouns that only look like those of acts. */
  not_acts: ReadonlySet<string>;
  /** Ending of a noun of an act → what stands in its place in the verb. */
  endings_of_acts: ReadonlyMap<string, readonly string[]>;
  /** Folded words of other scripts: `删除`. */
  scripts: Verbs;
  /** Names of shell programs. */
  programs: Verbs;
  /** `batch_delete` is `delete` with more risk. */
  bulk: Ontology['bulk'];
  /** Rank in the danger order, 0 most dangerous; unknown groups come last. */
  rank: ReadonlyMap<string, number>;
  /** Nouns of acts: `payment` is `pay`. */
  acts: Verbs;
  /** Verb → object → the verb that both together mean. */
  object_senses: ReadonlyMap<string, Verbs>;
  /** Words beside «policy» for policies that are about no rights. */
  plain_policies: ReadonlySet<string>;
  /** What is switched off → the verb that this is. */
  guards: Verbs;
  /** Guards that a setting names by themselves, and those that need a word for a switch beside them. */
  guard_settings: ReadonlySet<string>;
  watchers: ReadonlySet<string>;
  switch_words: ReadonlySet<string>;
  light_verbs: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
  noun_like: ReadonlySet<string>;
  /** Names of places and kinds of things: `email` alone names a thing and no act. */
  things: ReadonlySet<string>;
  /** The same, and kinds of resources. */
  nouns: ReadonlySet<string>;
  /** Words behind a noun: `file_by_id` files nothing. */
  prepositions: ReadonlySet<string>;
  /** Words between two verbs of one name: `get_and_delete`. */
  joining: ReadonlySet<string>;
  /** Names of papers that end in the noun of an act: `work_order`. */
  papers: ReadonlySet<string>;
  switching_off: ReadonlySet<string>;
  traces: ReadonlySet<string>;
  money_contexts: ReadonlySet<string>;
  /** «push», «move»: with one of `moved_money` as the object they pay. */
  money_movers: ReadonlySet<string>;
  moved_money: ReadonlySet<string>;
  phone_words: ReadonlySet<string>;
  operation_kinds: ReadonlySet<string>;
}

/** The ontology's words for verbs, compiled; memoized per ontology. */
export const verbLookup: (ontology: Ontology) => VerbLookup = perOntology(compile);

function compile(ontology: Ontology): VerbLookup {
  const { verbs } = ontology;
  const set = (list: string): ReadonlySet<string> => new Set(listOf(ontology, list));
  const words = new Map<string, VerbEntry>();
  for (const [verb, entry] of verbs) if (!verb.includes('_')) words.set(verb, entry);
  for (const [word, entry] of entriesOf(ontology.tool_verb_prefixes, verbs)) words.set(word, entry);
  const native = new Set(words.keys());
  const scripts = addForeignVerbs(words, ontology);
  const things = new Set([
    ...ontology.domains.keys(),
    ...[...ontology.domains.values()].flatMap(({ scopes }) => [...scopes.keys()]),
  ]);
  const phrasal = entriesOf(inverseOf(ontology, 'phrasal_verbs'), verbs);
  const before_objects = entriesOf(inverseOf(ontology, 'verbs_before_objects'), verbs);
  const of_languages = verbsOfNames(ontology, (word) => words.has(word) || before_objects.has(word));
  return {
    ontology,
    verbs,
    words,
    native,
    further: entriesOf(inverseOf(ontology, 'further_verbs'), verbs),
    before_objects,
    of_languages,
    phrasal: new Map([...phrasal].map(([words, entry]) => [words.replaceAll(' ', '_'), entry])),
    prefixes: listOf(ontology, 'verb_prefixes'),
    not_again: set('words_in_re'),
    agent_nouns_of: set('agent_nouns_of'),
    not_agents: set('not_agents'),
    not_acts: set('not_acts'),
    endings_of_acts: tableOf(ontology, 'endings_of_acts'),
    scripts,
    programs: programsOf(ontology),
    bulk: ontology.bulk,
    rank: new Map(ontology.group_danger_order.map((group, i) => [group, i])),
    acts: entriesOf(inverseOf(ontology, 'acts'), verbs),
    object_senses: objectSenses(ontology),
    plain_policies: set('plain_policies'),
    guards: entriesOf(inverseOf(ontology, 'guard_words'), verbs),
    guard_settings: set('guard_settings'),
    watchers: set('watchers'),
    switch_words: set('switch_words'),
    light_verbs: set('light_verbs'),
    attributes: set('attributes'),
    noun_like: set('noun_like_verbs'),
    things,
    nouns: new Set([...things, ...ontology.resource_types.keys()]),
    prepositions: set('name_prepositions'),
    joining: set('joining_words'),
    papers: set('papers_not_acts'),
    switching_off: set('switching_off'),
    traces: set('traces'),
    money_contexts: set('money_contexts'),
    money_movers: set('money_movers'),
    moved_money: set('moved_money'),
    phone_words: set('phone_words'),
    operation_kinds: set('operation_kinds'),
  };
}

/** Shorter forms are syllables of other names. */
const SHORTEST_FOREIGN = 5;

/**
 * `lohn_freigeben`, `wyslij_przelew`, `删除用户`: names of tools in other languages say what they do as well. A known word keeps its
 * meaning. Forms in Latin letters are added to `words`; those of other scripts are returned.
 */
function addForeignVerbs(words: Map<string, VerbEntry>, ontology: Ontology): Map<string, VerbEntry> {
  const verb_of_group = tableOf(ontology, 'verb_of_groups');
  const scripts = new Map<string, VerbEntry>();
  for (const group of ontology.group_danger_order) {
    const entry = ontology.verbs.get(verb_of_group.get(group)?.[0] ?? '');
    if (entry === undefined) continue;
    for (const form of formsOfGroup(ontology, group)) {
      const word = foldText(form);
      if (word.length >= SHORTEST_FOREIGN && /^[a-z]+$/.test(word) && !words.has(word)) words.set(word, entry);
      addScript(scripts, word, entry);
    }
    for (const form of scriptFormsOfGroup(ontology, group)) addScript(scripts, foldText(form), entry);
  }
  for (const [form, entry] of entriesOf(inverseOf(ontology, 'verbs_of_names'), ontology.verbs))
    addScript(scripts, foldText(form), entry);
  return scripts;
}

/** A shorter form of the regular grammar is a word of another kind too often. */
const SHORTEST_FORM = 5;

/**
 * `elimina_cuenta`, `deaktiviert_firewall`: forms in which a name says what it does, not only the infinitive; the imperative, the third person.
 * What is a word of a name by itself keeps its meaning.
 */
function verbsOfNames(ontology: Ontology, isKnown: (word: string) => boolean): Verbs {
  const others = new Set(listOf(ontology, 'not_verbs_of_names'));
  const verb_of_group = tableOf(ontology, 'verb_of_groups');
  const found = new Map(entriesOf(inverseOf(ontology, 'verbs_of_names'), ontology.verbs));
  const add = (form: string, entry: VerbEntry): void => {
    const word = foldText(form);
    if (!/^[a-z]+(?:_[a-z]+)?$/.test(word) || word.length < SHORTEST_FORM) return;
    if (!found.has(word) && !isKnown(word) && !others.has(word)) found.set(word, entry);
  };
  for (const group of ontology.group_danger_order) {
    const entry = ontology.verbs.get(verb_of_group.get(group)?.[0] ?? '');
    if (entry === undefined) continue;
    for (const { words, parted, prefix } of conjugated(ontology, group)) {
      for (const form of words) add(form, entry);
      for (const form of parted) add(`${form}_${prefix}`, entry);
    }
  }
  return found;
}

/** The forms of all verbs of a group, by the grammar of their languages. */
function conjugated(ontology: Ontology, group: string): VerbForms[] {
  return [...CONJUGATIONS].flatMap(([language, formsOf]) =>
    (tableOf(ontology, `verbs_${language}`).get(group) ?? []).map((verb) => {
      const [infinitive = '', other = ''] = verb.split(' ');
      return formsOf({ infinitive, other }, []);
    }),
  );
}

/** A form of one word that is not in Latin letters; the most dangerous group that has it comes first. */
function addScript(scripts: Map<string, VerbEntry>, word: string, entry: VerbEntry): void {
  if (!scripts.has(word) && /^[^\u0000-\u024f\s|]{2,}$/.test(word)) scripts.set(word, entry);
}

/** Word → verb as word → entry of the verb. Words of verbs that the ontology lacks are left out. */
function entriesOf(verb_by_word: ReadonlyMap<string, string>, verbs: Verbs): Verbs {
  const entries = new Map<string, VerbEntry>();
  for (const [word, verb] of verb_by_word) {
    const entry = verbs.get(verb);
    if (entry !== undefined) entries.set(word, entry);
  }
  return entries;
}

function programsOf(ontology: Ontology): Verbs {
  const programs = new Map<string, VerbEntry>();
  const verb_of_group = tableOf(ontology, 'program_verbs');
  for (const [group, names] of ontology.shell_programs) {
    const entry = ontology.verbs.get(verb_of_group.get(group)?.[0] ?? '');
    if (entry !== undefined) for (const name of names) programs.set(name, entry);
  }
  return programs;
}

function objectSenses(ontology: Ontology): ReadonlyMap<string, Verbs> {
  const senses = new Map<string, Map<string, VerbEntry>>();
  for (const [both, sense] of entriesOf(inverseOf(ontology, 'object_senses'), ontology.verbs)) {
    const [verb = '', object = ''] = both.split(' ');
    const objects = senses.get(verb) ?? new Map<string, VerbEntry>();
    senses.set(verb, objects.set(object, sense));
  }
  return senses;
}
