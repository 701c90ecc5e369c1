/** What the user wants to wait for, where the last result says that it has not happened: «file it once she has signed», `signed_at: null`. */

import type { AgentEvent } from '../../../../events/event.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternsOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { readCalls } from '../../conversation/calls.ts';
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
  clauses: [...patternsOf(ontology, 'condition_clauses').values()].map(({ source }) => new RegExp(source, 'gi')),
}));

const MAX_REQUEST = 8_192;
const MAX_CLAUSES = 8;
const MAX_PASSAGES = 16;
const MAX_PASSAGE = 16_384;
const MAX_FIELDS = 256;
const LONGEST_VALUE = 80;
const SHORTEST_STEM = 3;

/** The states that the user waits for, as words of the clauses of his conditions. */
const awaitedStates = perRequest((said, ontology): readonly string[] => {
  const { clauses, awaited } = words(ontology);
  const request = said.slice(0, MAX_REQUEST).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const heard = clauses
    .flatMap((clause) => [...request.matchAll(clause)].slice(0, MAX_CLAUSES))
    .flatMap((match) => (match[1] ?? '').split(/[^\p{L}-]+/u));
  return awaited.filter((one) => heard.some((word) => one.said.has(word))).map(({ state }) => state);
});

/** The field that says so, with its value; '' where nothing does, or where the action only waits, asks or prepares. */
export function unmetCondition(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
  covers: boolean,
): string {
  const states = awaitedStates(text);
  if (states.length === 0 || text.untrusted.length === 0) return '';
  const named = action.name_words;
  if (named.some((word) => words(ontology).waiting.has(word))) return '';
  if (!covers && !named.some((word) => isSpokenOf(word, text))) return '';
  const calls = readCalls(event, ontology);
  if (calls.length === 0)
    return (
      lastVerdict(
        text.untrusted.map((passage) => passage.text),
        states,
        ontology,
      ) ?? ''
    );
  // Only the tool that said that it has not happened takes that back: what another one says may be an outsider's.
  const verdicts = new Map<string, string>();
  for (const { name, results } of calls) {
    const said = results.map((result) => judged(result.slice(0, MAX_PASSAGE), states, ontology));
    const verdict = said.find((one) => one !== undefined && one !== '') ?? said.find((one) => one !== undefined);
    if (verdict !== undefined) verdicts.set(name, verdict);
  }
  return [...verdicts.values()].find((verdict) => verdict !== '') ?? '';
}

const lastVerdict = (results: readonly string[], states: readonly string[], ontology: Ontology): string | undefined =>
  results
    .slice(-MAX_PASSAGES)
    .map((result) => judged(result.slice(0, MAX_PASSAGE), states, ontology))
    .findLast((verdict) => verdict !== undefined);

/** `filing` for «file»: the user names what is done, in whatever form. */
function isSpokenOf(word: string, text: TextReading): boolean {
  if (word.length < SHORTEST_STEM) return false;
  return letterWordsIn(foldedUserWords(text).slice(0, MAX_REQUEST)).some((said) => {
    const least = Math.max(SHORTEST_STEM, Math.min(said.length, word.length) - 1);
    return said.length >= SHORTEST_STEM && said.slice(0, least) === word.slice(0, least);
  });
}

/**
 * What one result says. A field of the state itself tells more than a status, and one signature that lacks more than one that is there.
 * `undefined`: it says nothing of it; '': it has happened.
 */
function judged(result: string, states: readonly string[], ontology: Ontology): string | undefined {
  const { awaited, unmet, unmet_values, met, status } = words(ontology);
  const own = awaited.filter(({ state }) => states.includes(state));
  const isSaid = (word: string): boolean => own.some((one) => one.said.has(word));
  const fields = scanRecords(result)
    .records.flatMap((record) => [...record])
    .slice(0, MAX_FIELDS);
  let last: string | undefined;
  let isKept = false;
  for (const [key, given] of fields) {
    const value = given.trim().toLowerCase();
    if (value.length > LONGEST_VALUE) continue;
    if (wordsOf(key).some(isSaid)) {
      if (value === '' || unmet_values.has(value) || unmet.has(value)) return `${key}: ${value}`;
      isKept = true;
    } else if (status.has(key)) {
      if (unmet.has(value)) last = `${key}: ${value}`;
      else if (met.has(value) || isSaid(value)) last ??= '';
    }
  }
  return isKept ? '' : last;
}
