/** Ways in which a text serves a crime: words of several sets that stand together, and no word that turns them round. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { baseOf, type Hit, PhraseIndex, type Words, wordsIn } from './phrases.ts';
import { type DataWords, qualifiesData } from './printed.ts';

/** Where a text stands: the user's own words, what the action asks a tool, or what the action tells people. */
export type Speech = 'wish' | 'question' | 'message';

interface Way {
  /** Plain misuse: told deeds of others and what is turned against the crime are left out, and the first sentence may relieve. */
  is_plain: boolean;
  /** Its kind counts where no other way names one. */
  is_general: boolean;
  /** As people read it: «trade in illegal drugs». */
  kind: string;
  /** All of them have to be there; the first one is the act, which a negation cancels. */
  sets: readonly string[];
  /** None of them may stand in the sentences of the match or beside them, where `relieved` is said. */
  reliefs: readonly string[];
  relieved: Speech;
  speeches: readonly Speech[];
  /** Words from the first to the last of the match, within one sentence; -1 where sentences that follow one another count. */
  reach: number;
  /** The words of each set follow those of the one before it. */
  is_ordered: boolean;
  /** The act counts only where a deed is asked for: at the beginning of a sentence, or after a word such as «to» or «and». */
  is_asked: boolean;
}

interface Knowledge {
  index: PhraseIndex;
  /** By the last set, the rarest one. */
  ways: Readonly<Record<Speech, ReadonlyMap<string, readonly Way[]>>>;
  negations: ReadonlySet<string>;
  /** Cancel a relief: what is evaded does not help against the crime. */
  evasions: ReadonlySet<string>;
  /** Before the thing they turn the request against the crime («flag stolen cards»). */
  turners: ReadonlySet<string>;
  /** Before the act they make it a deed of others («how hackers break in»). */
  doers: ReadonlySet<string>;
  /** Before the act they ask for it («to», «and», «please»). */
  askers: ReadonlySet<string>;
  openers: ReadonlySet<string>;
  /** First names that are spelt as an act is. */
  names: ReadonlySet<string>;
  /** Words before an object. */
  articles: ReadonlySet<string>;
  data: DataWords;
}

/** A text to be read: its words and what was found in them. */
interface Found {
  words: Words;
  speech: Speech;
  hits: HitTable;
}

/** A text of a person is read in this many sentences from its end, each of so many characters. */
const MAX_SENTENCES = 40;
const LONGEST = 600;
/** Words of a match in one sentence, where a way does not say otherwise; for what an action itself says. */
const REACH = 12;
const SAID_REACH = 9;
/** Sentences that a match may span if its way reads across them. */
const SENTENCES = 2;
/** Words between a negation and the act that it cancels. */
const NEGATION_REACH = 2;
/** The same for what is turned against the crime, and for a deed of others. */
const TURN_REACH = 2;
const DOER_REACH = 2;
/** Words of a text that is a document. */
const LONG = 200;

/** Tables of ways → where they are looked for; a relief counts in the first place alone. */
const SPEECHES: ReadonlyMap<string, readonly Speech[]> = new Map([
  ['crime_ways', ['wish', 'question', 'message']],
  ['wish_ways', ['wish']],
  ['question_ways', ['wish', 'question']],
  ['message_ways', ['message']],
  ['admission_ways', ['wish']],
  ['plain_ways', ['wish', 'question']],
  ['plain_wishes', ['wish']],
  ['plain_others', ['wish']],
  ['plain_messages', ['message']],
]);
const PLAIN = 'plain_';
const GENERAL = 'plain_others';
const WORDS = ['crime_words', 'admission_words', 'plain_words'];
const KINDS = ['crime_kinds', 'admission_kinds', 'plain_kinds'];

const knowledgeOf = perOntology((ontology): Knowledge => {
  const kinds = new Map(KINDS.flatMap((table) => [...inverseOf(ontology, table)]));
  const ways = [...SPEECHES].flatMap(([table, speeches]) =>
    [...tableOf(ontology, table)].map(([way, row]) => wayOf(kinds.get(way) ?? way, row, speeches, table)),
  );
  const waysOf = (speech: Speech): ReadonlyMap<string, readonly Way[]> =>
    groupedBy(
      ways.filter((way) => way.speeches.includes(speech)),
      (way) => way.sets.at(-1)!,
    );
  const bases = (list: string): string[] => [...setOf(ontology, list)].map(baseOf);
  return {
    index: new PhraseIndex(WORDS.flatMap((table) => [...tableOf(ontology, table)])),
    ways: { wish: waysOf('wish'), question: waysOf('question'), message: waysOf('message') },
    negations: new Set(bases('crime_negations')),
    evasions: new Set([...bases('crime_negations'), ...bases('crime_evasions')]),
    turners: new Set(bases('crime_turners')),
    doers: new Set(bases('crime_doers')),
    askers: new Set(bases('crime_askers')),
    openers: setOf(ontology, 'enquiry_openers'),
    names: setOf(ontology, 'names_like_acts'),
    articles: setOf(ontology, 'object_words'),
    data: {
      nouns: new Set(bases('crime_data')),
      links: new Set(bases('crime_data_links')),
      items: new Set(bases('crime_data_items')),
      roles: new Set(bases('crime_data_roles')),
    },
  };
});

/** `[buying, drugs, -fighting, across]`: two sets, a relief, and that the match may span sentences. */
function wayOf(kind: string, row: readonly string[], speeches: readonly Speech[], table: string): Way {
  const [first] = speeches;
  const isAcross = row.includes('across');
  const within = row.find((part) => part.startsWith('within:'));
  return {
    is_plain: table.startsWith(PLAIN),
    is_general: table === GENERAL,
    kind: kind.replaceAll('_', ' '),
    sets: row.filter((part) => !part.startsWith('-') && !part.startsWith('within:') && !OPTIONS.has(part)),
    reliefs: row.filter((part) => part.startsWith('-')).map((part) => part.slice(1)),
    relieved: first!,
    speeches,
    reach: isAcross ? -1 : within === undefined ? REACH : Number(within.slice('within:'.length)),
    is_ordered: row.includes('ordered'),
    is_asked: row.includes('asked'),
  };
}

const OPTIONS: ReadonlySet<string> = new Set(['across', 'ordered', 'asked']);

/** The hits of a text by set, each in the order of the text. */
class HitTable {
  readonly #bySet: ReadonlyMap<string, readonly Hit[]>;

  constructor(hits: readonly Hit[]) {
    this.#bySet = groupedBy(hits, (hit) => hit.set);
  }

  get sets(): Iterable<string> {
    return this.#bySet.keys();
  }

  has(set: string): boolean {
    return this.#bySet.has(set);
  }

  /** Those of the sentences `from` to `to`, both included. */
  *of(set: string, from = 0, to = MAX_SENTENCES): Generator<Hit> {
    const own = this.#bySet.get(set) ?? [];
    for (let i = firstFrom(own, from); i < own.length && own[i]!.sentence <= to; i += 1) yield own[i]!;
  }
}

/** Index of the first hit that stands in the sentence or after it. */
function firstFrom(hits: readonly Hit[], sentence: number): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hits[middle]!.sentence < sentence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The kind of crime that a text serves, '' if none. */
export function crimeIn(text: string, speech: Speech, ontology: Ontology): string {
  const known = knowledgeOf(ontology);
  const words = wordsIn(withoutNames(text, known), LONGEST, MAX_SENTENCES, known.openers);
  const hits = known.index.hitsIn(words);
  if (hits.length === 0) return '';
  const found: Found = { words, speech, hits: new HitTable(hits) };
  let general = '';
  for (const last of found.hits.sets) {
    for (const way of known.ways[speech].get(last) ?? []) {
      if ((way.is_general && general !== '') || !isWay(way, found, known)) continue;
      if (!way.is_general) return way.kind;
      general = way.kind;
    }
  }
  return general;
}

/** A word with a capital amid words without, and the word behind it. */
const CAPITAL = /(?<=\p{Ll}[,;:)]?\s)(\p{Lu}\p{Ll}{2,9})(?=$|[\s.,;:!?)'’](?:(\p{Ll}{1,12})(?![\p{L}]))?)/gu;

/** «Let Rob know»: amid a sentence a capital makes a name of the word, unless an object follows («and Rob the bank»). */
function withoutNames(text: string, { names, articles }: Knowledge): string {
  return text.replace(CAPITAL, (word, _, next: string | undefined) =>
    names.has(word.toLowerCase()) && (next === undefined || !articles.has(next)) ? 'someone' : word,
  );
}

function isWay(way: Way, found: Found, known: Knowledge): boolean {
  if (!way.sets.every((set) => found.hits.has(set))) return false;
  for (const act of found.hits.of(way.sets[0]!)) {
    if (!isAct(act, way, found, known)) continue;
    const match = matchOf(act, way, found);
    if (match === null || (way.is_plain && isTurned(match, found.words, known.turners))) continue;
    if (found.speech === 'wish' && qualifiesData(match, found.words, known.data)) continue;
    if (!isRelieved(way, match, found, known)) return true;
  }
  return false;
}

function isAct(act: Hit, way: Way, { words }: Found, { negations, doers, askers }: Knowledge): boolean {
  // One word of a document says little: programs and libraries have such names, too.
  const isAsked = way.is_asked || (way.sets.length === 1 && act.from === act.to && words.words.length > LONG);
  if (isAsked && words.sentences[act.from - 1] === act.sentence && !askers.has(words.words[act.from - 1]!))
    return false;
  if (words.is_question[act.sentence] || followsAny(act, words, negations, NEGATION_REACH)) return false;
  return !way.is_plain || !followsAny(act, words, doers, DOER_REACH);
}

/** The act and the first hits of the other sets that are near it, null if one is missing. */
function matchOf(act: Hit, way: Way, found: Found): readonly Hit[] | null {
  const match = [act];
  const span = way.reach < 0 ? SENTENCES : 0;
  for (const set of way.sets.slice(1)) {
    let next: Hit | undefined;
    for (const hit of found.hits.of(set, act.sentence - span, act.sentence + span))
      if (isNear(match, hit, way, found)) {
        next = hit;
        break;
      }
    if (next === undefined) return null;
    match.push(next);
  }
  return match;
}

function isNear(match: readonly Hit[], hit: Hit, way: Way, { words, speech }: Found): boolean {
  const all = [...match, hit];
  if (match.some((known) => known.from <= hit.to && hit.from <= known.to)) return false;
  if (way.is_ordered && hit.from < match.at(-1)!.from) return false;
  if (way.reach < 0) {
    const numbers = all.map(({ sentence }) => sentence);
    return Math.max(...numbers) - Math.min(...numbers) <= SENTENCES;
  }
  if (match[0]!.sentence !== hit.sentence) return false;
  const reach = speech === 'wish' ? way.reach : Math.min(way.reach, SAID_REACH);
  const { places } = words;
  return Math.max(...all.map(({ to }) => places[to]!)) - Math.min(...all.map(({ from }) => places[from]!)) <= reach;
}

/** Whether a word of the set stands at most so many words before the hit, in its sentence. */
function followsAny(
  { from, sentence }: Hit,
  { words, sentences }: Words,
  set: ReadonlySet<string>,
  reach: number,
): boolean {
  for (let i = from - 1; i >= 0 && i >= from - reach && sentences[i] === sentence; i -= 1) {
    if (set.has(words[i]!)) return true;
  }
  return false;
}

/** Whether a word before a part of the match turns the request against the crime; words of the match itself do not. */
function isTurned(match: readonly Hit[], words: Words, turners: ReadonlySet<string>): boolean {
  const isOwn = (at: number): boolean => match.some(({ from, to }) => from <= at && at <= to);
  return match.some(({ from, sentence }) => {
    for (let i = from - 1; i >= 0 && i >= from - TURN_REACH && words.sentences[i] === sentence; i -= 1)
      if (!isOwn(i) && turners.has(words.words[i]!)) return true;
    return false;
  });
}

/**
 * A relief counts in the sentences of the match and beside them; «no police» is none. What an action asks is relieved by nothing,
 * because its author adds words at no cost: a query for forged papers finds them also «for a training». A message is relieved only
 * where words that warn its reader defeat a deceit. A note of the agent is read as a wish: anyone who wants to hide a deed writes none.
 * The first sentence says what a plain request is for.
 */
function isRelieved(way: Way, match: readonly Hit[], { words, speech, hits }: Found, known: Knowledge): boolean {
  if (speech !== way.relieved) return false;
  const numbers = match.map(({ sentence }) => sentence);
  const isRelief = (hit: Hit): boolean =>
    !followsAny(hit, words, known.evasions, NEGATION_REACH) &&
    !match.some(({ from, to }) => from <= hit.from && hit.to <= to);
  const hasRelief = (set: string, from: number, to: number): boolean => {
    for (const hit of hits.of(set, from, to)) if (isRelief(hit)) return true;
    return false;
  };
  return way.reliefs.some(
    (set) =>
      hasRelief(set, Math.min(...numbers) - 1, Math.max(...numbers) + 1) || (way.is_plain && hasRelief(set, 0, 0)),
  );
}

/** Whether the user's words are about the fight against crime, or about a story: what the action then says is a part of that. */
export function speaksAboutCrime(text: string, ontology: Ontology): boolean {
  const { index, openers } = knowledgeOf(ontology);
  return index.hitsIn(wordsIn(text, LONGEST, MAX_SENTENCES, openers)).some(({ set }) => set === 'counters');
}

function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
