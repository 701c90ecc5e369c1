/**
 * An account that text from outside brought in, where a better source has another one for the same payee: the organisation's own
 * record of the payee, or a mail that its name is on. The user who asks to pay a bill means that source.
 */
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { type Writing, writingsOf } from '../../conversation/authors.ts';
import { readCalls, sureResults } from '../../conversation/calls.ts';
import { corpusOf, sideOf } from '../../conversation/corpus.ts';
import { eventOfText, type TextReading } from '../../conversation/text.ts';
import { foldText } from '../../words/fold.ts';
import { globalPatternOf } from '../../words/word-lists.ts';
import type { Argument } from '../argument.ts';

const words = perOntology((ontology) => ({
  masters: setOf(ontology, 'payee_master_words'),
  written: globalPatternOf(ontology, 'accounts', 'written'),
  sender: globalPatternOf(ontology, 'accounts', 'sender'),
}));

const MAX_TEXT = 65_536;
const MAX_ACCOUNTS = 64;
const MAX_SECTIONS = 64;
/** Characters on either side of an account within which the name of its payee stands. */
const AROUND = 240;
/** A shorter word of the request is not a name. */
const SHORTEST_NAME = 4;
/** A shorter number is not an account. */
const SHORTEST_ACCOUNT = 6;

/** A text with one author, or of one source. */
interface Section {
  author: string;
  text: string;
}

/** Accounts of the action against which a better source has another; sorted. */
export function conflictingPayees(ontology: Ontology, args: readonly Argument[], text: TextReading): string[] {
  const accounts = args.filter(
    ({ role, kind, provenance, value }) =>
      role === 'payee' && kind === 'account' && provenance === 'tool' && bare(value).length >= SHORTEST_ACCOUNT,
  );
  if (accounts.length === 0) return [];
  const names = namesIn(text.trusted);
  if (names.length === 0) return [];
  const masters = masterTexts(text, ontology);
  const sure = sureMasters(text, ontology);
  const mails = mailsOf(text, ontology);
  const found = accounts.filter(({ value }) => {
    const own = bare(value);
    return isAgainstMaster(own, masters, sure, names, ontology) || isAgainstMail(own, mails, names, ontology);
  });
  return [...new Set(found.map(({ value }) => value))].sort();
}

const bare = (account: string): string => account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();

/** Words of the user that may be names: those with a capital letter. */
const namesIn = (trusted: string): string[] => [
  ...new Set(
    [...trusted.slice(0, MAX_TEXT).matchAll(/\p{Lu}[\p{L}\p{N}]{2,40}/gu)]
      .map(([word]) => foldText(word))
      .filter((word) => word.length >= SHORTEST_NAME),
  ),
];

function accountsIn(text: string, ontology: Ontology): { account: string; at: number }[] {
  const found: { account: string; at: number }[] = [];
  for (const match of text.slice(0, MAX_TEXT).matchAll(words(ontology).written)) {
    const account = bare(match[1] ?? match[2] ?? '');
    if (/\d{4}/.test(account)) found.push({ account, at: match.index });
    if (found.length === MAX_ACCOUNTS) break;
  }
  return found;
}

/** Results of calls that look the payee up in the organisation's own records; a message between such a call and its result hides none. */
function masterTexts(text: TextReading, ontology: Ontology): string[] {
  const found: string[] = [];
  let tool = '';
  for (const { segment } of corpusOf(text).stretches) {
    const side = sideOf(segment.speaker);
    if (side === 'agent') tool = CALL.exec(segment.text.slice(0, LONGEST_CALL))?.[1] ?? tool;
    else if (side !== 'tool') tool = '';
    else if (isMaster(tool, ontology)) found.push(segment.text.slice(0, MAX_TEXT));
  }
  return found;
}

const isMaster = (tool: string, ontology: Ontology): boolean =>
  wordsOf(tool).some((word) => words(ontology).masters.has(singular(word)));

/** The same where nothing else can be meant to be the result. */
function sureMasters(text: TextReading, ontology: Ontology): string[] {
  const event = eventOfText(text);
  const calls = event === null ? [] : readCalls(event, ontology);
  return calls.filter(({ name }) => isMaster(name, ontology)).flatMap((call) => sureResults(call, calls));
}

const CALL = /^\s{0,8}([\w.-]{1,120})\(/;
const LONGEST_CALL = 2_048;

function isAgainstMaster(
  own: string,
  masters: readonly string[],
  sure: readonly string[],
  names: readonly string[],
  ontology: Ontology,
): boolean {
  if (masters.length === 0 || sure.some((text) => bare(text).includes(own))) return false;
  return masters.some((text) =>
    accountsIn(text, ontology).some(({ at }) => isNamedIn(text.slice(Math.max(0, at - AROUND), at + AROUND), names)),
  );
}

/** Mails in the results, each with its author: records, and parts of a text that begin with a line of the sender. */
function mailsOf(text: TextReading, ontology: Ontology): Section[] {
  const { sender } = words(ontology);
  const sections: Section[] = writingsOf(text).map(({ author, text: own }: Writing) => ({ author, text: own }));
  for (const { text: whole } of text.untrusted) {
    const cut = whole.slice(0, MAX_TEXT);
    const heads = [...cut.matchAll(sender)].slice(0, MAX_SECTIONS);
    for (const [i, head] of heads.entries())
      sections.push({ author: head[1] ?? '', text: cut.slice(head.index, heads[i + 1]?.index ?? cut.length) });
  }
  return sections;
}

/** Only mails without the payee's name on them have the account, and one with it has another. */
function isAgainstMail(own: string, mails: readonly Section[], names: readonly string[], ontology: Ontology): boolean {
  const holders = mails.filter(({ text }) => bare(text).includes(own));
  if (holders.length === 0 || holders.some(({ author }) => isNamedIn(author, names))) return false;
  return mails.some(
    ({ author, text }) => isNamedIn(author, names) && accountsIn(text, ontology).some(({ account }) => account !== own),
  );
}

/** `billing@greenwaydental.example` bears the name «Greenway Dental». */
const isNamedIn = (text: string, names: readonly string[]): boolean => {
  const folded = foldText(text);
  return names.some((name) => folded.includes(name));
};
