/** The ontology's words, compiled once for reading requests and instructions. */
import type { InjectionMarker, Ontology } from '../../../ontology/index.ts';
import { GRAMMAR, GROUP_MASK, ING, IRREGULAR, NOUN_LIKE, NOUNISH, TABLED, TOLD } from './grammar.ts';
import { hashWord, lex } from './lexer.ts';
import { ROLES_BY_WORD } from './sources.ts';
import { LIGHT_IN_REQUESTS, SYNONYMS } from './verb-words.ts';
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
  markers: readonly InjectionMarker[];
  bitOf: (group: string) => number;
  /** Under these a text keeps what was read with this vocabulary. */
  keys: { orders: object; request: object };
}

const COMPILED = new WeakMap<Ontology, Vocabulary>();

export function vocabularyOf(ontology: Ontology): Vocabulary {
  const known = COMPILED.get(ontology);
  if (known !== undefined) return known;
  const made = compile(ontology);
  COMPILED.set(ontology, made);
  return made;
}

/** Verb groups as names. */
export function groupNames(ontology: Ontology, groups: number): string[] {
  return groups === 0 ? [] : ontology.group_danger_order.filter((_, i) => (groups & (1 << i)) !== 0);
}

/** How people ask for an effect in words that are not names of verbs. */
const ASKED: Readonly<Record<string, string>> = {
  read: 'visit look tell summarise summarize know learn browse access provide obtain',
  list_search: 'locate determine calculate figure identify recommend suggest research investigate calculate',
  create: 'save store schedule put compose establish arrange initiate organise organize',
  update: 'adjust complete finish apply convert resolve improve implement',
  transfer_pay: 'rebuy repurchase checkout deposit withdraw reimburse spend topup upgrade',
  send: 'contact inform answer ask greet thank',
  execute: 'download install process handle perform solve reproduce',
  grant_escalate: 'invite revoke',
  configure: 'activate deactivate setup switch',
  authenticate: 'login signin verify',
};

const PHRASES: Readonly<Record<string, string[]>> = {
  transfer_pay: ['top up', 'check out', 'place an order', 'place the order', 'make a payment', 'make a transfer'],
  authenticate: ['log in', 'sign in', 'log into', 'sign into'],
  send: ['reach out', 'get in touch', 'write to'],
  create: ['fill out', 'fill in', 'sign up'],
  grant_escalate: ['the role', 'a role', 'access to', 'the permission', 'permission to', 'rights to', 'rights on'],
  read: ['how much', 'how many', 'find out', 'go to', 'tell me', 'let me know', 'show me', 'give me'],
};

/** Words that tables of tool names list as verbs and that sentences use otherwise. */
const NOT_VERBS = new Set(['new', 'is', 'has', 'mean', 'which', 'ver', 'logarithm', 'round', 'exists', 'para', 'give']);

function compile(ontology: Ontology): Vocabulary {
  const words = new WordTable();
  const phrases = new Map<number, Phrase[]>();
  const bits = new Map(ontology.group_danger_order.slice(0, 21).map((group, at) => [group, 1 << at]));
  const bitOf = (group: string): number => bits.get(group) ?? 0;
  const add = (text: string, groups: number): void => {
    if (!NOT_VERBS.has(text)) addVerb(words, phrases, text, groups);
  };
  for (const verb of ontology.verbs.values()) add(verb.verb.replaceAll('_', ' '), bitOf(verb.group));
  for (const [group, list] of ontology.intent_words) for (const word of list) add(word, bitOf(group));
  for (const [word, verb] of SYNONYMS) add(word, bitOf(ontology.verbs.get(verb)?.group ?? ''));
  for (const [group, list] of Object.entries(ASKED)) for (const word of list.split(' ')) add(word, bitOf(group));
  for (const [group, list] of Object.entries(PHRASES)) for (const phrase of list) add(phrase, bitOf(group));
  for (const [past, verb] of IRREGULAR) addForm(words, past, (words.kinds(hashWord(verb)) & GROUP_MASK) | TOLD);
  for (const [bits, list] of GRAMMAR) for (const word of list) words.add(hashWord(word), bits);
  for (const word of NOUN_LIKE) words.add(hashWord(word), NOUNISH);
  const markers = ontology.injection_markers.slice(0, 31);
  for (const [i, marker] of markers.entries()) addTriggers(words, marker, 1 << i);
  const domains = domainWords(ontology);
  // Last, because a word that has bits already gets no others as a form of a verb.
  for (const table of [domains, phrases, ROLES_BY_WORD]) for (const hash of table.keys()) words.add(hash, TABLED);
  for (const verb of LIGHT_IN_REQUESTS) words.add(hashWord(verb), TABLED);
  return {
    ontology,
    words,
    phrases,
    domains,
    markers,
    bitOf,
    keys: { orders: {}, request: {} },
  };
}

function addVerb(words: WordTable, phrases: Map<number, Phrase[]>, text: string, groups: number): void {
  if (groups === 0) return;
  const { hash, count } = lex(text);
  if (count === 0) return;
  const first = hash[0]!;
  if (count > 1) {
    const rest = [...hash.slice(1, count)];
    phrases.set(first, [...(phrases.get(first) ?? []), { rest, groups }]);
    return;
  }
  words.add(first, groups);
  for (const form of ingForms(text)) addForm(words, form, groups | ING);
  for (const form of toldForms(text)) addForm(words, form, form.endsWith('ed') ? groups | TOLD : TOLD);
}

/** A form is not allowed to disguise a word that is a verb by itself: `seed` is not the past of `see`. */
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
 * Words one of which stands in every match of the pattern: its own literals, without grammar. A marker of invisible or
 * encoded text has none; such text is taken apart in `hidden.ts`.
 */
function addTriggers(words: WordTable, marker: InjectionMarker, bit: number): void {
  const literal = marker.pattern.source
    .replace(/\\[bswdnSWD]|\[[^\]]*\]|\\u\{?[0-9A-Fa-f]+\}?/g, ' ')
    .replace(/\(\?[:=!<]*/g, ' ');
  const { count, start, end, text } = lex(literal.replace(/\\/g, ''));
  for (let i = 0; i < count; i++) {
    const word = text.slice(start[i]!, end[i]!).toLowerCase();
    if (word.length < 3 || COMMON.has(word)) continue;
    for (const form of [word, `${word}s`, `${word}ed`, `${word}ing`, `${word}ly`, `${word}n`])
      words.add(hashWord(form), 0, bit);
  }
}

const COMMON = new Set(
  'the all you your and for not have has can with into from this that user says asks types every time each when now let'.split(
    ' ',
  ),
);

function domainWords(ontology: Ontology): Map<number, string[]> {
  const map = new Map<number, string[]>();
  const add = (text: string, domain: string): void => {
    for (const word of [text, `${text}s`, `${text}es`, text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}ing`]) {
      const hash = hashWord(word);
      const list = map.get(hash) ?? [];
      if (!list.includes(domain)) map.set(hash, [...list, domain]);
    }
  };
  for (const [name, entry] of ontology.domains) {
    if (!name.includes('_') && name.length > 2 && !VAGUE_SCOPES.has(name)) add(name, entry.domain);
    for (const scope of entry.scopes.keys())
      if (!VAGUE_SCOPES.has(scope) && !scope.includes('_')) add(scope, entry.domain);
  }
  for (const [domain, list] of Object.entries(DOMAIN_WORDS)) for (const word of list.split(' ')) add(word, domain);
  return map;
}

/** Scopes that stand in many domains and so tell none. */
const VAGUE_SCOPES = new Set(
  'user account action object record event case state link function config resource key token history place setting job x im os box time clock exchange actions store home docs profile'.split(
    ' ',
  ),
);

/** How people speak of a domain without its name. */
const DOMAIN_WORDS: Readonly<Record<string, string>> = {
  email: 'email inbox mailbox newsletter sender',
  payment: 'bill fee rent payment money dollar euro subscription receipt deposit owe refund reimbursement',
  bank: 'bill money iban payment rent transaction balance salary dollar euro',
  ecommerce: 'item cart order shopping purchase discount coupon delivery buy headphones shop store product invoice',
  web: 'website webpage link url article browse homepage online',
  browser: 'website webpage link url browse',
  file: 'folder file directory document path txt csv pdf',
  drive: 'folder file document spreadsheet attachment',
  calendar: 'calendar meeting appointment schedule reminder invitation event',
  messaging: 'message channel chat dm',
  contacts: 'contact phonebook colleague',
  travel: 'flight hotel trip restaurant reservation airline baggage passenger ticket vacation',
  health: 'doctor appointment patient prescription medication clinic',
  social: 'tweet post profile hashtag follower',
  smart_home: 'lamp light thermostat door lock alarm camera device',
  iam: 'password login username permission credential',
  repo: 'repository commit branch readme',
  shell: 'terminal process program script system server',
};
