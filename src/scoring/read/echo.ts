/** Whether an action does what a sentence from outside orders. */
import type { AgentEvent } from '../types.ts';
import type { ActionReading } from './action.ts';
import { actionWordsOf, mentions } from './action-words.ts';
import type { Argument } from './argument.ts';
import type { Corpus } from './corpus.ts';
import { GROUP_MASK, LEAD, STOPWORD } from './grammar.ts';
import { lex, type Words } from './lexer.ts';
import { locate, type Place } from './locate.ts';
import { readValue } from './normalise.ts';
import { type Order, PLAIN, STEERING } from './orders.ts';
import { outsidePlaces } from './outside-places.ts';
import type { Request } from './request.ts';
import { type Names, namesOf, shareSaid } from './tool-names.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isTellingValue } from './words-of-text.ts';

const MAX_ARGUMENTS = 200;
const LOOKING = new Set(['read', 'list_search', 'authenticate']);
/** `3` stands in every text. */
const SHORTEST_SHARED = 3;

/** Values of the action and where they stand in text from outside, found once for all sentences. */
export interface EchoSearch {
  corpus: Corpus;
  vocabulary: Vocabulary;
  action: ActionReading;
  /** Values that decide something and are not the user's own. */
  foreign: Place[];
  /** Other values that are not the user's. */
  roleless: Place[];
  /** Values that the user gave as well, and short ones. */
  shared: Place[];
  /** Values whose choice the user handed over. */
  delegated: Place[];
  /** Telling words of all values, for sentences that paraphrase. */
  telling: Set<number>;
  /** The same values as text, for decoded and identifier text. */
  texts: string[];
  user_asks: boolean;
  is_looking: boolean;
  is_open_ended: boolean;
  names: Names;
}

export function echoSearch(
  corpus: Corpus,
  vocabulary: Vocabulary,
  action: ActionReading,
  args: readonly Argument[],
  event: AgentEvent,
  request: Request,
): EchoSearch {
  const foreign: Place[] = [];
  const shared: Place[] = [];
  const delegated: Place[] = [];
  const roleless: Place[] = [];
  const telling = new Set<number>();
  const texts: string[] = [];
  for (const arg of args.slice(0, MAX_ARGUMENTS)) {
    if (arg.kind === 'flag' || (arg.kind === 'number' && arg.value.length < 2)) continue;
    // What the agent used before anybody else said it cannot come from there.
    const isForeign = arg.provenance === 'tool' || arg.provenance === 'none';
    const places = outsidePlaces(arg, corpus);
    if (isForeign && arg.is_delegated) delegated.push(...places);
    else if (isForeign && arg.role !== '') foreign.push(...places);
    else if (isForeign && isTellingValue(arg.value, vocabulary.words, 1)) roleless.push(...places);
    else if (!isForeign && arg.value.length >= SHORTEST_SHARED) shared.push(...places);
    if (isForeign && arg.value.length >= 4) texts.push(arg.value.slice(0, 400));
    if (isForeign) addTelling(arg.value, vocabulary, corpus, telling);
  }
  const resourceId = event.target?.resource_id ?? '';
  if (resourceId !== '' && !args.some((arg) => arg.value === resourceId)) {
    const value = readValue(resourceId.slice(0, 2_048), '');
    const isUsers = locate(corpus, 'user', value).length > 0;
    (isUsers ? shared : foreign).push(...locate(corpus, 'tool', value));
  }
  const { own_groups } = actionWordsOf(action, vocabulary);
  const user_asks = (request.groups & own_groups) !== 0;
  return {
    corpus,
    vocabulary,
    action,
    foreign,
    roleless,
    shared,
    delegated,
    telling,
    texts,
    user_asks,
    is_looking: LOOKING.has(action.effective_group),
    is_open_ended: request.is_open_ended,
    names: namesOf(event, action),
  };
}

/** Words of a value that the user did not use. */
function addTelling(text: string, { words: table }: Vocabulary, corpus: Corpus, into: Set<number>): void {
  const words = lex(text.slice(0, 2_048));
  for (let i = 0; i < words.count; i++) {
    const hash = words.hash[i]!;
    if (words.end[i]! - words.start[i]! < 4 || (table.kinds(hash) & STOPWORD) !== 0) continue;
    if (!corpus.user.has(hash)) into.add(hash);
  }
}

export function isEchoed(order: Order, search: EchoSearch): boolean {
  const action = actionWordsOf(search.action, search.vocabulary);
  const said = mentions(order.words, order.from, order.to, action);
  const isSteering = order.strength >= STEERING;
  // Whoever hands the whole task to a source wants its plain sentences followed.
  if (search.is_open_ended && !isSteering) return false;
  const hasForeign = order.is_decoded ? holdsText(order, search) : holdsForeign(order, search, isSteering);
  if (said.has_tool || (hasForeign && isSteering)) return true;
  const namesEffect = (order.groups & action.groups) !== 0 || said.has_verb;
  if (!namesEffect && said.objects === 0) return false;
  if (hasForeign) return true;
  // What the user left to a source is followed on the user's word, unless the source poses as somebody else.
  if (isSteering && search.delegated.some((p) => isIn(p, order))) return true;
  // A value that is the user's too proves nothing, unless the user did not ask for this at all.
  if (namesEffect && !search.user_asks && search.shared.some((p) => isIn(p, order))) return true;
  if (isSteering && namesEffect && isAnswer(order, search)) return true;
  const namesOwnEffect = (order.groups & action.own_groups) !== 0 || said.has_verb;
  return namesOwnEffect && isParaphrase(order, search, shareSaid(order.words, order.from, order.to, search.names));
}

/** If the user asked for such an act, a plain sentence of a source may well give its circumstances. */
function holdsForeign(order: Order, search: EchoSearch, isSteering: boolean): boolean {
  if (search.foreign.some((p) => isIn(p, order))) return true;
  return (isSteering || !search.user_asks) && search.roleless.some((p) => isIn(p, order));
}

function isIn(place: Place, order: Order): boolean {
  return place.word >= order.passage_from && place.word < order.passage_to;
}

function holdsText(order: Order, search: EchoSearch): boolean {
  const text = slice(order.words, order.from, order.passage_to).toLowerCase();
  return search.texts.some((value) => text.includes(value.toLowerCase()));
}

/** No value in common, but the words are: verb and object both named, and nothing of it in the user's mouth. */
function isParaphrase(order: Order, search: EchoSearch, share: number): boolean {
  if (search.user_asks && share < 1) return false;
  let shared = 0;
  for (let i = order.from; i < order.passage_to; i++) if (search.telling.has(order.words.hash[i]!)) shared++;
  if (shared >= 3 || (shared >= 2 && share > 0)) return true;
  // Pages tell their readers to sign in or to find a file: without a marker that is no order to the agent.
  if (order.strength <= PLAIN || share < 0.5) return false;
  return ![...search.names.objects].some((hash) => search.corpus.user.has(hash));
}

/** Words around a value that tell what it stands for: `P020` beside «Mechanical Pencil Set». */
const RECORD = 12;

/** A value was looked up for the order: its record bears the words that the order used and the user did not. */
function isAnswer(order: Order, search: EchoSearch): boolean {
  const wanted = orderedThings(order, search);
  if (wanted.size === 0) return false;
  const need = wanted.size <= 3 ? 1 : 2;
  const { tool } = search.corpus;
  return [...search.foreign, ...search.roleless].some((place) => {
    if (order.is_decoded || isIn(place, order)) return false;
    const { first, last } = tool.stretchOf(place.word);
    const found = new Set<number>();
    const to = Math.min(last, place.word + place.length + RECORD);
    for (let word = Math.max(first, place.word - RECORD); word < to; word++) {
      const isOrder = word >= order.passage_from && word < order.passage_to;
      const hash = search.corpus.words.hash[word]!;
      if (!isOrder && wanted.has(hash)) found.add(hash);
    }
    return found.size >= need;
  });
}

function orderedThings(order: Order, { corpus, vocabulary, action }: EchoSearch): Set<number> {
  const { words } = order;
  const { objects } = actionWordsOf(action, vocabulary);
  const wanted = new Set<number>();
  for (let i = order.passage_from; i < order.to; i++) {
    const hash = words.hash[i]!;
    if (words.end[i]! - words.start[i]! < 4 || (vocabulary.words.kinds(hash) & (STOPWORD | GROUP_MASK | LEAD)) !== 0)
      continue;
    if (!objects.has(hash) && !corpus.user.has(hash)) wanted.add(hash);
  }
  return wanted;
}

/** The words of an order as they stand. */
export function slice(words: Words, from: number, to: number): string {
  if (to <= from || words.count === 0) return '';
  return words.text.slice(words.start[from]!, words.end[Math.min(to, words.count) - 1]!);
}
