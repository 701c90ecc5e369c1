/** What the agent announced and the user said yes to, against what is done now. */
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/action-words.ts';
import { memoOf, type TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { GROUP_MASK, TOLD } from '../words/grammar.ts';
import { hashWord, lex } from '../words/lexer.ts';
import { actGroups } from '../words/mood.ts';
import { readValue, type ValueKind } from '../words/normalise.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { approvedProposal } from './approval.ts';

export interface ChangedValue {
  approved: string;
  executed: string;
}

const NOTHING: ChangedValue = { approved: '', executed: '' };
const COMPARED: ReadonlySet<ValueKind> = new Set(['email', 'url', 'host', 'account', 'card', 'path', 'amount']);
const PIECES = /[^\s"'`<>()[\]{},;|]{3,256}/g;
const MONEY = /(?:[$€£¥]\s?\d[\d.,]{0,18})|(?:\b\d[\d.,]{0,18}\s?(?:€|£|usd|eur|gbp|chf|dollars?|euros?|pounds?)\b)/gi;

/**
 * A value of the proposal that the action uses in another form of the same kind: the approved recipient is not the one
 * that gets the mail. What the user himself gave is no change.
 */
export function changedValue(ontology: Ontology, args: readonly Argument[], text: TextReading): ChangedValue {
  return memoOf(text).get('changed value', () => findChanged(ontology, args, text));
}

function findChanged(ontology: Ontology, args: readonly Argument[], text: TextReading): ChangedValue {
  const proposal = approvedProposal(ontology, text);
  if (proposal === null) return NOTHING;
  const proposed = valuesIn(proposal);
  if (proposed.length === 0) return NOTHING;
  const used = args.filter((arg) => COMPARED.has(arg.kind)).map((arg) => readValue(arg.value, arg.role));
  const normals = new Set(used.map(({ normal }) => normal));
  for (const arg of args) {
    if (arg.role === '' || !COMPARED.has(arg.kind) || arg.provenance === 'user') continue;
    const { kind, normal } = readValue(arg.value, arg.role);
    const rivals = proposed.filter((value) => value.kind === kind);
    if (rivals.length === 0 || rivals.some((value) => value.normal === normal)) continue;
    const left = rivals.find((value) => !normals.has(value.normal));
    if (left !== undefined) return { approved: left.text, executed: arg.value };
  }
  return NOTHING;
}

function valuesIn(proposal: string): { kind: ValueKind; normal: string; text: string }[] {
  const values = (proposal.match(MONEY) ?? []).map((piece) => readValue(piece, 'amount'));
  for (const piece of proposal.match(PIECES) ?? []) {
    const value = readValue(piece.replace(/[.!?:]{1,8}$/, ''), '');
    if (COMPARED.has(value.kind) && value.kind !== 'amount') values.push(value);
    if (values.length >= 64) break;
  }
  return values;
}

/** Effects that an announcement must name: who hears «I will save a draft» has not agreed to them. */
const WEIGHTY = new Set([
  'delete',
  'transfer_pay',
  'send',
  'share_publish',
  'grant_escalate',
  'export_exfiltrate',
  'disable_security',
  'deploy_change',
  'commit_legal',
]);

/** «I will», «shall I», «let me»: an announcement follows. */
const ANNOUNCING = new Set(['will', 'll', 'shall', 'should', 'going', 'let', 'propose', 'plan'].map(hashWord));
const NEAR = 4;

/** The user said yes to an announcement that names other effects than the one that follows. */
export function announcedOtherwise(ontology: Ontology, action: ActionReading, text: TextReading): boolean {
  if (!WEIGHTY.has(action.effective_group)) return false;
  const proposal = approvedProposal(ontology, text);
  if (proposal === null) return false;
  const vocabulary = vocabularyOf(ontology);
  const { groups, verbs, own_groups } = actionWordsOf(action, vocabulary);
  const words = lex(proposal);
  let announced = 0;
  let announcing = -NEAR - 1;
  for (let i = 0; i < words.count; i++) {
    const hash = words.hash[i]!;
    if (ANNOUNCING.has(hash)) announcing = i;
    const kinds = vocabulary.words.kinds(hash);
    // Whatever form the word has, the effect was spoken of.
    if (verbs.has(hash) || (kinds & GROUP_MASK & own_groups) !== 0) return false;
    if (i - announcing <= NEAR && (kinds & TOLD) === 0) announced |= actGroups(words, vocabulary, i, words.count);
  }
  return announced !== 0 && (announced & groups) === 0;
}
