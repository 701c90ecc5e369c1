/** What a verb in the user's words is: asked for, excluded, or only told of. */
import {
  BEFORE_ING,
  BEFORE_NOUN,
  GROUP_MASK,
  ING,
  LEAD,
  MODAL,
  NEGATED_AFTER,
  NEGATION,
  NOUNISH,
  RELATIVE,
  STATED,
  STOPWORD,
  TOLD,
  TURNS_ROUND,
  YOU,
} from './grammar.ts';
import { CLAUSE, hashWord, SPACED, type Words } from './lexer.ts';
import { LIGHT_IN_REQUESTS, NOUNS_OF_ACTS } from './verb-words.ts';
import type { Vocabulary } from './vocabulary.ts';

const LIGHT = new Set(LIGHT_IN_REQUESTS.map(hashWord));
const ACTS = new Map([...NOUNS_OF_ACTS].map(([noun, verb]) => [hashWord(noun), verb]));

/** Groups of a verb; «make a payment» and «send $50» are what their objects say as well. */
export function actGroups(words: Words, { words: table, ontology, bitOf }: Vocabulary, i: number, to: number): number {
  let groups = table.kinds(words.hash[i]!) & GROUP_MASK;
  const isLight = LIGHT.has(words.hash[i]!);
  const isSending = (groups & bitOf('send')) !== 0;
  if (!isLight && !isSending) return groups;
  for (let next = i + 1; next < to && next <= i + 5; next++) {
    const verb = isLight ? ACTS.get(words.hash[next]!) : undefined;
    if (verb !== undefined) groups |= bitOf(ontology.verbs.get(verb)?.group ?? '');
    if (MONEY.has(words.hash[next]!) || isPriced(words, next)) groups |= bitOf('transfer_pay');
    if (words.gap[next]! >= CLAUSE) break;
  }
  return groups;
}

const MONEY = new Set(
  'money dollars dollar bucks cents euros euro pounds yen rupees francs funds cash usd eur gbp chf btc eth bitcoin payment'
    .split(' ')
    .map(hashWord),
);

function isPriced({ text, start }: Words, i: number): boolean {
  const sign = text.charCodeAt(start[i]! - 1);
  return sign === 0x24 || sign === 0x20ac || sign === 0xa3 || sign === 0xa5;
}

export type Mood = 'asked' | 'excluded' | 'told';

const TO = hashWord('to');
const NOT = hashWord('not');
const HASHES = {
  stated: new Set([...STATED].map(hashWord)),
  turns: new Set([...TURNS_ROUND].map(hashWord)),
  ing: new Set([...BEFORE_ING].map(hashWord)),
  instead: new Set(['than', 'instead', 'stop', 'no'].map(hashWord)),
  only: hashWord('only'),
  negatedAfter: new Set(NEGATED_AFTER.map(hashWord)),
  relative: new Set(RELATIVE.map(hashWord)),
  speaker: new Set(['i', 'we'].map(hashWord)),
  others: new Set(['i', 'we', 'it', 'he', 'she', 'they', 'there', 'this', 'that', 'who', 'which'].map(hashWord)),
  wish: new Set(['want', 'wish', 'like', 'need'].map(hashWord)),
  do: hashWord('do'),
  rights: new Set(['allowed', 'permitted', 'authorized', 'authorised', 'supposed'].map(hashWord)),
};

export function moodOf(
  words: Words,
  { words: table }: Vocabulary,
  i: number,
  from: number,
  to: number,
  isPhrase: boolean,
): Mood {
  const kinds = table.kinds(words.hash[i]!);
  if (isStated(words, i, from)) return 'told';
  const denied = denialOf(words, table, i, from) ?? denialAfter(words, table, i, to);
  if (denied !== null) return denied;
  const isFirst = i === from || words.gap[i]! >= CLAUSE;
  const before = isFirst ? 0 : words.hash[i - 1]!;
  const beforeKinds = isFirst ? 0 : table.kinds(before);
  if (words.gap[i] !== SPACED && !isFirst) return 'told';
  if ((kinds & ING) !== 0) return HASHES.ing.has(before) || isFirst ? 'asked' : 'told';
  if (isPhrase || (kinds & TOLD) !== 0) return 'asked';
  if (HASHES.speaker.has(before) && i - 2 >= from && (table.kinds(words.hash[i - 2]!) & MODAL) !== 0) return 'asked';
  if (before === TO) return 'asked';
  if ((beforeKinds & (LEAD | YOU | MODAL)) !== 0 && (beforeKinds & BEFORE_NOUN) === 0) return 'asked';
  if ((beforeKinds & BEFORE_NOUN) !== 0) return 'told';
  if ((kinds & NOUNISH) === 0) return isFirst || (beforeKinds & STOPWORD) === 0 || isHelp(before) ? 'asked' : 'told';
  // «Order history» at the start of a clause: followed by nothing or by a verb it is a noun.
  return isFirst && i + 1 < to && (table.kinds(words.hash[i + 1]!) & TOLD) === 0 ? 'asked' : 'told';
}

/** «safe to delete», «not possible to cancel»: what is so, not what is wanted. «Not allowed to» excludes all the same. */
function isStated(words: Words, i: number, from: number): boolean {
  if (i - 2 < from || words.hash[i - 1] !== TO || !HASHES.stated.has(words.hash[i - 2]!)) return false;
  return !(HASHES.rights.has(words.hash[i - 2]!) && i - 3 >= from && words.hash[i - 3] === NOT);
}

const HELP = new Set(['me', 'us', 'it', 'them', 'him', 'her', 'also'].map(hashWord));
function isHelp(hash: number): boolean {
  return HELP.has(hash);
}

/** «do not», «without», «never» up to four words before, in the same clause, unless turned round. */
function denialOf(words: Words, table: Vocabulary['words'], i: number, from: number): Mood | null {
  for (let back = i - 1; back >= from && back >= i - 4; back--) {
    if (words.gap[back + 1]! >= CLAUSE) return null;
    const hash = words.hash[back]!;
    const kinds = table.kinds(hash);
    if (HASHES.turns.has(hash)) return null;
    if ((kinds & NEGATION) !== 0) {
      if (hash === NOT && words.hash[back + 1] === HASHES.only) return null;
      return isOfSpeaker(words, back, from) ? 'told' : 'excluded';
    }
    if (HASHES.instead.has(hash) && back === i - 1 && (table.kinds(words.hash[i]!) & ING) !== 0) return 'excluded';
    // Another verb in between takes the negation: «if you cannot find it, create it».
    if ((kinds & GROUP_MASK) !== 0 && (kinds & (NOUNISH | LEAD)) === 0) return null;
  }
  return null;
}

/** «Schicke sie auf keinen Fall ab»: in the same clause, before any other verb. */
function denialAfter(words: Words, table: Vocabulary['words'], i: number, to: number): Mood | null {
  for (let next = i + 1; next < to && next <= i + 5 && words.gap[next]! < CLAUSE; next++) {
    const hash = words.hash[next]!;
    if (HASHES.negatedAfter.has(hash)) return HASHES.relative.has(words.hash[next - 1]!) ? null : 'excluded';
    if ((table.kinds(hash) & GROUP_MASK) !== 0 && (table.kinds(hash) & NOUNISH) === 0) return null;
  }
  return null;
}

/** «I cannot find it» tells; «I do not want you to delete it» excludes. */
function isOfSpeaker(words: Words, negation: number, from: number): boolean {
  const { hash } = words;
  const subject = negation > from && hash[negation - 1] === HASHES.do ? negation - 2 : negation - 1;
  return subject >= from && HASHES.others.has(hash[subject]!) && !HASHES.wish.has(hash[negation + 1]!);
}
