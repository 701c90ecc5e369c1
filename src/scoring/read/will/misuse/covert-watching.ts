/** Whether a person is watched, recorded or located so that the person does not know. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { entryInName, matchesAny } from '../../words/word-lists.ts';

const words = perOntology((ontology) => ({
  watching: setOf(ontology, 'watching_words'),
  planting: setOf(ontology, 'planting_words'),
  planted: setOf(ontology, 'planted_names'),
  offenders: setOf(ontology, 'offender_words'),
  off: anyOf(ontology, 'switch_values'),
  own: new Set([...setOf(ontology, 'own_user_words'), 'my', 'mine', 'own']),
}));

const LONGEST = 4_096;
const MAX_LEAVES = 200;
const LONGEST_PROGRAM = 400;

/** `asked`: the user says that the person is not to know; `set`: a parameter hides it; '' otherwise. */
export function covertWatching(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): 'asked' | 'set' | '' {
  const isAsked = saysCovert(text) && !speaksOfOffender(text);
  if (isAsked) return watches(event, action, ontology) ? 'asked' : '';
  const isWatched = hides(event, ontology) && (watchesSomebody(event, action, ontology) || records(event, ontology));
  return isWatched && !speaksOfOffender(text) ? 'set' : '';
}

const saysCovert = perRequest(
  (said, ontology) => said !== '' && matchesAny(ontology, 'covert_phrases', said.slice(0, LONGEST)),
);

const speaksOfOffender = perRequest((said, ontology) => {
  const { offenders } = words(ontology);
  return (foldText(said.slice(0, LONGEST)).match(/\p{L}+/gu) ?? []).some((word) => offenders.has(singular(word)));
});

/** The names of the action, what it switches on, and the commands and programs that it runs or puts on a device. */
function watches(event: AgentEvent, action: ActionReading, ontology: Ontology): boolean {
  const { watching, planting } = words(ontology);
  const isWatching = (word: string): boolean => watching.has(word) || watching.has(singular(word));
  if (namesOf(event, action, ontology).some((word) => isWatching(word) || planting.has(word))) return true;
  return records(event, ontology);
}

/** `record: true` of a tool that joins a call. */
function records(event: AgentEvent, ontology: Ontology): boolean {
  const { watching } = words(ontology);
  const isWatching = (word: string): boolean => watching.has(word) || watching.has(singular(word));
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(({ name, value }) => (value === true || value === 'true') && wordsOf(name).some(isWatching));
}

/** Without the user's word only what is personal counts: where somebody is, what somebody says, writes or sees. */
function watchesSomebody(event: AgentEvent, action: ActionReading, ontology: Ontology): boolean {
  const { watching, own } = words(ontology);
  if (!action.name_words.some((word) => watching.has(singular(word)) || watching.has(word))) return false;
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(
      ({ value }) => typeof value === 'string' && isSomebody(value) && !wordsOf(value).some((word) => own.has(word)),
    );
}

/** A person's name, address or number. */
const isSomebody = (value: string): boolean =>
  value.length <= 80 &&
  (/^[A-Z][a-zà-ÿ]{1,20}(?: [A-Z][a-zà-ÿ'-]{1,20}){1,3}$/.test(value) ||
    /^[^\s@]+@[^\s@]+$/.test(value) ||
    /^\+?[\d ()-]{8,20}$/.test(value) ||
    /^[a-z]{1,12}[._][a-z]{2,20}$/.test(value));

function namesOf(event: AgentEvent, action: ActionReading, ontology: Ontology): readonly string[] {
  const { planted } = words(ontology);
  const programs = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ name }) => planted.has(name))
    .map(({ value }) => String(value).slice(0, LONGEST_PROGRAM));
  return [action.domain, action.scope, action.verb, action.tool_name, ...programs].flatMap((name) => wordsOf(name));
}

/** A parameter that tells the person is off, or one that hides is on. */
function hides(event: AgentEvent, ontology: Ontology): boolean {
  const { off } = words(ontology);
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(({ name, value }) => {
      const isOff = value === false || (typeof value === 'string' && off.test(value));
      if (isOff) return entryInName(ontology, 'notice_names', name) !== '';
      return (value === true || value === 'true') && entryInName(ontology, 'hiding_names', name) !== '';
    });
}
