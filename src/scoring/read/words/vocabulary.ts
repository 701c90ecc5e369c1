/** The ontology's words, compiled once for reading requests and instructions. */

import type { InjectionMarker, Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, listOf, tableOf } from '../../../ontology/words.ts';
import { domainNouns, firstWordsOfForms } from './grammar/asked-forms.ts';
import { CONJUGATIONS } from './grammar/conjugation.ts';
import { CLASSES, GROUP_MASK, ING, NOUNISH, STOPWORD, TABLED, TOLD } from './grammar/grammar.ts';
import { firstHash, hashWord, lex } from './lexer.ts';
import { rolesByWord } from './sources.ts';
import { hashSet } from './word-lists.ts';
import { WordTable } from './word-table.ts';

export interface Phrase {
  rest: number[];
  groups: number;
}

export interface Vocabulary {
  ontology: Ontology;
  words: WordTable;
  /** Phrases of several words by the hash of the first. */
  phrases: ReadonlyMap<number, readonly Phrase[]>;
  /** Word → domains that it speaks of. */
  domains: ReadonlyMap<number, readonly string[]>;
  /** Verbs that say little by themselves: «make a payment». */
  light_verbs: ReadonlySet<number>;
  /** Noun of an act → group of its verb. */
  acts: ReadonlyMap<number, number>;
  /** Verb → its object → group of what the two mean together: «release the payroll» pays. */
  object_acts: ReadonlyMap<number, ReadonlyMap<number, number>>;
  markers: readonly InjectionMarker[];
  /** The bit of a verb group, 0 for an unknown one. */
  bitOf: (group: string) => number;
  /** Keys under which a text caches its readings with this vocabulary. */
  keys: { orders: object; request: object };
}

/** The ontology's words, compiled; memoized per ontology. */
export const vocabularyOf: (ontology: Ontology) => Vocabulary = perOntology(compile);

const bitsByList = perOntology(() => new Map<string, number>());

/** The bits of all verb groups that a list of the ontology names. */
export function groupBits(list: string, ontology: Ontology): number {
  const known = bitsByList(ontology);
  let bits = known.get(list);
  if (bits === undefined) {
    const { bitOf } = vocabularyOf(ontology);
    bits = listOf(ontology, list).reduce((all, group) => all | bitOf(group), 0);
    known.set(list, bits);
  }
  return bits;
}

/** Verb groups as names. */
export function groupNames(ontology: Ontology, groups: number): string[] {
  return groups === 0 ? [] : ontology.group_danger_order.filter((_, i) => (groups & (1 << i)) !== 0);
}

function compile(ontology: Ontology): Vocabulary {
  const words = new WordTable();
  const phrases = new Map<number, Phrase[]>();
  const bits = new Map(ontology.group_danger_order.slice(0, 21).map((group, at) => [group, 1 << at]));
  const bitOf = (group: string): number => bits.get(group) ?? 0;
  const groupOf = (verb: string): number => bitOf(ontology.verbs.get(verb)?.group ?? '');
  const particles = hashSet(listOf(ontology, 'verb_particles'));
  const not_asking = new Set(listOf(ontology, 'words_not_asking'));
  const bases: [string, number][] = [];
  const add = (text: string, groups: number): void => {
    if (not_asking.has(text) || groups === 0) return;
    addVerb(words, phrases, particles, text, groups);
    bases.push([text, groups]);
  };
  for (const verb of ontology.verbs.values()) add(verb.verb.replaceAll('_', ' '), bitOf(verb.group));
  for (const [group, list] of ontology.intent_words) for (const word of list) add(word, bitOf(group));
  for (const [word, verb] of ontology.tool_verb_prefixes) add(word, groupOf(verb));
  for (const [group, list] of tableOf(ontology, 'loose_intent_words')) for (const word of list) add(word, bitOf(group));
  // The verbs of the rest of the language mean something only where no list above has the word.
  for (const name of ['further_verbs', 'phrasal_verbs'])
    for (const [word, verb] of inverseOf(ontology, name))
      for (const form of new Set([word, word.replace(/ize$/, 'ise')]))
        if (!isKnown(words, phrases, form)) add(form, groupOf(verb));
  addVerbsOfLanguages(words, phrases, ontology, bitOf);
  // Behind all verbs: the infinitive «supprimer» is not a form of «supprime».
  for (const [verb, groups] of bases) addEnglishForms(words, verb, groups);
  // «Resend», «redeploy», «rebook»: again is no other act.
  const repeatable = listOf(ontology, 'repeatable_groups').reduce((all, group) => all | bitOf(group), 0);
  const others = new Set(listOf(ontology, 'words_in_re'));
  for (const [verb, groups] of bases) {
    const again = `re${verb}`;
    if (!/^[a-z]{4,}$/.test(verb) || (groups & repeatable) === 0 || others.has(again)) continue;
    addForm(words, again, groups);
    addEnglishForms(words, again, groups);
  }
  for (const [verb, forms] of tableOf(ontology, 'past_forms'))
    for (const form of forms) addForm(words, form, (words.kinds(hashWord(verb)) & GROUP_MASK) | TOLD);
  addGrammar(words, ontology);
  const markers = ontology.injection_markers.slice(0, 31);
  const weak = new Set(listOf(ontology, 'weak_triggers'));
  for (const [i, marker] of markers.entries()) addTriggers(words, marker, 1 << i, weak);
  const domains = domainWords(ontology);
  const light_verbs = hashSet([...listOf(ontology, 'light_verbs'), ...listOf(ontology, 'light_in_requests')]);
  // Last, because a word that has bits already gets no others as a form of a verb.
  for (const table of [domains, phrases, rolesByWord(ontology)])
    for (const hash of table.keys()) words.add(hash, TABLED);
  const by_object = hashSet([...listOf(ontology, 'handing_words'), ...listOf(ontology, 'obtaining_words')]);
  for (const hash of [...light_verbs, ...by_object]) words.add(hash, TABLED);
  const object_acts = objectActs(ontology, groupOf);
  for (const hash of object_acts.keys()) words.add(hash, TABLED);
  const forms = ['request_forms', 'asked_forms'].flatMap((name) => [...tableOf(ontology, name).values()].flat());
  const asking = [...listOf(ontology, 'obliging_words'), ...forms];
  for (const hash of [...firstWords(asking), ...firstWordsOfForms(ontology)]) words.add(hash, TABLED);
  const acts = new Map([...inverseOf(ontology, 'acts'), ...inverseOf(ontology, 'acts_in_requests')]);
  return {
    ontology,
    words,
    phrases,
    domains,
    light_verbs,
    acts: new Map([...acts].map(([noun, verb]) => [hashWord(noun), groupOf(verb)])),
    object_acts,
    markers,
    bitOf,
    keys: { orders: {}, request: {} },
  };
}

function objectActs(ontology: Ontology, groupOf: (verb: string) => number): Map<number, Map<number, number>> {
  const found = new Map<number, Map<number, number>>();
  for (const [both, verb] of inverseOf(ontology, 'object_senses')) {
    const [act = '', object = '', ...more] = both.split(' ');
    if (object === '' || more.length > 0) continue;
    const of_act = found.get(hashWord(act)) ?? new Map<number, number>();
    for (const form of [object, object.endsWith('y') ? `${object.slice(0, -1)}ies` : `${object}s`])
      of_act.set(hashWord(form), groupOf(verb));
    found.set(hashWord(act), of_act);
  }
  return found;
}

function firstWords(texts: readonly string[]): number[] {
  return texts.flatMap((text) => firstHash(text) ?? []);
}

function addGrammar(words: WordTable, ontology: Ontology): void {
  const members = tableOf(ontology, 'function_words');
  for (const { name, bit } of CLASSES) for (const word of members.get(name) ?? []) words.add(hashWord(word), bit);
  for (const word of listOf(ontology, 'stop_words')) words.add(hashWord(word), STOPWORD);
  for (const word of listOf(ontology, 'verbs_and_nouns')) words.add(hashWord(word), NOUNISH);
}

/** Whether a word has a kind, or a phrase its groups, already. */
function isKnown(words: WordTable, phrases: ReadonlyMap<number, readonly Phrase[]>, text: string): boolean {
  const { hash, count } = lex(text);
  const first = hash[0] ?? 0;
  if (count <= 1) return words.kinds(first) !== 0;
  return (phrases.get(first) ?? []).some(({ rest }) => rest.every((word, i) => word === hash[i + 1]));
}

function addVerb(
  words: WordTable,
  phrases: Map<number, Phrase[]>,
  particles: ReadonlySet<number>,
  text: string,
  groups: number,
): void {
  const { hash, count } = lex(text);
  if (count === 0) return;
  const first = hash[0]!;
  if (count > 1) {
    const rest = [...hash.slice(1, count)];
    const known = phrases.get(first) ?? [];
    const same = known.find((phrase) => phrase.rest.length === 1 && phrase.rest[0] === rest[0]);
    // «Turn off» asks for a setting and for what a device does.
    if (same !== undefined && rest.length === 1 && particles.has(rest[0]!)) same.groups |= groups;
    else phrases.set(first, [...known, { rest, groups }]);
    return;
  }
  words.add(first, groups);
}

/** Forms of a verb of one word that tell, and those in «-ing». */
function addEnglishForms(words: WordTable, verb: string, groups: number): void {
  for (const form of ingForms(verb)) addForm(words, form, groups | ING);
  for (const form of toldForms(verb)) addForm(words, form, form.endsWith('ed') ? groups | TOLD : TOLD);
}

/** Adds the forms of the verbs of other languages; a word that is a verb already keeps its meaning. */
function addVerbsOfLanguages(
  words: WordTable,
  phrases: Map<number, Phrase[]>,
  ontology: Ontology,
  bitOf: (group: string) => number,
): void {
  const groups_of = new Map<string, number>();
  for (const [language, formsOf] of CONJUGATIONS) {
    const clitics = ontology.lists.get(`clitics_${language}`) ?? [];
    for (const [group, verbs] of tableOf(ontology, `verbs_${language}`)) {
      for (const verb of verbs) {
        const [infinitive = '', other = ''] = verb.split(' ');
        const forms = formsOf({ infinitive, other }, clitics);
        for (const form of forms.words) groups_of.set(form, (groups_of.get(form) ?? 0) | bitOf(group));
        for (const form of forms.parted) addParted(phrases, hashWord(form), hashWord(forms.prefix), bitOf(group));
        if (forms.passive !== '') addParted(phrases, hashWord(forms.passive), WERDEN, bitOf(group));
      }
    }
  }
  for (const [form, groups] of groups_of) addForm(words, form, groups);
}

const WERDEN = hashWord('werden');

function addParted(phrases: Map<number, Phrase[]>, first: number, particle: number, groups: number): void {
  const known = phrases.get(first) ?? [];
  const same = known.find(({ rest }) => rest.length === 1 && rest[0] === particle);
  if (same === undefined) phrases.set(first, [...known, { rest: [particle], groups }]);
  else same.groups |= groups;
}

/** Adds a form of a verb unless the word is known by itself: `seed` is not the past of `see`. */
function addForm(words: WordTable, form: string, bits: number): void {
  const hash = hashWord(form);
  if (words.kinds(hash) === 0) words.add(hash, bits);
}

function ingForms(verb: string): string[] {
  if (!/^[a-z]{2,}$/.test(verb)) return [];
  if (verb.endsWith('e') && !verb.endsWith('ee')) return [`${verb.slice(0, -1)}ing`];
  const doubled = /^[^aeiou]*[aeiou][bdgmnprt]$/.test(verb) || verb.endsWith('cel') ? [`${verb}${verb.at(-1)}ing`] : [];
  return [`${verb}ing`, ...doubled];
}

function toldForms(verb: string): string[] {
  if (!/^[a-z]{2,}$/.test(verb)) return [];
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb;
  return [`${verb}s`, `${stem}ed`, `${verb}es`, `${stem}er`];
}

/**
 * Adds the words of which every match of the pattern has at least one: its literals, without common words. A marker of invisible
 * or encoded text has none; `hidden.ts` decodes such text.
 */
function addTriggers(words: WordTable, marker: InjectionMarker, bit: number, weak: ReadonlySet<string>): void {
  const literal = marker.pattern.source
    .replace(/\\[bswdnSWD]|\[[^\]]{0,400}\]|\\u\{?[0-9A-Fa-f]{1,6}\}?/g, ' ')
    .replace(/\(\?[:=!<]*/g, ' ');
  const { count, start, end, text } = lex(literal.replace(/\\/g, ''));
  for (let i = 0; i < count; i++) {
    const word = text.slice(start[i]!, end[i]!).toLowerCase();
    if (word.length < 3 || weak.has(word)) continue;
    for (const form of [word, `${word}s`, `${word}ed`, `${word}ing`, `${word}ly`, `${word}n`])
      words.add(hashWord(form), 0, bit);
  }
}

function domainWords(ontology: Ontology): Map<number, string[]> {
  const map = new Map<number, string[]>();
  const vague = new Set(listOf(ontology, 'vague_scopes'));
  const add = (text: string, domain: string): void => {
    for (const word of [text, `${text}s`, `${text}es`, text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}ing`]) {
      const hash = hashWord(word);
      const list = map.get(hash) ?? [];
      if (!list.includes(domain)) map.set(hash, [...list, domain]);
    }
  };
  for (const [name, entry] of ontology.domains) {
    if (!name.includes('_') && name.length > 2 && !vague.has(name)) add(name, entry.domain);
    for (const scope of entry.scopes.keys()) if (!vague.has(scope) && !scope.includes('_')) add(scope, entry.domain);
  }
  for (const [domain, list] of tableOf(ontology, 'domain_words')) for (const word of list) add(word, domain);
  for (const [noun, domain] of domainNouns(ontology)) {
    const known = map.get(hashWord(noun)) ?? [];
    if (!known.includes(domain)) map.set(hashWord(noun), [...known, domain]);
  }
  return map;
}
