/**
 * Sentences of text from outside that order something, with their injection markers. They do not depend on the action at
 * hand: `instructions.ts` compares them with it, and other readings do not trust a value that is in such a sentence.
 */
import type { Ontology } from '../../../ontology/index.ts';
import { GROUP_MASK, TABLED } from '../words/grammar/grammar.ts';
import { orderedGroups, sentenceEnd } from '../words/grammar/imperative.ts';
import { looseGroups, OBLIGES } from '../words/grammar/obligation.ts';
import { BREAK, lex, type Words } from '../words/lexer.ts';
import { MarkerSearch } from '../words/markers.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';
import { type Corpus, corpusOf, type Stretch } from './corpus.ts';
import { type HiddenPart, hiddenParts, mayBeEncoded } from './hidden/hidden.ts';
import { withoutOwnEchoes } from './own-echoes.ts';
import { memoOf, type TextReading } from './text.ts';

export interface Order {
  /** The text of the words: the conversation's own, or one decoded from it. */
  words: Words;
  /** Words of the sentence, `to` exclusive. */
  from: number;
  to: number;
  /** Words of the passage around it, for values that stand in the next sentence. */
  passage_from: number;
  passage_to: number;
  /** Verb groups that it orders, as bits of the ontology's order. */
  groups: number;
  /** An obligation or a request in other words than an order: its verbs may stand in any form and place. */
  is_loose: boolean;
  strength: number;
  markers: string[];
  /** Index of the sentence's passage, -1 for decoded text. */
  stretch: Stretch;
  is_decoded: boolean;
  is_fenced: boolean;
}

/** Strength of an order without any marker: many attacks are no more than that, and so are most web pages. */
export const PLAIN = 0.15;
/** From this strength on a sentence is taken to address the agent and not a reader: its values are not the document's data. */
export const STEERING = 0.5;
const WEAK_ALONE = 0.4;
const HIDDEN_BONUS = 0.5;
/** Limit for visible orders, and the same for hidden ones. */
const MAX_ORDERS = 2_000;
/** Limit for different hidden parts of all messages together. */
const MAX_HIDDEN_PARTS = 2_048;

/** The orders of a conversation, and whether a limit left some of its text unsearched. */
interface FoundOrders {
  orders: Order[];
  loose: Order[];
  was_cut: boolean;
}

export function ordersOf(text: TextReading, ontology: Ontology): Order[] {
  return foundOrders(text, ontology).orders;
}

/** Sentences that say what has to be done, or ask for it, and are no orders by their grammar. They count only where followed. */
export function looseOrdersOf(text: TextReading, ontology: Ontology): Order[] {
  return foundOrders(text, ontology).loose;
}

/** Whether a limit left text from outside unsearched for orders. */
export function ordersWereCut(text: TextReading, ontology: Ontology): boolean {
  return text.untrusted.length > 0 && foundOrders(text, ontology).was_cut;
}

function foundOrders(text: TextReading, ontology: Ontology): FoundOrders {
  const vocabulary = vocabularyOf(ontology);
  return memoOf(text).get(vocabulary.keys.orders, () => {
    const found = findOrders(corpusOf(text), vocabulary);
    return {
      orders: withoutOwnEchoes(found.orders, text),
      loose: withoutOwnEchoes(found.loose, text),
      was_cut: found.was_cut,
    };
  });
}

/** The orders in one piece of text that is not part of the conversation (an identifier, a decoded part). */
export function ordersInText(content: string, ontology: Ontology): Order[] {
  const vocabulary = vocabularyOf(ontology);
  const words = lex(content.slice(0, 4_096));
  const segment = { speaker: 'tool' as const, text: content, index: -1, source: '' };
  const stretch: Stretch = { segment, from: 0, to: words.text.length, first: 0, last: words.count };
  const orders: Order[] = [];
  new OrderSearch(words, vocabulary, new MarkerSearch(vocabulary), orders).read(stretch);
  return orders;
}

function findOrders(corpus: Corpus, vocabulary: Vocabulary): FoundOrders {
  const orders: Order[] = [];
  const loose: Order[] = [];
  const { tool } = corpus;
  const { words } = tool;
  if (tool.is_empty) return { orders, loose, was_cut: false };
  const search = new OrderSearch(words, vocabulary, new MarkerSearch(vocabulary), orders, loose);
  const hidden = new HiddenSearch(words, vocabulary, orders);
  for (const stretch of tool.stretches) {
    search.read(stretch);
    if (mayHide(words, stretch)) hidden.read(stretch);
  }
  return { orders, loose, was_cut: hidden.was_cut || search.was_cut || search.markers.was_cut };
}

function mayHide(words: Words, { segment }: Stretch): boolean {
  return words.has_invisible || words.longest >= 16 || segment.text.includes('<') || mayBeEncoded(segment.text);
}

/** Adds the orders of hidden parts. They have limits of their own, so that visible text cannot use theirs up. */
class HiddenSearch {
  readonly #words: Words;
  readonly #vocabulary: Vocabulary;
  readonly #orders: Order[];
  #parts = 0;
  #found = 0;
  /** Not all hidden parts were read. */
  was_cut = false;

  constructor(words: Words, vocabulary: Vocabulary, orders: Order[]) {
    this.#words = words;
    this.#vocabulary = vocabulary;
    this.#orders = orders;
  }

  read(stretch: Stretch): void {
    const { parts, was_cut } = hiddenParts(stretch.segment.text, this.#vocabulary.ontology);
    if (was_cut) this.was_cut = true;
    // The same words hidden twice in one message order the same.
    const known = new Map<string, string>();
    for (const part of parts) {
      if (known.get(part.text) === part.technique) continue;
      known.set(part.text, part.technique);
      if (this.#parts >= MAX_HIDDEN_PARTS || this.#found >= MAX_ORDERS) {
        this.was_cut = true;
        return;
      }
      this.#parts += 1;
      for (const order of this.#ordersIn(part, stretch)) {
        this.#found += 1;
        this.#orders.push(order);
      }
    }
  }

  #ordersIn(part: HiddenPart, stretch: Stretch): Order[] {
    const found: Order[] = [];
    const words = lex(part.text);
    const whole: Stretch = { ...stretch, from: 0, to: part.text.length, first: 0, last: words.count };
    new OrderSearch(words, this.#vocabulary, new MarkerSearch(this.#vocabulary), found).read(whole);
    if (found.length > 0) return found.map((order) => asHidden(order, part, stretch));
    return part.is_telling ? [unreadable(part, stretch, this.#words)] : [];
  }
}

function asHidden(order: Order, part: HiddenPart, stretch: Stretch): Order {
  const markers = [...new Set([part.technique, ...order.markers])];
  return {
    ...order,
    stretch,
    markers,
    strength: Math.min(1, order.strength + HIDDEN_BONUS),
    is_decoded: true,
    is_fenced: false,
  };
}

/** The order that stands for hidden text without a readable one: hiding is a finding by itself. */
function unreadable(part: HiddenPart, stretch: Stretch, words: Words): Order {
  const { first, last } = stretch;
  const decoded = lex(part.text);
  return {
    words: decoded.count > 0 ? decoded : words,
    from: decoded.count > 0 ? 0 : first,
    to: decoded.count > 0 ? Math.min(decoded.count, 40) : Math.min(first + 20, last),
    passage_from: 0,
    passage_to: decoded.count,
    groups: 0,
    is_loose: false,
    strength: part.strength,
    markers: [part.technique],
    stretch,
    is_decoded: true,
    is_fenced: false,
  };
}

interface Sentence {
  from: number;
  to: number;
  groups: number;
  /** What it asks for in other words. */
  loose: number;
  triggers: number;
  marks: number;
  /** Preceded by a blank line, a tag or the border of a JSON value. */
  is_new: boolean;
}

/** Collects the orders of a stretch. Markers of a sentence count for its neighbours too. */
class OrderSearch {
  readonly words: Words;
  readonly vocabulary: Vocabulary;
  readonly markers: MarkerSearch;
  readonly orders: Order[];
  readonly loose: Order[];
  /** More orders were found than are kept. */
  was_cut = false;

  constructor(words: Words, vocabulary: Vocabulary, markers: MarkerSearch, orders: Order[], loose: Order[] = orders) {
    this.words = words;
    this.vocabulary = vocabulary;
    this.markers = markers;
    this.orders = orders;
    this.loose = loose;
  }

  read(stretch: Stretch): void {
    const sentences = this.#sentences(stretch);
    const fences = fencesOf(stretch.segment.text);
    for (const [n, sentence] of sentences.entries()) {
      const marks = around(sentences, n);
      const isLoose =
        sentence.groups === 0 && (sentence.marks === 0 || this.markers.strength(sentence.marks) < WEAK_ALONE);
      if (isLoose && sentence.loose === 0) continue;
      const into = isLoose ? this.loose : this.orders;
      if (into.length >= MAX_ORDERS) {
        this.was_cut = true;
        return;
      }
      const strength = Math.max(this.markers.strength(marks), sentence.groups !== 0 || isLoose ? PLAIN : 0);
      const next = sentences[n + 1] ?? sentence;
      const isMarked = sentence.marks !== 0 || strength >= STEERING;
      const previous =
        (isMarked || this.#refersBack(sentence)) && !sentence.is_new ? (sentences[n - 1] ?? sentence) : sentence;
      into.push({
        words: this.words,
        from: sentence.from,
        to: sentence.to,
        passage_from: previous.from,
        passage_to: next.to,
        groups: isLoose ? sentence.loose & GROUP_MASK : sentence.groups,
        is_loose: isLoose,
        strength,
        markers: this.markers.names(marks),
        stretch,
        is_decoded: false,
        is_fenced: isFenced(fences, this.words.start[sentence.from]! - stretch.from),
      });
    }
  }

  /** «I need a lamp. Please buy one»: what is ordered stands in the sentence before. */
  #refersBack({ from, to }: Sentence): boolean {
    const referring = hashedList(this.vocabulary.ontology, 'referring_words');
    for (let i = from; i < to; i++) if (referring.has(this.words.hash[i]!)) return true;
    return false;
  }

  #sentences({ first, last, from, to }: Stretch): Sentence[] {
    const { words } = this;
    const { words: table } = this.vocabulary;
    const { hash } = words;
    const found: Sentence[] = [];
    const opened = new Set<number>();
    for (let start = first; start < last; ) {
      const end = sentenceEnd(words, start, last);
      const tag = tagAt(words, start);
      const isTag = tag !== 'none';
      if (tag === 'opening') opened.add(hash[start]!);
      let groups = 0;
      let loose = 0;
      let triggers = 0;
      for (let i = start; i < end; i++) {
        const bits = table.get(hash[i]!);
        if (bits === undefined) continue;
        triggers |= bits.marks;
        if (isTag) continue;
        if ((bits.kinds & GROUP_MASK) !== 0) groups |= orderedGroups(words, this.vocabulary, i, start, end);
        if ((bits.kinds & (GROUP_MASK | TABLED)) !== 0) loose |= looseGroups(words, this.vocabulary, i, end);
      }
      if ((loose & OBLIGES) === 0) loose = 0;
      const wanted = groups === 0 ? triggers & ~this.markers.imperative : triggers;
      // A closing tag whose opening tag was seen has no markers; one without an opening tag may forge a border.
      const isClosed = tag === 'closing' && opened.has(hash[start]!);
      const marks = wanted === 0 || isClosed ? 0 : this.markers.find(this.#window(start, end, last, from, to), wanted);
      const is_new = start === first || words.gap[start] === BREAK;
      if (groups !== 0 || loose !== 0 || marks !== 0 || found.length > 0)
        found.push({ from: start, to: end, groups, loose, triggers, marks, is_new });
      start = end;
    }
    return found;
  }

  /** The text of the sentence with the signs around it: a tag, a bracket, a colon. */
  #window(start: number, end: number, last: number, from: number, to: number): string {
    const { words } = this;
    const left = start === 0 ? from : Math.max(from, words.end[start - 1]!);
    const right = end >= last ? to : words.start[end]!;
    return words.text.slice(Math.max(left, words.start[start]! - 24), right);
  }
}

/** Name and attributes of a tag, `<label for="email">`: it holds no sentence. */
function tagAt(words: Words, start: number): 'opening' | 'closing' | 'none' {
  const at = words.start[start]! - 1;
  const before = words.text.charCodeAt(at);
  if (before === 0x3c) return 'opening';
  return before === 0x2f && words.text.charCodeAt(at - 1) === 0x3c ? 'closing' : 'none';
}

/**
 * Markers of the sentence and of its neighbours in the same piece of text: of the two before and the one after. Beyond a border
 * only markers of a sentence that itself orders nothing count, because it announces what follows: «<system>», «do this
 * first:». Other text before the border may have another author.
 */
function around(sentences: readonly Sentence[], n: number): number {
  const sentence = sentences[n]!;
  let { marks } = sentence;
  const after = sentences[n + 1];
  if (after !== undefined && !after.is_new) marks |= after.marks;
  let isBeyond = sentence.is_new;
  for (let i = n - 1; i >= 0 && i >= n - 2; i--) {
    const before = sentences[i]!;
    if (!isBeyond || before.groups === 0) marks |= before.marks;
    isBeyond ||= before.is_new;
  }
  return marks;
}

function fencesOf(text: string): number[] {
  const fences: number[] = [];
  for (let at = text.indexOf('```'); at >= 0; at = text.indexOf('```', at + 3)) fences.push(at);
  return fences;
}

/** Whether the place is between an opening and a closing fence. An unclosed fence does not count. */
function isFenced(fences: number[], at: number): boolean {
  let from = 0;
  let to = fences.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fences[middle]! < at) from = middle + 1;
    else to = middle;
  }
  return from % 2 === 1 && from < fences.length;
}
