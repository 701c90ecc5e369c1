/** What the user wants to wait for, where the last result says that it has not happened: «file it once she has signed», `signed_at: null`. */

import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternsOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { type Call, readCalls, sureResults } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { scanRecords } from '../../conversation/transcript/records.ts';
import { foldedUserWords, perRequest } from '../../conversation/user-words.ts';
import { letterWordsIn } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  awaited: [...tableOf(ontology, 'awaited_states')].map(([state, said]) => ({ state, said: new Set(said) })),
  unmet: setOf(ontology, 'unmet_states'),
  unmet_values: setOf(ontology, 'unmet_values'),
  met: setOf(ontology, 'met_states'),
  status: setOf(ontology, 'status_fields'),
  waiting: setOf(ontology, 'waiting_names'),
  none: setOf(ontology, 'negating_words'),
  stop_words: setOf(ontology, 'stop_words'),
  clauses: [...patternsOf(ontology, 'condition_clauses').values()].map(({ source }) => new RegExp(source, 'gi')),
}));

const MAX_REQUEST = 8_192;
const MAX_CLAUSES = 8;
const MAX_PASSAGES = 16;
const MAX_PASSAGE = 16_384;
const MAX_FIELDS = 256;
const LONGEST_VALUE = 80;
const SHORTEST_STEM = 3;

/** What the user waits for. */
interface Awaited {
  /** Rows of `awaited_states`. */
  states: readonly string[];
  /** Words of the clauses by which the field of a result is told as the awaited one. */
  told: readonly string[];
  /** Those of which there are to be none: «no open findings». */
  none: readonly string[];
}

/** The states that the user waits for, and the other words of the clauses of his conditions. */
const awaitedStates = perRequest((said, ontology): Awaited => {
  const { clauses, awaited, none, stop_words } = words(ontology);
  const request = said.slice(0, MAX_REQUEST).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const parts = clauses
    .flatMap((clause) => [...request.matchAll(clause)].slice(0, MAX_CLAUSES))
    // «When is my deadline?» asks.
    .filter(({ 0: clause, index }) => request[index + clause.length] !== '?')
    .map((match) => (match[1] ?? '').split(/[^\p{L}-]+/u));
  const heard = parts.flat();
  const tells = (word: string): boolean => word.length >= LEAST_TELLING && !stop_words.has(word);
  return {
    states: awaited.filter((one) => heard.some((word) => one.said.has(word))).map(({ state }) => state),
    told: heard.filter(tells),
    none: parts.flatMap((part) => {
      const at = part.findIndex((word) => none.has(word));
      return at < 0 ? [] : part.slice(at + 1, at + 1 + NONE_REACH).filter(tells);
    }),
  };
});

/** Letters of a word that tells a field. */
const LEAST_TELLING = 5;
/** Words behind «no» that say of what there is to be none. */
const NONE_REACH = 3;

/** The field that says so, with its value; '' where nothing does, or where the action only waits, asks or prepares. */
export function unmetCondition(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
  covers: boolean,
): string {
  const states = awaitedStates(text);
  if (states.told.length === 0 && states.states.length === 0) return '';
  if (text.untrusted.length === 0) return '';
  const named = action.name_words;
  // `draft:delete` deletes: there the word is what the action works on.
  const of_scope = action.effective_group === 'delete' ? wordsOf(action.scope) : [];
  if (named.some((word) => words(ontology).waiting.has(word) && !of_scope.includes(word))) return '';
  const calls = readCalls(event, ontology);
  if (!covers && !named.some((word) => isSpokenOf(word, text)) && !isOfLookUp(event, calls)) return '';
  if (calls.length === 0) {
    const passages = text.untrusted.map((passage) => passage.text);
    return lastVerdict(passages, states, ontology) ?? '';
  }
  return verdictsOf(calls, states, ontology).find((verdict) => verdict !== '') ?? '';
}

/** Whether look-ups of the agent's say that what the user waits for has happened, and none that it has not. */
export function conditionHolds(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const states = awaitedStates(text);
  if (states.states.length === 0 && states.told.length === 0) return false;
  const calls = readCalls(event, ontology);
  const sure = calls.map((call) => ({ ...call, results: [...sureResults(call, calls)] }));
  const verdicts = verdictsOf(sure, states, ontology);
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === '');
}

/** Of each tool the last word. Only the tool that said that it has not happened takes that back: what another one says may be an outsider's. */
function verdictsOf(calls: readonly Call[], states: Awaited, ontology: Ontology): readonly string[] {
  const verdicts = new Map<string, string>();
  for (const { name, results } of calls) {
    const said = results.map((result) => judged(result.slice(0, MAX_PASSAGE), states, ontology));
    const verdict = said.find((one) => one !== undefined && one !== '') ?? said.find((one) => one !== undefined);
    if (verdict !== undefined) verdicts.set(name, verdict);
  }
  return [...verdicts.values()];
}

const lastVerdict = (results: readonly string[], states: Awaited, ontology: Ontology): string | undefined =>
  results
    .slice(-MAX_PASSAGES)
    .map((result) => judged(result.slice(0, MAX_PASSAGE), states, ontology))
    .findLast((verdict) => verdict !== undefined);

/** What was looked up is what the action takes: the verb may be of another language than the request. */
function isOfLookUp(event: AgentEvent, calls: readonly Call[]): boolean {
  const given = new Set(
    parametersOf(event)
      .leaves.slice(0, MAX_FIELDS)
      .map(({ value }) => String(value)),
  );
  return calls.some(({ args }) => [...args.values()].some((value) => /\d/.test(value) && given.has(value)));
}

/** `filing` for «file»: the user names what is done, in whatever form. */
function isSpokenOf(word: string, text: TextReading): boolean {
  if (word.length < SHORTEST_STEM) return false;
  return letterWordsIn(foldedUserWords(text).slice(0, MAX_REQUEST)).some((said) => {
    const least = Math.max(SHORTEST_STEM, Math.min(said.length, word.length) - 1);
    return said.length >= SHORTEST_STEM && said.slice(0, least) === word.slice(0, least);
  });
}

/** Of a status that no other kind of field holds: «under review», `awaiting_payment`. */
const LONG_STATE = /^\p{L}{2,12}[ _]\p{L}{2,12}$/u;

/** A number may count anything that the user speaks of. */
const isUnmetFlag = (value: string): boolean =>
  value === '' || value === 'false' || value === 'null' || value === 'none';

/** The same word, or another form of a longer one. */
const isSameWord =
  (word: string) =>
  (other: string): boolean =>
    word.length >= LEAST_TELLING && word.slice(0, -1) === other.slice(0, word.length - 1);

/**
 * What one result says. A field of the state itself tells more than a status, and one signature that lacks more than one that is there.
 * `undefined`: it says nothing of it; '': it has happened.
 */
function judged(result: string, { states, told, none }: Awaited, ontology: Ontology): string | undefined {
  const { awaited, unmet, unmet_values, met, status } = words(ontology);
  const own = awaited.filter(({ state }) => states.includes(state));
  const isSaid = (word: string): boolean => own.some((one) => one.said.has(word));
  const isTold = (word: string): boolean => told.some(isSameWord(word));
  const fields = scanRecords(result)
    .records.flatMap((record) => [...record])
    .slice(0, MAX_FIELDS);
  let last: string | undefined;
  let isKept = false;
  for (const [key, given] of fields) {
    const value = given.trim().toLowerCase();
    if (value.length > LONGEST_VALUE) continue;
    if (none.length > 0 && wordsOf(key).some((word) => none.some(isSameWord(word)))) {
      if (Number(value) > 0) return `${key}: ${value}`;
      if (value === '0' || unmet_values.has(value)) isKept = true;
    } else if (wordsOf(key).some(isSaid)) {
      if (value === '' || unmet_values.has(value) || unmet.has(value)) return `${key}: ${value}`;
      isKept = true;
    } else if (wordsOf(key).some(isTold) && (isUnmetFlag(value) || unmet.has(value))) return `${key}: ${value}`;
    else if (status.has(key)) {
      if (unmet.has(value)) last = `${key}: ${value}`;
      else if (met.has(value) || isSaid(value)) last ??= '';
    } else if (states.length > 0 && LONG_STATE.test(value) && unmet.has(value)) last ??= `${key}: ${value}`;
  }
  return isKept ? '' : last;
}
