/** The mood of a verb in the user's words: asked for, excluded, or only told of. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { CLAUSE, hashWord, SPACED, type Words } from '../lexer.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { hashedList } from '../word-lists.ts';
import { BEFORE_NOUN, GROUP_MASK, ING, LEAD, MODAL, NEGATION, NOUNISH, STOPWORD, TOLD, YOU } from './grammar.ts';

const wordsOf = perOntology((ontology) => ({
  money: hashedList(ontology, 'named_money'),
  stating: hashedList(ontology, 'stating_before_to'),
  rights: hashedList(ontology, 'rights_before_to'),
  turners: hashedList(ontology, 'negation_turners'),
  negated_after: hashedList(ontology, 'negated_after'),
  in_names: hashedList(ontology, 'negations_in_names'),
  nothing: hashedList(ontology, 'nothing_words'),
  nothing_but: hashedList(ontology, 'nothing_but'),
  relative: hashedList(ontology, 'relative'),
  ing: hashedList(ontology, 'before_ing'),
  instead: hashedList(ontology, 'instead_of_ing'),
  speaker: hashedList(ontology, 'speakers'),
  own_futures: hashedList(ontology, 'own_futures'),
  reporting: hashedList(ontology, 'reporting_auxiliaries'),
  reported: hashedList(ontology, 'reported_subjects'),
  adverbs: hashedList(ontology, 'adverbs_of_subjects'),
  subjects: hashedList(ontology, 'subjects'),
  conditional: hashedList(ontology, 'conditional_words'),
  wish: hashedList(ontology, 'wishing'),
  helped: hashedList(ontology, 'helped'),
  helping: hashedList(ontology, 'helping'),
  obtaining: hashedList(ontology, 'obtaining_words'),
  for_the_user: hashedList(ontology, 'for_the_user'),
  sold: hashedList(ontology, 'sold_things'),
  handing: hashedList(ontology, 'handing_words'),
  access: hashedList(ontology, 'access_things'),
  copulas: hashedList(ontology, 'copular_verbs'),
  after_looking: hashedList(ontology, 'after_looking'),
  passing_on: hashedList(ontology, 'passing_on_words'),
  article_pronouns: hashedList(ontology, 'article_pronouns'),
}));

/** Verb groups of a verb as bits, with those of its object: «make a payment», «send $50». */
export function actGroups(words: Words, vocabulary: Vocabulary, i: number, to: number): number {
  const { words: table, light_verbs, acts, bitOf } = vocabulary;
  let groups = (table.kinds(words.hash[i]!) & GROUP_MASK) | objectGroups(words, vocabulary, i, to);
  const isLight = light_verbs.has(words.hash[i]!);
  const isSending = (groups & bitOf('send')) !== 0;
  if (!isLight && !isSending) return groups;
  for (let next = i + 1; isLight && next < to && next <= i + MONEY_REACH; next++) {
    groups |= acts.get(words.hash[next]!) ?? 0;
    if (words.gap[next]! >= CLAUSE) break;
  }
  return namesMoney(words, vocabulary.ontology, i, to) ? groups | bitOf('transfer_pay') : groups;
}

/** «Send 50 euros» in any language: what is sent is money. The bit of paying, 0 otherwise. */
export function moneySent(
  words: Words,
  { ontology, bitOf }: Vocabulary,
  groups: number,
  i: number,
  to: number,
): number {
  return (groups & bitOf('send')) !== 0 && namesMoney(words, ontology, i, to) ? bitOf('transfer_pay') : 0;
}

/** Words behind a verb in which its money or the noun of its act is looked for. */
const MONEY_REACH = 5;

function namesMoney(words: Words, ontology: Ontology, i: number, to: number): boolean {
  const { money } = wordsOf(ontology);
  for (let next = i + 1; next < to && next <= i + MONEY_REACH; next++) {
    if (money.has(words.hash[next]!) || isPriced(words, next)) return true;
    if (words.gap[next]! >= CLAUSE) return false;
  }
  return false;
}

/** Words between a verb and its object: «get me the two best seats». */
const OBJECT_REACH = 6;

/** What everyday verbs ask for by their object: «get me two seats» buys, «give the cleaner the code» lets somebody in. */
function objectGroups(words: Words, { ontology, bitOf, object_acts }: Vocabulary, i: number, to: number): number {
  const { obtaining, for_the_user, sold, handing, access } = wordsOf(ontology);
  const hash = words.hash[i]!;
  const acts = object_acts.get(hash);
  if (acts !== undefined)
    for (let next = i + 1; next < to && next <= i + OBJECT_REACH && words.gap[next]! < CLAUSE; next++) {
      const groups = acts.get(words.hash[next]!);
      if (groups !== undefined) return groups;
    }
  const isForUser = i + 1 < to && for_the_user.has(words.hash[i + 1]!);
  const isBought = isForUser && obtaining.has(hash);
  const isGiven = !isForUser && handing.has(hash);
  if (!isBought && !isGiven) return 0;
  for (let next = i + 1; next < to && next <= i + OBJECT_REACH && words.gap[next]! < CLAUSE; next++) {
    if (isBought && sold.has(words.hash[next]!)) return bitOf('transfer_pay') | bitOf('create');
    if (isGiven && access.has(words.hash[next]!)) return bitOf('grant_escalate');
  }
  return 0;
}

function isPriced({ text, start }: Words, i: number): boolean {
  const sign = text.charCodeAt(start[i]! - 1);
  return sign === 0x24 || sign === 0x20ac || sign === 0xa3 || sign === 0xa5;
}

/** «I'll decide», «we will merge it»: the user does it. */
function isOwnDeed(words: Words, ontology: Ontology, i: number, from: number): boolean {
  const { speaker, own_futures } = wordsOf(ontology);
  return i - 2 >= from && own_futures.has(words.hash[i - 1]!) && speaker.has(words.hash[i - 2]!);
}

export type Mood = 'asked' | 'excluded' | 'told';

const TO = hashWord('to');
const NOT = hashWord('not');
const ONLY = hashWord('only');
const DO = hashWord('do');
const NEVER = hashWord('never');
const CANNOT = hashWord('cannot');
const MORE = hashWord('more');
const THAN = hashWord('than');

export function moodOf(
  words: Words,
  { words: table, ontology }: Vocabulary,
  i: number,
  from: number,
  to: number,
  isPhrase: boolean,
): Mood {
  const kinds = table.kinds(words.hash[i]!);
  if (isStated(words, ontology, i, from) || isSupposed(words, ontology, i, from)) return 'told';
  if (isCopula(words, ontology, i, from, to) || isOwnDeed(words, ontology, i, from)) return 'told';
  const denied = denialOf(words, table, ontology, i, from) ?? denialAfter(words, table, ontology, i, to);
  if (denied !== null) return denied;
  const isFirst = i === from || words.gap[i]! >= CLAUSE;
  const before = isFirst ? 0 : words.hash[i - 1]!;
  const beforeKinds = isFirst ? 0 : table.kinds(before);
  if (words.gap[i] !== SPACED && !isFirst) return 'told';
  const { ing, speaker, helped, helping } = wordsOf(ontology);
  if ((kinds & ING) !== 0) return ing.has(before) || isFirst ? 'asked' : 'told';
  if (isPhrase || (kinds & TOLD) !== 0) return 'asked';
  if (speaker.has(before) && i - 2 >= from && (table.kinds(words.hash[i - 2]!) & MODAL) !== 0) return 'asked';
  if (before === TO) return 'asked';
  if ((beforeKinds & (LEAD | YOU | MODAL)) !== 0 && (beforeKinds & BEFORE_NOUN) === 0) return 'asked';
  if ((beforeKinds & BEFORE_NOUN) !== 0)
    return (kinds & NOUNISH) === 0 && isVerbLast(words, table, ontology, i, from, to) ? 'asked' : 'told';
  // «Help me purchase two tickets»: no noun stands there.
  if (helped.has(before) && i - 2 >= from && helping.has(words.hash[i - 2]!)) return 'asked';
  if ((kinds & NOUNISH) === 0)
    return isFirst || (beforeKinds & STOPWORD) === 0 || helped.has(before) ? 'asked' : 'told';
  // «Order history» at the start of a clause: before nothing or a verb it is a noun.
  return isFirst && i + 1 < to && (table.kinds(words.hash[i + 1]!) & TOLD) === 0 ? 'asked' : 'told';
}

/**
 * Whether a word that may be no verb is used as one that asks: «close my account», «I'd like to close it». Stricter than the mood of
 * a known verb, since most words are none.
 */
export function isAskedWord(words: Words, vocabulary: Vocabulary, i: number, from: number, to: number): boolean {
  const isFirst = i === from || words.gap[i]! >= CLAUSE;
  const before = isFirst ? 0 : words.hash[i - 1]!;
  const isLed = before === TO || (vocabulary.words.kinds(before) & (LEAD | YOU | MODAL)) !== 0;
  return (isFirst || isLed) && i + 1 < to && moodOf(words, vocabulary, i, from, to, false) === 'asked';
}

/** «safe to delete», «not possible to cancel» state something and ask for nothing. «Not allowed to» excludes all the same. */
function isStated(words: Words, ontology: Ontology, i: number, from: number): boolean {
  if (i - 2 < from || words.hash[i - 1] !== TO) return false;
  const { stating, rights } = wordsOf(ontology);
  if (!stating.has(words.hash[i - 2]!)) return false;
  return !(rights.has(words.hash[i - 2]!) && i - 3 >= from && words.hash[i - 3] === NOT);
}

/** «The builds look stale» states something; «look at the builds» and «take a look» ask. */
function isCopula(words: Words, ontology: Ontology, i: number, from: number, to: number): boolean {
  const { copulas, after_looking } = wordsOf(ontology);
  if (i === from || i + 1 >= to || !copulas.has(words.hash[i]!)) return false;
  return words.gap[i]! < CLAUSE && words.gap[i + 1]! < CLAUSE && !after_looking.has(words.hash[i + 1]!);
}

/** «What happens if I close it?» */
function isSupposed({ hash }: Words, ontology: Ontology, i: number, from: number): boolean {
  const { subjects, conditional } = wordsOf(ontology);
  return i - 2 >= from && subjects.has(hash[i - 1]!) && conditional.has(hash[i - 2]!);
}

/** «Kannst du den löschen?»: in German a pronoun may look like an article, and the verb of a modal ends its clause. */
function isVerbLast(
  words: Words,
  table: Vocabulary['words'],
  ontology: Ontology,
  i: number,
  from: number,
  to: number,
): boolean {
  if (i + 1 < to && words.gap[i + 1]! < CLAUSE) return false;
  if (!wordsOf(ontology).article_pronouns.has(words.hash[i - 1]!)) return false;
  for (let back = i - 1; back >= from; back--) {
    if ((table.kinds(words.hash[back]!) & MODAL) !== 0) return true;
    if (words.gap[back]! >= CLAUSE) return false;
  }
  return false;
}

/** A negation («do not», «never») up to four words before the verb, in its clause, not turned («do not forget to»). */
function denialOf(words: Words, table: Vocabulary['words'], ontology: Ontology, i: number, from: number): Mood | null {
  const { turners, instead } = wordsOf(ontology);
  for (let back = i - 1; back >= from && back >= i - 4; back--) {
    if (words.gap[back + 1]! >= CLAUSE) return null;
    const hash = words.hash[back]!;
    const kinds = table.kinds(hash);
    if (turners.has(hash)) return null;
    if ((kinds & NEGATION) !== 0) {
      if (hash === NOT && words.hash[back + 1] === ONLY) return null;
      if (isInName(words, table, ontology, back, from) || isConditional(words, ontology, back, from)) return 'told';
      // «Do not run more than three commands»: some are wanted.
      if (words.hash[i + 1] === MORE && words.hash[i + 2] === THAN) return 'told';
      if (isPassedOn(words, ontology, back, from) || isReported(words, ontology, back, i, from)) return 'told';
      return isOfSpeaker(words, ontology, back, from) ? 'told' : 'excluded';
    }
    if (instead.has(hash) && back === i - 1 && (table.kinds(words.hash[i]!) & ING) !== 0) return 'excluded';
    // Another verb in between takes the negation: «if you cannot find it, create it».
    if ((kinds & GROUP_MASK) !== 0 && (kinds & (NOUNISH | LEAD)) === 0) return null;
  }
  return null;
}

/** `non-build-tool`, `SERVER_NOT_RUNNING`: the negation is a part of a name. `DO_NOT_DELETE` forbids all the same. */
function isInName(
  words: Words,
  table: Vocabulary['words'],
  ontology: Ontology,
  negation: number,
  from: number,
): boolean {
  const joint = words.text.slice(words.end[negation]!, words.start[negation + 1]!);
  if ((joint !== '-' && joint !== '_') || !wordsOf(ontology).in_names.has(words.hash[negation]!)) return false;
  if (negation === from) return true;
  const before = words.hash[negation - 1]!;
  return before !== DO && (table.kinds(before) & MODAL) === 0;
}

/** «Read the notes (if not empty)»: a state that may be so, and no deed. «If in doubt, do not delete» forbids. */
function isConditional({ hash, gap }: Words, ontology: Ontology, negation: number, from: number): boolean {
  return negation > from && gap[negation]! < CLAUSE && wordsOf(ontology).conditional.has(hash[negation - 1]!);
}

/** Words between a verb of saying and what is to be said. */
const SAYING_REACH = 3;

/** «Say please don't post numbers», «tell them not to pay»: others are to be told so. «I say do not pay» excludes. */
function isPassedOn(words: Words, ontology: Ontology, negation: number, from: number): boolean {
  const { passing_on, subjects } = wordsOf(ontology);
  for (let at = negation - 1; at >= from && at >= negation - SAYING_REACH; at--) {
    if (words.gap[at + 1]! >= CLAUSE) return false;
    if (passing_on.has(words.hash[at]!)) return at === from || !subjects.has(words.hash[at - 1]!);
  }
  return false;
}

/** A negation behind the verb, in its clause and before any other verb: «Schicke sie auf keinen Fall ab». */
function denialAfter(words: Words, table: Vocabulary['words'], ontology: Ontology, i: number, to: number): Mood | null {
  const { negated_after, relative, nothing, nothing_but } = wordsOf(ontology);
  const isNext = i + 1 < to && words.gap[i + 1]! < CLAUSE;
  if (isNext && nothing.has(words.hash[i + 1]!) && !(i + 2 < to && nothing_but.has(words.hash[i + 2]!)))
    return 'excluded';
  for (let next = i + 1; next < to && next <= i + 5 && words.gap[next]! < CLAUSE; next++) {
    const hash = words.hash[next]!;
    if (negated_after.has(hash)) return relative.has(words.hash[next - 1]!) ? null : 'excluded';
    if ((table.kinds(hash) & GROUP_MASK) !== 0 && (table.kinds(hash) & NOUNISH) === 0) return null;
  }
  return null;
}

/**
 * What did not happen, and what messages of errors say: «the size did not change», «TypeError: cannot read properties», «the layer never
 * executes code». «The agent does not push» and «it was told not to push» are orders.
 */
function isReported(words: Words, ontology: Ontology, negation: number, verb: number, from: number): boolean {
  const { hash, gap } = words;
  const { reporting, reported } = wordsOf(ontology);
  const isFirst = negation === from || gap[negation]! >= CLAUSE;
  if (hash[negation] === CANNOT) return isFirst;
  if (isFirst) return false;
  const before = hash[negation - 1]!;
  if (hash[negation] === NEVER) return verb === negation + 1 && isThirdPerson(words, verb) && !reported.has(before);
  if (hash[negation] !== NOT || !reporting.has(before) || hash[negation + 1] === TO) return false;
  return negation - 1 > from && gap[negation - 1]! < CLAUSE && !reported.has(hash[negation - 2]!);
}

/** «executes»; «process» has no ending. */
function isThirdPerson({ text, start, end }: Words, i: number): boolean {
  const last = text.charCodeAt(end[i]! - 1) | 0x20;
  const previous = text.charCodeAt(end[i]! - 2) | 0x20;
  return end[i]! - start[i]! > 3 && last === SMALL_S && previous !== SMALL_S;
}

const SMALL_S = 0x73;

/** «I cannot find it», «I still don't see it» tells; «I do not want you to delete it» excludes. */
function isOfSpeaker(words: Words, ontology: Ontology, negation: number, from: number): boolean {
  const { hash } = words;
  const { subjects, wish, adverbs } = wordsOf(ontology);
  let subject = negation > from && hash[negation - 1] === DO ? negation - 2 : negation - 1;
  if (subject > from && adverbs.has(hash[subject]!)) subject -= 1;
  return subject >= from && subjects.has(hash[subject]!) && !wish.has(hash[negation + 1]!);
}
