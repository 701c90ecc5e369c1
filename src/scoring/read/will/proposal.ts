/** Compares an action with the proposal that the user agreed to. */
import { shapeOf, singular } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { approvedProposal, proposalOf } from '../conversation/agreed.ts';
import { readCalls } from '../conversation/calls.ts';
import { eventOfText, memoOf, type TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { wordsIn } from '../words/fold.ts';
import { GROUP_MASK, TOLD } from '../words/grammar/grammar.ts';
import { actGroups } from '../words/grammar/mood.ts';
import { hashWord, lex } from '../words/lexer.ts';
import { ADDRESS_KINDS, readValue, type ValueKind } from '../words/normalise.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { globalPatternOf, hashedList, wordSet } from '../words/word-lists.ts';

export interface ChangedValue {
  approved: string;
  executed: string;
}

const NOTHING: ChangedValue = { approved: '', executed: '' };
const COMPARED: ReadonlySet<ValueKind> = new Set([...ADDRESS_KINDS, 'path', 'amount']);
const PIECES = /[^\s"'`<>()[\]{},;|]{3,256}/g;
/**
 * A value of the proposal for which the action uses another value of the same kind: the mail goes to another recipient than the
 * approved one. A value that the user gave is not a change.
 */
export function changedValue(ontology: Ontology, args: readonly Argument[], text: TextReading): ChangedValue {
  return memoOf(text).get('changed value', () => findChanged(ontology, args, text));
}

function findChanged(ontology: Ontology, args: readonly Argument[], text: TextReading): ChangedValue {
  const proposal = approvedProposal(ontology, text);
  if (proposal === null) return NOTHING;
  const proposed = valuesIn(ontology, proposal);
  const folders = wordSet(ontology, 'folder_parameters');
  const used = args.filter((arg) => COMPARED.has(arg.kind)).map((arg) => readValue(arg.value, arg.role, ontology));
  const normals = new Set(used.map(({ normal }) => normal));
  for (const arg of args) {
    if (arg.role === '' || !COMPARED.has(arg.kind) || arg.provenance === 'user') continue;
    const { kind, normal } = readValue(arg.value, arg.role, ontology);
    // `postgres://app@db-1.example/x` goes to the host `db-1.example`.
    const host = kind === 'url' ? HOST.exec(normal)?.[1] : undefined;
    // The folder in which the agent has been working is not an answer to the proposal.
    if (folders.has(arg.path) && wasFolderBefore(arg, ontology, text)) continue;
    const rivals = proposed.filter((value) => value.kind === kind || (host !== undefined && value.kind === 'host'));
    const isNamed = rivals.some(
      (value) =>
        value.normal === normal || value.normal === host || isBelow(normal, value) || isToldShort(normal, value),
    );
    if (rivals.length === 0 || isNamed) continue;
    const left = rivals.find((value) => !normals.has(value.normal));
    if (left !== undefined) return { approved: left.text, executed: arg.value };
  }
  return changedNumber(proposal, args);
}

/** Whether an earlier call ran in this folder. */
function wasFolderBefore({ path, value }: Argument, ontology: Ontology, text: TextReading): boolean {
  const event = eventOfText(text);
  return event !== null && readCalls(event, ontology).some(({ args }) => args.get(path) === value);
}

/** A page of the site, or a file of the folder, that was named. */
const isBelow = (normal: string, { kind, normal: named }: { kind: ValueKind; normal: string }): boolean =>
  (kind === 'url' || kind === 'path') && normal.startsWith(named.endsWith('/') ? named : `${named}/`);

/** `.tool/settings.json` of the proposal, told from the root of the machine. A path that begins there names its place itself. */
const isToldShort = (normal: string, { kind, normal: named }: { kind: ValueKind; normal: string }): boolean =>
  kind === 'path' && !/^[/~]|^[a-z]:/i.test(named) && normal.endsWith(`/${named.replace(/^\.\//, '')}`);

const HOST = /^[a-z][a-z\d+.-]{1,16}:\/\/(?:[^@/]{0,120}@)?([^/:]{1,255})/;

/** A number of a thing, as `CHK-20990`; plain digits count whatever they like. */
const NUMBER = /^(?=.{0,40}\d)(?=.{0,40}[a-z])[\w-]{4,40}$/;

/** A number of the proposal for which the action uses another of the same kind. */
function changedNumber(proposal: string, args: readonly Argument[]): ChangedValue {
  const proposed = new Map<string, string>();
  for (const [token] of proposal.toLowerCase().matchAll(/[\w-]{4,40}/g))
    if (NUMBER.test(token)) proposed.set(token, shapeOf(token));
  if (proposed.size === 0) return NOTHING;
  const used = new Set(args.map(({ value }) => value.toLowerCase()));
  for (const { kind, value, provenance } of args) {
    const number = value.toLowerCase();
    if (kind !== 'identifier' || provenance === 'user' || !NUMBER.test(number) || proposed.has(number)) continue;
    const left = [...proposed].find(([token, shape]) => shape === shapeOf(number) && !used.has(token));
    if (left !== undefined) return { approved: left[0], executed: value };
  }
  return NOTHING;
}

const moneyIn = perOntology((ontology) => globalPatternOf(ontology, 'amounts', 'in_proposal'));

/** An account in groups, as people write it: `DE89 3704 0044 0532 0130 00`. */
const GROUPED = /\b[A-Z]{2}\d{2}(?: [A-Z\d]{1,4}){3,8}\b/g;

function valuesIn(ontology: Ontology, proposal: string): { kind: ValueKind; normal: string; text: string }[] {
  const values = (proposal.match(moneyIn(ontology)) ?? []).map((piece) => readValue(piece, 'amount', ontology));
  for (const piece of proposal.match(GROUPED) ?? []) {
    const value = readValue(piece.replaceAll(' ', ''), 'payee', ontology);
    if (value.kind === 'account') values.push(value);
  }
  for (const piece of proposal.match(PIECES) ?? []) {
    const value = readValue(piece.replace(/[.!?:]{1,8}$/, ''), '', ontology);
    if (COMPARED.has(value.kind) && value.kind !== 'amount') values.push(value);
    if (values.length >= 64) break;
  }
  return values;
}

/** An announcement follows within so many words of «I will», «let me». */
const NEAR = 4;

/** Whether the user agreed to an announcement that names other effects than this action has. */
export function announcedOtherwise(ontology: Ontology, action: ActionReading, text: TextReading): boolean {
  if (!wordSet(ontology, 'announced_groups').has(action.effective_group)) return false;
  const announcers = hashedList(ontology, 'announcing');
  const proposal = approvedProposal(ontology, text);
  if (proposal === null) return false;
  const vocabulary = vocabularyOf(ontology);
  const { groups, verbs, own_groups } = actionWordsOf(action, vocabulary);
  const words = lex(proposal);
  let announced = 0;
  let announcing = -NEAR - 1;
  for (let i = 0; i < words.count; i++) {
    const hash = words.hash[i]!;
    if (announcers.has(hash)) announcing = i;
    const kinds = vocabulary.words.kinds(hash);
    // The effect was named, in whatever form of the word: «the plan destroys six resources».
    const word = words.text.slice(words.start[i]!, words.end[i]!).toLowerCase();
    const root = word.length > 4 && word.endsWith('s') ? hashWord(word.slice(0, -1)) : hash;
    const of_root = kinds | vocabulary.words.kinds(root);
    if (verbs.has(hash) || verbs.has(root) || (of_root & GROUP_MASK & own_groups) !== 0) return false;
    if (i - announcing <= NEAR && (kinds & TOLD) === 0) announced |= actGroups(words, vocabulary, i, words.count);
  }
  return announced !== 0 && (announced & groups) === 0;
}

/** Whether what the agent told the user last has a word of the name of the action. */
export function namesAction({ name_words }: ActionReading, text: TextReading): boolean {
  const told = new Set(wordsIn(proposalOf(text)).map(singular));
  return name_words.some((word) => word.length > 2 && told.has(singular(word)));
}
