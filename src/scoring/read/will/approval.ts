/** Whether a person ordered exactly this, or stopped it. Words such as «approved» alone prove nothing. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { isPreparing } from '../action/preparing.ts';
import { isPlainYes, MAX_PROPOSAL, proposalBefore, startsWithAny } from '../conversation/agreed.ts';
import { readCalls } from '../conversation/calls.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Ask, requestOf } from '../conversation/request.ts';
import { lastUserIndex, segmentsOf, type TextReading } from '../conversation/text.ts';
import type { Segment } from '../conversation/transcript/transcript.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { GROUP_MASK, TOLD } from '../words/grammar/grammar.ts';
import { lex } from '../words/lexer.ts';
import { goesAhead } from '../words/limits.ts';
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
  if (asks.length === 0 || (excludedGroups(event, ontology, action, args, text) & own_groups) !== 0) return 0;
  if (isYesToCount(ontology, args, text)) return 1;
  const critical = decidingArguments(ontology, args);
  const { words } = corpusOf(text).user;
  const sentences = new Map(asks.map((ask) => [ask.from, ask]));
  const namesObject = [...sentences.values()].some((ask) => hasAny(words.hash, ask, objects));
  const isComplete = critical.length > 0 && critical.every((arg) => arg.provenance === 'user');
  const fit = fitOf(ontology, action, args, text);
  // Looking is part of most wishes, so its object must be named too. For other acts, verb and values suffice.
  if (isComplete && (fit.has_topic || !isPreparing(action, ontology))) return 1;
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

/** The agent or the user named this act, the values are of the proposal or the user's own, and the user's next words are a plain yes. */
function isYesToProposal(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): boolean {
  const exchange = lastExchange(text);
  if (exchange === null || !isPlainYes(ontology, text)) return false;
  const proposal = exchange.text.slice(-MAX_PROPOSAL);
  // Whose thing it is says nothing new beside what is done to it.
  const deciding = decidingArguments(ontology, args);
  const named = deciding.filter(({ role, kind }) => role !== PRINCIPAL || kind !== 'phrase');
  const critical = named.length > 0 ? named : deciding;
  if (!fitOf(ontology, action, args, text).asks_effect && !namesEffect(ontology, action, proposal)) return false;
  const said = foldText(proposal);
  const spaced = said.replace(/[ -]/g, '');
  return (
    critical.length > 0 &&
    critical.every(({ value, provenance }) => {
      const folded = foldText(value);
      return (
        provenance === 'user' ||
        said.includes(folded) ||
        (folded.length > 6 && spaced.includes(folded.replace(/[ -]/g, '')))
      );
    })
  );
}

const PRINCIPAL = 'principal';

/** The user asked for the act, the agent told how many things it means, and the user's next words are a plain yes. */
function isYesToCount(ontology: Ontology, args: readonly Argument[], text: TextReading): boolean {
  const exchange = lastExchange(text);
  if (exchange === null || !isPlainYes(ontology, text)) return false;
  const told = foldText(exchange.text.slice(-MAX_PROPOSAL)).replace(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, '');
  const counts = args.filter(({ kind, value }) => kind === 'number' && COUNT.test(value));
  return counts.length > 0 && counts.every(({ value }) => new RegExp(`(?<!\\d)${value}(?!\\d)`).test(told));
}

/**
 * The agent counted the rows of the same table under the same condition, or ran the same command as a rehearsal; then the user's last
 * words are a plain yes. Only what was tried before these words counts, and only where the action does nothing beside it.
 */
function isYesToRehearsal(ontology: Ontology, event: AgentEvent, text: TextReading): boolean {
  if (!isPlainYes(ontology, text)) return false;
  const said = lastUserIndex(text);
  const tried = readCalls(event, ontology).findLast(({ index }) => index < said);
  const values = parametersOf(event).leaves.flatMap(({ value }) =>
    typeof value === 'string' && /\s/.test(value.trim()) ? [value] : [],
  );
  const [only] = values;
  if (tried === undefined || only === undefined || values.length > 1 || only.length > MAX_PROPOSAL) return false;
  const rows = ROWS.exec(only);
  return rows === null ? isSameCommand(only, tried.text, ontology) : plain(tried.text).includes(plain(rows[1]!));
}

/** One statement about rows, alone or in a transaction: its table and condition, to the end. */
const ROWS =
  /^\s{0,8}(?:begin\s{0,4};\s{0,8})?delete\s{1,8}(from\s{1,8}[\w.]{1,120}\s{1,8}where\b[^;]{8,2000});?\s{0,8}(?:commit\s{0,4};?\s{0,8})?$/i;

/** Whether a command has no word that the rehearsal lacks, but for switches such as `--prune`, and lacks only what made it one. */
function isSameCommand(command: string, call: string, ontology: Ontology): boolean {
  const { given, switches } = rehearsals(ontology);
  const tried = wordsOfCommand(call);
  const now = wordsOfCommand(command);
  const isSwitch = (word: string): boolean => word.startsWith('--') && switches.has(word.slice(2));
  return (
    now.length > 1 &&
    tried.some((word) => given.test(word)) &&
    !now.some((word) => given.test(word)) &&
    now.every((word) => tried.includes(word) || isSwitch(word)) &&
    tried.filter((word) => word.startsWith('-') && !given.test(word)).every((word) => now.includes(word))
  );
}

const wordsOfCommand = (said: string): readonly string[] => said.split(/[\s"',{}]+/).filter((word) => word !== '');

const rehearsals = perOntology((ontology) => ({
  given: patternOf(ontology, 'dry_run', 'given'),
  switches: setOf(ontology, 'switches'),
}));
/** Without blanks, quotes and case. */
const plain = (said: string): string => foldText(said).replace(/[\s"'`\\]/g, '');

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
  const { no, exceptions, wait } = saidFor(ontology);
  // «Espera, o preço está errado»: a wait needs no further word.
  const waits = wait.some(
    (word) => answer.startsWith(word) && /^(?:$|\s{0,2}[,.!;:…、。，！،-])/.test(answer.slice(word.length)),
  );
  const isAnswer = segmentsOf(text).some(({ speaker }) => speaker === 'agent');
  if (waits && isAnswer && !goesAhead(answer, ontology)) return true;
  if (isAnswer && refusesFlatly(ontology, answer, text)) return true;
  if (!startsWithAny(answer, no)) return false;
  if (no.includes(withoutStop(answer))) return true;
  if (startsWithAny(answer.replace(/^no[, ]{1,4}/, ''), exceptions)) return false;
  return patternOf(ontology, 'approval', 'refusal').test(answer) && lex(answer).count <= 8;
}

/** «Brilliant, seven percent. No way.»: the agent asked, and wherever the refusal stands, nothing behind it orders something else. */
function refusesFlatly(ontology: Ontology, answer: string, text: TextReading): boolean {
  if (!(proposalBefore(text)?.text ?? '').includes('?')) return false;
  const found = saidFor(ontology).flat.exec(answer);
  if (found === null) return false;
  const rest = answer.slice(found.index + found[0].length).split(CLAUSE_END);
  if (rest.some((clause) => lex(clause).count > MOST_BEHIND)) return false;
  // «No thanks, leave it.»: a further refusal orders nothing.
  if (rest.every((clause) => clause.trim() === '' || saidFor(ontology).flat.test(clause.trim()))) return true;
  const last = lastUserIndex(text);
  const isLast = ({ index, text: said }: Segment): boolean => index === last || said === text.last_user_message;
  return !requestOf(text, ontology).asks.some(({ stretch }) => isLast(stretch.segment));
}

/** Words of a clause behind a refusal; more of them say what is wanted instead. */
const MOST_BEHIND = 2;
const CLAUSE_END = /[.!?,;:…]/;

function withoutStop(answer: string): string {
  let to = answer.length;
  while (to > 0 && '.! '.includes(answer.charAt(to - 1))) to--;
  return answer.slice(0, to);
}

interface Said {
  no: string[];
  exceptions: string[];
  wait: string[];
  flat: RegExp;
}

/** The ontology's words of refusal, folded. */
const saidFor = perOntology((ontology): Said => {
  const list = (name: string): string[] => listOf(ontology, name).map((word) => foldText(word).trim());
  return {
    no: list('approval_no'),
    exceptions: list('approval_no_exceptions'),
    wait: list('approval_wait'),
    flat: anyOf(ontology, 'flat_refusals'),
  };
});
