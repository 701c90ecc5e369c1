/**
 * What a word of a name means that no list of everyday verbs has: a further verb of the language, a form of a known verb
 * (`deletes_user`, `user_deleter`, `massdelete`), or a verb that is written together with its object (`deleteuser`).
 */

import { singular } from '../../../lang/names.ts';
import type { VerbEntry } from '../../../ontology/index.ts';
import { wordsIn } from './fold.ts';
import { withWordsParted } from './lost-capitals.ts';
import type { VerbLookup } from './verb-table.ts';

/** A shorter rest is a syllable: `react` is no act of its own. */
const SHORTEST_VERB = 3;

/** The words that a word of a name is made of; itself alone where the ontology's words do not make it up. */
export function wordsWithin(word: string, lookup: VerbLookup): readonly string[] {
  if (lookup.words.has(word) || lookup.further.has(word)) return [word];
  return withWordsParted(word, lookup.ontology).split('_');
}

/** In `endings_of_acts`: the verb ends where the ending of the noun begins. */
const NOTHING = '-';

/** The verb that word i of a name stands for, for names in which no everyday word is a verb. Undefined: it is none. */
export function furtherMeaning(words: readonly string[], i: number, lookup: VerbLookup): VerbEntry | undefined {
  const word = words[i]!;
  const found = plainMeaning(word, lookup) ?? prefixedMeaning(word, lookup);
  if (found !== undefined) return found;
  const before = i === 0 && words.length > 1 ? lookup.before_objects.get(word) : undefined;
  if (before !== undefined) return before;
  const foreign = foreignVerb(words, i, lookup);
  if (foreign !== undefined) return foreign;
  if (i === 0 && words.length > 1) return thirdPerson(word, lookup);
  return i === headOf(words) ? (agentNoun(word, lookup) ?? actNoun(singular(word), lookup)) : undefined;
}

/** `usuwa_konto`, `konto_loeschen`, `schaltet_alarm_ab`: a form of another language begins the name or ends it, before or behind its object. */
function foreignVerb(words: readonly string[], i: number, { of_languages }: VerbLookup): VerbEntry | undefined {
  const last = words.length - 1;
  if (last < 1 || (i > 0 && i < last)) return undefined;
  const parted =
    i === 0
      ? (of_languages.get(`${words[0]}_${words[last]}`) ?? of_languages.get(`${words[0]}_${words[1]}`))
      : undefined;
  return parted ?? of_languages.get(words[i]!);
}

/** The word by which a tool is named after who does it, -1 where it is not: `user_deleter`, `CodeExecutorTool`. */
export function agentPlace(words: readonly string[], lookup: VerbLookup): number {
  const head = headOf(words);
  return head > 0 && agentNoun(words[head]!, lookup) !== undefined ? head : -1;
}

/** The verb of that word. */
export const agentVerb = (words: readonly string[], lookup: VerbLookup): VerbEntry | undefined =>
  words.length > 1 ? agentNoun(words[headOf(words)]!, lookup) : undefined;

/** The act that the last word of a name tells by its ending: `record_falsification`. */
export const headAct = (words: readonly string[], lookup: VerbLookup): VerbEntry | undefined =>
  actNoun(singular(words[headOf(words)]!), lookup);

/** The head noun of a name comes last; that it is a tool says nothing. */
const headOf = (words: readonly string[]): number =>
  words.length - (words.length > 1 && words.at(-1) === 'tool' ? 2 : 1);

const isVerb = (word: string, lookup: VerbLookup): boolean => meaningOf(word, lookup) !== undefined;

const meaningOf = (verb: string, { words, further }: VerbLookup): VerbEntry | undefined =>
  verb.length < SHORTEST_VERB ? undefined : (words.get(verb) ?? further.get(verb));

/** `synchronise` is `synchronize`. */
function plainMeaning(word: string, { further, words }: VerbLookup): VerbEntry | undefined {
  const american = word.endsWith('ise') ? `${word.slice(0, -2)}ze` : word;
  return further.get(word) ?? further.get(american) ?? (american === word ? undefined : words.get(american));
}

/** `massdelete`, `crosspost`, `rebuild`: the prefix leaves the meaning. */
function prefixedMeaning(word: string, lookup: VerbLookup): VerbEntry | undefined {
  if (lookup.not_again.has(word)) return undefined;
  for (const prefix of lookup.prefixes) {
    const rest = word.slice(prefix.length);
    if (!word.startsWith(prefix) || rest.length < SHORTEST_VERB) continue;
    const meaning = lookup.native.has(rest) ? lookup.words.get(rest) : plainMeaning(rest, lookup);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/** `deletes_user`. A word that is a noun as often is a plural: `orders_overview`. */
function thirdPerson(word: string, lookup: VerbLookup): VerbEntry | undefined {
  const base = singular(word);
  if (base === word) return undefined;
  for (const form of [base, `${base}e`])
    if (isVerb(form, lookup) && !lookup.noun_like.has(form)) return meaningOf(form, lookup);
  return undefined;
}

function agentNoun(word: string, lookup: VerbLookup): VerbEntry | undefined {
  if (!/[eo]r$/.test(word) || lookup.nouns.has(word) || lookup.not_agents.has(word)) return undefined;
  const stem = word.slice(0, -2);
  const single = stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
  for (const form of [`${stem}e`, stem, single]) {
    const meaning = meaningOf(form, lookup);
    if (meaning !== undefined && lookup.agent_nouns_of.has(meaning.group)) return meaning;
  }
  return undefined;
}

/** `token_revocation`, `fund_disbursement`: the act that a noun names by its ending. */
function actNoun(word: string, lookup: VerbLookup): VerbEntry | undefined {
  if (lookup.nouns.has(word) || lookup.attributes.has(word) || lookup.not_acts.has(word)) return undefined;
  for (const [ending, of_verb] of lookup.endings_of_acts) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    for (const end of of_verb) {
      const meaning = meaningOf(end === NOTHING ? stem : stem + end, lookup);
      if (meaning !== undefined) return meaning;
    }
  }
  return undefined;
}

/** Ideographs of a verb that begins or ends a name without blanks. */
const MOST_IDEOGRAPHS = 4;

/** Chinese, Japanese and Korean names write verb and object in one. */
const hasNoBlanks = (piece: string): boolean => /^[\u3040-\u9fff\uac00-\ud7a3]/.test(piece);

/** The verb of a name in another script: `удалить_пользователя`, `删除用户`, `ユーザー削除`. */
export function scriptVerb(name: string, { scripts }: VerbLookup): VerbEntry | undefined {
  if (!/[^\u0000-\u024f]/.test(name)) return undefined;
  for (const piece of wordsIn(name)) {
    const whole = scripts.get(piece);
    if (whole !== undefined) return whole;
    if (!hasNoBlanks(piece)) continue;
    for (let length = Math.min(MOST_IDEOGRAPHS, piece.length - 1); length >= 2; length -= 1) {
      const found = scripts.get(piece.slice(0, length)) ?? scripts.get(piece.slice(-length));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
