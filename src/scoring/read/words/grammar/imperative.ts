/** Whether a word with the form of a verb is an order in its sentence. */
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { CLAUSE, hashWord, SENTENCE, SPACED, type Words } from '../lexer.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { hashedList } from '../word-lists.ts';
import type { WordTable } from '../word-table.ts';
import { BEFORE_NOUN, GROUP_MASK, ING, LEAD, MODAL, NOUNISH, OBJECT, TOLD, YOU } from './grammar.ts';

const TO = hashWord('to');
const BE = hashWord('be');
const MIND = hashWord('mind');
const LET = hashWord('let');
const S = hashWord('s');
const PLEASE = hashWord('please');

const wordsOf = perOntology((ontology) => ({
  addressed: hashedList(ontology, 'addressed'),
  using: hashedList(ontology, 'using_verbs'),
  asking: hashedList(ontology, 'asking_before_to'),
  stating: hashedList(ontology, 'stating_before_to'),
  wishing: hashedList(ontology, 'wishing'),
  speakers: hashedList(ontology, 'speakers'),
  having: hashedList(ontology, 'having_done'),
  copulas: hashedList(ontology, 'state_copulas'),
}));

/** The verb groups (as bits) that the word at `i` orders, 0 if it is not an order. The sentence has the words `from` to `to` - 1. */
export function orderedGroups(words: Words, vocabulary: Vocabulary, i: number, from: number, to: number): number {
  const { words: table } = vocabulary;
  const kinds = table.kinds(words.hash[i]!);
  const groups = kinds & GROUP_MASK;
  if (groups === 0 || i + 1 >= to) return 0;
  if ((kinds & TOLD) !== 0) return isDemandedPassive(words, table, i, from) ? groups : 0;
  if ((kinds & ING) !== 0) return i > from && words.hash[i - 1] === MIND ? groups : 0;
  const gapAfter = words.gap[i + 1]!;
  if (gapAfter !== SPACED && !(gapAfter === CLAUSE && isQuoteOrLine(words, i))) return 0;
  const lead = leadBefore(words, vocabulary, i, from);
  if (lead === 0) return 0;
  // «Order history», «Email: …»: at the start of a clause such a word is as likely a noun, so an object must follow.
  if (lead === 1 && (kinds & NOUNISH) !== 0 && (table.kinds(words.hash[i + 1]!) & OBJECT) === 0) return 0;
  return groups;
}

/** «must be sent», «needs to be deleted». */
export function isDemandedPassive(words: Words, table: WordTable, i: number, from: number): boolean {
  if (i - 2 < from || words.hash[i - 1] !== BE) return false;
  const before = words.hash[i - 2]!;
  return before === TO || (table.kinds(before) & MODAL) !== 0;
}

/** Words between a wish and the state that is wished for. */
const WISH_REACH = 8;

/** «I'd like the old branch removed», «get it refunded»: a state at the end of a clause that the user wishes for. */
export function isWishedState(words: Words, { ontology }: Vocabulary, i: number, from: number, to: number): boolean {
  if (i + 1 < to && words.gap[i + 1]! < CLAUSE) return false;
  const { wishing, speakers, copulas, having } = wordsOf(ontology);
  if (i - 2 < from || copulas.has(words.hash[i - 1]!)) return false;
  for (let back = i - 2; back >= from && back >= i - WISH_REACH; back--) {
    const hash = words.hash[back]!;
    if (copulas.has(hash)) return false;
    const isFirst = back === from || words.gap[back]! >= CLAUSE;
    if (having.has(hash) && isFirst) return true;
    if (wishing.has(hash)) {
      for (let who = back - 1; who >= from && who >= back - 3; who--) if (speakers.has(words.hash[who]!)) return true;
      return isFirst;
    }
    if (words.gap[back]! >= CLAUSE) return false;
  }
  return false;
}

/** 2: the words before the verb ask for it; 1: the verb starts a clause; 0: neither. */
function leadBefore(words: Words, vocabulary: Vocabulary, i: number, from: number): number {
  const { words: table, ontology } = vocabulary;
  const { hash, gap } = words;
  if (i === from) return 1;
  const before = table.kinds(hash[i - 1]!);
  // A line may end between «can» and its verb; elsewhere a new line may begin an order.
  if (gap[i]! >= CLAUSE && (before & MODAL) === 0) return (before & LEAD) !== 0 ? 2 : 1;
  if (gap[i]! < SPACED) return 0;
  if (hash[i - 1] === TO)
    return i - 2 >= from && (asksByTo(words, vocabulary, i - 2, from) || usesTo(words, vocabulary, i, from)) ? 2 : 0;
  if ((before & YOU) !== 0) return i - 2 >= from && (table.kinds(hash[i - 2]!) & MODAL) !== 0 ? 2 : 0;
  if ((before & MODAL) !== 0 && i - 2 >= from && wordsOf(ontology).addressed.has(hash[i - 2]!)) return 2;
  if (hash[i - 1] === S && i - 2 >= from && hash[i - 2] === LET) return 2;
  if ((before & LEAD) !== 0 && (before & BEFORE_NOUN) === 0) return 2;
  return 0;
}

/** «use the bank tool to find …», at the start of a clause. */
function usesTo({ hash, gap }: Words, { ontology }: Vocabulary, i: number, from: number): boolean {
  const { using } = wordsOf(ontology);
  for (let back = i - 2; back >= from && back >= i - 8; back--) {
    if (using.has(hash[back]!)) return back === from || gap[back]! >= CLAUSE || hash[back - 1] === PLEASE;
    if (gap[back]! >= CLAUSE) return false;
  }
  return false;
}

/** «you need to», «asked you to», but not «safe to». */
function asksByTo(words: Words, { words: table, ontology }: Vocabulary, i: number, from: number): boolean {
  const { asking, stating } = wordsOf(ontology);
  const word = words.hash[i]!;
  if (stating.has(word)) return false;
  if (asking.has(word)) return true;
  return (table.kinds(word) & YOU) !== 0 && i > from;
}

function isQuoteOrLine(words: Words, i: number): boolean {
  const after = words.text.charCodeAt(words.end[i]!);
  return after === 0x20 || after === 0x0a;
}

/** Index after the last word of the sentence that holds word `i`, within `last`. */
export function sentenceEnd(words: Words, i: number, last: number): number {
  let at = i + 1;
  while (at < last && words.gap[at]! < SENTENCE) at++;
  return at;
}
