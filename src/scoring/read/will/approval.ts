/** Whether a person ordered exactly this, or stopped it. Words such as «approved» alone prove nothing. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/action-words.ts';
import { readCalls } from '../conversation/calls.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Ask, requestOf } from '../conversation/request.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import type { Segment } from '../conversation/transcript.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { GROUP_MASK, TOLD } from '../words/grammar.ts';
import { lex } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';
import { excludedGroups } from './exclusions.ts';
import { fitOf } from './fit.ts';

export function approvalOf(
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
  event: AgentEvent,
): number {
  if (isYesToProposal(ontology, action, args, text) || isYesToRehearsal(ontology, event, text)) return 1;
  const request = requestOf(text, ontology);
  const { own_groups, objects } = actionWordsOf(action, vocabularyOf(ontology));
  const asks = request.asks.filter((ask) => (ask.groups & own_groups) !== 0);
  if (asks.length === 0 || (excludedGroups(ontology, action, args, text) & own_groups) !== 0) return 0;
  if (isYesToCount(ontology, args, text)) return 1;
  const critical = decidingArguments(ontology, args);
  const { words } = corpusOf(text);
  const sentences = new Map(asks.map((ask) => [ask.from, ask]));
  const namesObject = [...sentences.values()].some((ask) => hasAny(words.hash, ask, objects));
  const isComplete = critical.length > 0 && critical.every((arg) => arg.provenance === 'user');
  const fit = fitOf(ontology, action, args, text);
  // Looking is part of most wishes, so its object must be named too. For other acts, verb and values suffice.
  if (isComplete && (fit.has_topic || !wordSet(ontology, 'preparing_groups').has(action.effective_group))) return 1;
  return (namesObject || critical.some((arg) => arg.provenance === 'user')) && fit.covers ? 0.5 : 0;
}

function decidingArguments(ontology: Ontology, args: readonly Argument[]): Argument[] {
  const roles = wordSet(ontology, 'deciding_roles');
  return args.filter((arg) => roles.has(arg.role) && arg.kind !== 'flag');
}

function hasAny(hashes: ArrayLike<number>, { from, to }: Ask, wanted: ReadonlySet<number>): boolean {
  for (let i = from; i < to; i++) if (wanted.has(hashes[i]!)) return true;
  return false;
}

/**
 * The agent's last proposal, if the user then agreed to it with a plain yes; else null. Messages of tools before or after do not
 * matter, so that text from outside cannot hide an agreement.
 */
export function approvedProposal(ontology: Ontology, text: TextReading): string | null {
  if (!isPlainYes(ontology, text)) return null;
  const segments = segmentsOf(text);
  const last = segments.findLastIndex((s) => s.speaker === 'user');
  const before = segments.findLastIndex((s, i) => i < last && s.speaker !== 'tool');
  return before >= 0 && segments[before]!.speaker === 'agent' ? segments[before]!.text.slice(-MAX_PROPOSAL) : null;
}

const MAX_PROPOSAL = 4_096;

function isPlainYes(ontology: Ontology, text: TextReading): boolean {
  if (text.last_user_message.length > 240) return false;
  const answer = foldText(text.last_user_message).trim();
  return (
    answer.length <= 200 &&
    answer.split(/[.!;,] /).some((sentence) => startsWithAny(sentence, saidFor(ontology).yes)) &&
    !patternOf(ontology, 'approval', 'condition').test(answer)
  );
}

/** The agent named this act with these values, and the user's next words are a plain yes. */
function isYesToProposal(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): boolean {
  const exchange = lastExchange(text);
  if (exchange === null || !isPlainYes(ontology, text)) return false;
  const proposal = exchange.text.slice(-MAX_PROPOSAL);
  const critical = decidingArguments(ontology, args);
  if (!namesEffect(ontology, action, proposal)) return false;
  const said = foldText(proposal);
  const spaced = said.replace(/[ -]/g, '');
  return (
    critical.length > 0 &&
    critical.every((arg) => {
      const value = foldText(arg.value);
      return said.includes(value) || (value.length > 6 && spaced.includes(value.replace(/[ -]/g, '')));
    })
  );
}

/** The user asked for the act, the agent told how many things it means, and the user's next words are a plain yes. */
function isYesToCount(ontology: Ontology, args: readonly Argument[], text: TextReading): boolean {
  const exchange = lastExchange(text);
  if (exchange === null || !isPlainYes(ontology, text)) return false;
  const told = foldText(exchange.text.slice(-MAX_PROPOSAL)).replace(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, '');
  const counts = args.filter(({ kind, value }) => kind === 'number' && COUNT.test(value));
  return counts.length > 0 && counts.every(({ value }) => new RegExp(`(?<!\\d)${value}(?!\\d)`).test(told));
}

/**
 * The agent counted with the same condition, or ran the same command as a rehearsal, and the user's next words are a plain yes.
 * What came between is the agent's own call, so nobody else can bring this about.
 */
function isYesToRehearsal(ontology: Ontology, event: AgentEvent, text: TextReading): boolean {
  if (!isPlainYes(ontology, text)) return false;
  const last = readCalls(event, ontology).at(-1);
  if (last === undefined) return false;
  const { given } = rehearsals(ontology);
  const before = plain(last.text);
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(({ value }) => {
      if (typeof value !== 'string' || value.length > MAX_PROPOSAL) return false;
      const condition = /\bwhere\b([^;]{12,2000})/i.exec(value)?.[1];
      if (condition !== undefined) return before.includes(plain(condition));
      const words = last.text.split(/[\s"',{}]+/).filter((word) => word !== '');
      const isTried = words.some((word) => given.test(word));
      const own = words.filter((word) => word.startsWith('-') && !given.test(word));
      return isTried && own.length > 0 && own.every((word) => value.includes(word)) && sharesStart(value, last.text);
    });
}

const rehearsals = perOntology((ontology) => ({ given: patternOf(ontology, 'dry_run', 'given') }));
const MAX_LEAVES = 60;
/** Without blanks, quotes and case. */
const plain = (said: string): string => foldText(said).replace(/[\s"'`\\]/g, '');

/** Whether the first words of a command, its program and verb among them, stand in the call before. */
const sharesStart = (command: string, call: string): boolean => call.includes(command.slice(0, START));
const START = 16;

/** One thing needs no count. */
const COUNT = /^(?:[2-9]|[1-9]\d{1,8})$/;

function namesEffect(ontology: Ontology, action: ActionReading, proposal: string): boolean {
  const vocabulary = vocabularyOf(ontology);
  const { own_groups, verbs } = actionWordsOf(action, vocabulary);
  const { hash, count } = lex(proposal);
  for (let i = 0; i < count; i++) {
    const kinds = vocabulary.words.kinds(hash[i]!);
    if (verbs.has(hash[i]!) || ((kinds & TOLD) === 0 && (kinds & GROUP_MASK & own_groups) !== 0)) return true;
  }
  return false;
}

/** The agent's last words before the user's last ones, if nothing came between or after. */
function lastExchange(text: TextReading): Segment | null {
  const segments = segmentsOf(text);
  const last = segments.findLastIndex((s) => s.speaker === 'user');
  if (last < 1 || segments.slice(last + 1).some((s) => s.speaker === 'tool' && s.text.trim() !== '')) return null;
  const before = segments[last - 1]!;
  return before.speaker === 'agent' ? before : null;
}

/**
 * Whether the user's last message is a refusal: «no», «stop», «not yet». With a new wish after it, it does not refuse everything.
 * Later messages of agent and tools do not count: only the user can take a refusal back.
 */
export function wasRefused(ontology: Ontology, text: TextReading): boolean {
  if (text.last_user_message.length > 200) return false;
  const answer = foldText(text.last_user_message).trim();
  if (answer === '' || answer.length > 160) return false;
  const { no, exceptions } = saidFor(ontology);
  if (!startsWithAny(answer, no)) return false;
  if (no.includes(withoutStop(answer))) return true;
  if (startsWithAny(answer.replace(/^no[, ]{1,4}/, ''), exceptions)) return false;
  return patternOf(ontology, 'approval', 'refusal').test(answer) && lex(answer).count <= 8;
}

function withoutStop(answer: string): string {
  let to = answer.length;
  while (to > 0 && '.! '.includes(answer.charAt(to - 1))) to--;
  return answer.slice(0, to);
}

interface Said {
  yes: string[];
  no: string[];
  exceptions: string[];
}

/** The ontology's words of approval and refusal, folded. */
const saidFor = perOntology((ontology): Said => {
  const list = (name: string): string[] => listOf(ontology, name).map((word) => foldText(word).trim());
  return { yes: list('approval_yes'), no: list('approval_no'), exceptions: list('approval_no_exceptions') };
});

function startsWithAny(text: string, starts: readonly string[]): boolean {
  return starts.some(
    (start) => text.startsWith(start) && !/^[\p{L}\p{N}]/u.test(text.slice(start.length, start.length + 2)),
  );
}
