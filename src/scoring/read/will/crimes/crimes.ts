/** Ways in which a text serves a crime: words of several sets that stand together, and no word that turns them round. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { baseOf, type Hit, PhraseIndex, type Words, wordsIn } from './phrases.ts';

/** Where a text stands: the user's own words, what the action asks a tool, or what the action tells people. */
export type Speech = 'wish' | 'question' | 'message';

interface Way {
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
}

interface Knowledge {
  index: PhraseIndex;
  /** By the last set, the rarest one. */
  ways: ReadonlyMap<string, readonly Way[]>;
  negations: ReadonlySet<string>;
  openers: ReadonlySet<string>;
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

/** Tables of ways → where they are looked for; a relief counts in the first place alone. */
const SPEECHES: ReadonlyMap<string, readonly Speech[]> = new Map([
  ['crime_ways', ['wish', 'question', 'message']],
  ['wish_ways', ['wish']],
  ['question_ways', ['wish', 'question']],
  ['message_ways', ['message']],
  ['admission_ways', ['wish']],
]);

const knowledgeOf = perOntology((ontology): Knowledge => {
  const kinds = new Map([...inverseOf(ontology, 'crime_kinds'), ...inverseOf(ontology, 'admission_kinds')]);
  const ways = [...SPEECHES].flatMap(([table, speeches]) =>
    [...tableOf(ontology, table)].map(([way, row]) => wayOf(kinds.get(way) ?? way, row, speeches)),
  );
  return {
    index: new PhraseIndex([...tableOf(ontology, 'crime_words'), ...tableOf(ontology, 'admission_words')]),
    ways: groupedBy(ways, (way) => way.sets.at(-1)!),
    negations: new Set([...setOf(ontology, 'crime_negations')].map(baseOf)),
    openers: setOf(ontology, 'enquiry_openers'),
  };
});

/** `[buying, drugs, -fighting, across]`: two sets, a relief, and that the match may span sentences. */
function wayOf(kind: string, row: readonly string[], speeches: readonly Speech[]): Way {
  const [first] = speeches;
  const isAcross = row.includes('across');
  const within = row.find((part) => part.startsWith('within:'));
  return {
    kind: kind.replaceAll('_', ' '),
    sets: row.filter((part) => !part.startsWith('-') && !part.startsWith('within:') && part !== 'across'),
    reliefs: row.filter((part) => part.startsWith('-')).map((part) => part.slice(1)),
    relieved: first!,
    speeches,
    reach: isAcross ? -1 : within === undefined ? REACH : Number(within.slice('within:'.length)),
  };
}

/** The kind of crime that a text serves, '' if none. */
export function crimeIn(text: string, speech: Speech, ontology: Ontology): string {
  const { index, ways, negations, openers } = knowledgeOf(ontology);
  const words = wordsIn(text, LONGEST, MAX_SENTENCES, openers);
  const hits = index.hitsIn(words);
  if (hits.length === 0) return '';
  const bySet = groupedBy(hits, (hit) => hit.set);
  for (const last of bySet.keys()) {
    for (const way of ways.get(last) ?? []) {
      if (way.speeches.includes(speech) && isWay(way, bySet, words, negations, speech)) return way.kind;
    }
  }
  return '';
}

function isWay(
  way: Way,
  bySet: ReadonlyMap<string, readonly Hit[]>,
  words: Words,
  negations: ReadonlySet<string>,
  speech: Speech,
): boolean {
  if (!way.sets.every((set) => bySet.has(set))) return false;
  const acts = bySet
    .get(way.sets[0]!)!
    .filter((act) => !words.is_question[act.sentence] && !isNegated(act, words, negations));
  return acts.some((act) => {
    const match = [act];
    for (const set of way.sets.slice(1)) {
      const next = bySet.get(set)!.find((hit) => isNear(match, hit, way, speech));
      if (next === undefined) return false;
      match.push(next);
    }
    return !isRelieved(way, match, bySet, words, negations, speech);
  });
}

function isNear(match: readonly Hit[], hit: Hit, way: Way, speech: Speech): boolean {
  const all = [...match, hit];
  if (match.some((known) => known.from <= hit.to && hit.from <= known.to)) return false;
  if (way.reach < 0) {
    const numbers = all.map(({ sentence }) => sentence);
    return Math.max(...numbers) - Math.min(...numbers) <= SENTENCES;
  }
  if (match[0]!.sentence !== hit.sentence) return false;
  const reach = speech === 'wish' ? way.reach : Math.min(way.reach, SAID_REACH);
  return Math.max(...all.map(({ to }) => to)) - Math.min(...all.map(({ from }) => from)) <= reach;
}

function isNegated(act: Hit, { words, sentences }: Words, negations: ReadonlySet<string>): boolean {
  for (let i = act.from - 1; i >= 0 && i >= act.from - NEGATION_REACH && sentences[i] === act.sentence; i -= 1)
    if (negations.has(words[i]!)) return true;
  return false;
}

/**
 * A relief counts in the sentences of the match and beside them; «no police» is none. What an action asks is relieved by nothing,
 * because its author adds words at no cost: a query for forged papers finds them also «for a training». A message is relieved only
 * where words that warn its reader defeat a deceit. A note of the agent is read as a wish: whoever wants to hide a deed writes none.
 */
function isRelieved(
  way: Way,
  match: readonly Hit[],
  bySet: ReadonlyMap<string, readonly Hit[]>,
  words: Words,
  negations: ReadonlySet<string>,
  speech: Speech,
): boolean {
  if (speech !== way.relieved) return false;
  const numbers = match.map(({ sentence }) => sentence);
  const first = Math.min(...numbers) - 1;
  const last = Math.max(...numbers) + 1;
  return way.reliefs.some((relief) =>
    bySet
      .get(relief)
      ?.some(
        (hit) =>
          hit.sentence >= first &&
          hit.sentence <= last &&
          !isNegated(hit, words, negations) &&
          !match.some((known) => known.from <= hit.from && hit.to <= known.to),
      ),
  );
}

/** Whether the user's words are about the fight against crime, or about a story: what the action then says is a part of that. */
export function speaksAboutCrime(text: string, ontology: Ontology): boolean {
  const { index, openers } = knowledgeOf(ontology);
  return index.hitsIn(wordsIn(text, LONGEST, MAX_SENTENCES, openers)).some(({ set }) => set === 'counters');
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
