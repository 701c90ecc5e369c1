/**
 * What the agent looked up restricts the action: a note says that the recipient must not be told, a flag that the record is on
 * hold. Text from outside can only add a restriction here.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../../../ontology/words.ts';
import type { ActionReading } from '../../../action/action.ts';
import { readCalls } from '../../../conversation/calls.ts';
import { perPassage } from '../../../conversation/kept-passages.ts';
import { requestOf } from '../../../conversation/request.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { type ResultRecord, recordsOf } from '../../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText, letterWordsIn } from '../../../words/fold.ts';
import { vocabularyOf } from '../../../words/vocabulary.ts';
import { plannedLoss } from '../../misuse/planned-losses.ts';

const words = perOntology((ontology) => ({
  /** Verb group → fields of a record that, where they hold, restrict it. */
  flags: tableOf(ontology, 'restricting_fields'),
  unset: tableOf(ontology, 'permitting_fields'),
  states: tableOf(ontology, 'restricting_states'),
  state_names: setOf(ontology, 'state_names'),
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  notes: anyOf(ontology, 'restricting_notes'),
  held: anyOf(ontology, 'holds_in_results'),
  telling: setOf(ontology, 'telling_groups'),
  applying: setOf(ontology, 'plan_words'),
}));

const MAX_PASSAGES = 8;
const MAX_PASSAGE = 16_384;
const MAX_LEAVES = 60;
const SHORTEST_NAME = 4;
const SHORTEST_ID = 3;

/** The note or field that restricts the action; '' where nothing does, or the user's own words speak of it. */
export function restrictionOf(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): string {
  if (text.untrusted.length === 0) return '';
  const group = action.effective_group;
  // A switch of the action names no record: `skip_trash: true` is not the `legal_hold: true` of another one.
  const leaves = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value !== 'boolean');
  const { on, off } = words(ontology);
  const values = [event.target?.resource_id ?? '', ...leaves.map(({ value }) => String(value))].filter(
    (value) =>
      value.length >= SHORTEST_ID && value.length <= 128 && !on.has(foldText(value)) && !off.has(foldText(value)),
  );
  const found =
    flagOf(recordsOf(text), new Set(values), group, ontology) ||
    (group === 'delete' ? holdOf(event, new Set(values), ontology) : '') ||
    noteOf(text, values, group, ontology) ||
    unorderedLoss(action, text, ontology);
  const said = foldedUserWords(text);
  return found === '' || found.split(/[^\p{L}]+/u).some((word) => word.length > 5 && said.includes(foldText(word)))
    ? ''
    : found;
}

/** A field of the record that the action works on: `legal_hold: true`, `consent: false`, `status: on hold`. */
function flagOf(
  records: readonly ResultRecord[],
  values: ReadonlySet<string>,
  group: string,
  ontology: Ontology,
): string {
  const { flags, unset, states, state_names, on, off } = words(ontology);
  const restricting = flags.get(group);
  const permitting = unset.get(group);
  const held = states.get(group);
  if (restricting === undefined && permitting === undefined && held === undefined) return '';
  for (const { fields } of records) {
    if (![...fields.values()].some((value) => values.has(value) && value.length >= SHORTEST_ID)) continue;
    for (const [key, value] of fields) {
      const folded = foldText(value.trim());
      if (restricting?.includes(key) === true && on.has(folded)) return `${key}: ${value}`;
      if (permitting?.includes(key) === true && off.has(folded)) return `${key}: ${value}`;
      if (state_names.has(key) && held?.includes(folded.replace(/[_-]/g, ' ')) === true) return `${key}: ${value}`;
    }
  }
  return '';
}

/** A look-up by a value of the action that says, in whatever field, that this thing is on hold: `flags: ["LEGAL HOLD since …"]`. */
function holdOf(event: AgentEvent, values: ReadonlySet<string>, ontology: Ontology): string {
  const { held } = words(ontology);
  for (const { args, results } of readCalls(event, ontology)) {
    if (![...args.values()].some((value) => value.length > SHORTEST_ID && values.has(value))) continue;
    const found = results.map((result) => held.exec(foldText(result.slice(0, MAX_PASSAGE)))?.[0]).find(Boolean);
    if (found !== undefined) return found;
  }
  return '';
}

/** What a plan that was shown destroys, where it is applied and nobody asked to remove anything. */
function unorderedLoss(action: ActionReading, text: TextReading, ontology: Ontology): string {
  const { applying } = words(ontology);
  if (!action.name_words.some((word) => applying.has(word))) return '';
  const { groups } = requestOf(text, ontology);
  const { bitOf } = vocabularyOf(ontology);
  if ((groups & (bitOf('delete') | bitOf('deploy_change'))) !== 0) return '';
  return plannedLoss(text, ontology);
}

/** «No disclosure to D. Kerrigan», where a mail to this name is to tell something. */
function noteOf(text: TextReading, values: readonly string[], group: string, ontology: Ontology): string {
  const { telling } = words(ontology);
  if (!telling.has(group)) return '';
  const names = values
    .filter((value) => value.length <= 64)
    .flatMap((value) => letterWordsIn(value.split('@')[0]!))
    .filter((name) => name.length >= SHORTEST_NAME);
  if (names.length === 0) return '';
  for (const passage of text.untrusted.slice(-MAX_PASSAGES)) {
    const note = notesIn(passage, ontology).find((sentence) => {
      const folded = foldText(sentence);
      return names.some((name) => standsAlone(name, folded));
    });
    if (note !== undefined) return note.trim().slice(0, 160);
  }
  return '';
}

/** Sentences of a result that forbid telling something. */
const notesIn = perPassage((said, ontology) => {
  const sentences = said.slice(0, MAX_PASSAGE).split(/[!?;\n"]|[a-z\d]{2}\.\s/);
  return sentences.filter((sentence) => words(ontology).notes.test(sentence));
});
