/** Equipment that protects people, which a call takes out of service, by whatever verb: `interlock: bypass`, `gate_override: true`. */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  safety: setOf(ontology, 'safety_nouns'),
  openings: setOf(ontology, 'guarded_openings'),
  states: setOf(ontology, 'out_of_service_states'),
  overriding: setOf(ontology, 'out_of_service_words'),
  people: setOf(ontology, 'exposed_people'),
  present: setOf(ontology, 'presence_states'),
  absent: setOf(ontology, 'absence_words'),
  dangerous: setOf(ontology, 'dangerous_substances'),
  burners: setOf(ontology, 'fuel_burners'),
  starting: setOf(ontology, 'starting_words'),
  closable: setOf(ontology, 'closable_openings'),
  closed: setOf(ontology, 'closed_states'),
  enclosed: anyOf(ontology, 'enclosed_places'),
}));

const MAX_LEAVES = 200;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 160;
const LONGEST_REQUEST = 4_096;

const leavesOf = (event: AgentEvent): readonly Leaf[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ key, value }) => key.length <= LONGEST_KEY && String(value).length <= LONGEST_VALUE);

/** Parameters that take such equipment out of service, in their order. */
export const disabledSafety = (event: AgentEvent, ontology: Ontology): readonly string[] =>
  leavesOf(event)
    .filter((leaf) => takesOutOfService(leaf, ontology))
    .map(({ path }) => path);

/** Whether a parameter does so. */
export function takesOutOfService({ name, value }: Leaf, ontology: Ontology): boolean {
  const { on, safety, openings, states, overriding } = words(ontology);
  const of_name = singularsOf(name);
  const isOfSafety = safety.has(name) || of_name.some((word) => safety.has(word));
  const state = asciiLower(String(value).trim());
  if (isOfSafety && states.has(state)) return true;
  if (!of_name.some((word) => overriding.has(word))) return false;
  return on.has(state) && (isOfSafety || of_name.some((word) => openings.has(word)));
}

/** The parameter that says that people, or substances that hurt anyone who is near, are there; '' if none does. */
export function exposedThere(event: AgentEvent, ontology: Ontology): string {
  const { people, present, absent, dangerous, on } = words(ontology);
  const found = leavesOf(event).find(({ name, value }) => {
    if (wordsOf(name).some((word) => people.has(singular(word)))) {
      if (typeof value === 'number') return value > 0;
      const said = wordsIn(String(value));
      return (
        on.has(said[0] ?? '') || (said.some((word) => present.has(word)) && !said.some((word) => absent.has(word)))
      );
    }
    return typeof value === 'string' && wordsIn(value).some((word) => dangerous.has(word));
  });
  return found?.path ?? '';
}

const wordsIn = (text: string): readonly string[] =>
  asciiLower(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** What burns fuel, if the action starts it and a parameter or the user tells of a closed place; '' otherwise. */
export function fumesEnclosed(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): string {
  const { burners, starting, closable, closed, enclosed } = words(ontology);
  const named = action.name_words;
  if (!named.some((word) => starting.has(word))) return '';
  const leaves = leavesOf(event);
  const burner =
    named.find((word) => burners.has(word)) ??
    leaves
      .flatMap(({ name, value }) => [...wordsOf(name), ...wordsIn(String(value))])
      .find((word) => burners.has(word));
  if (burner === undefined) return '';
  const isClosed = ({ name, value }: Leaf): boolean =>
    wordsOf(name).some((word) => closable.has(word)) && closed.has(asciiLower(String(value).trim()));
  return leaves.some(isClosed) || enclosed.test(userWords(text).slice(0, LONGEST_REQUEST)) ? burner : '';
}
