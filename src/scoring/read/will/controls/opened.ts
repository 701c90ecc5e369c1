/** What a definition, a click or a memory opens: a file for everybody, a power for the agent itself; and mail of those who supervise, destroyed. */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import { calledName } from '../../action/content/call-names.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest, userWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { speaksOfPublic } from '../asked/access-for-others.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  names: setOf(ontology, 'opening_names'),
  link_words: setOf(ontology, 'link_words'),
  link_makers: setOf(ontology, 'link_making_words'),
  public_words: setOf(ontology, 'public_link_words'),
  values: setOf(ontology, 'opening_values'),
  switches: setOf(ontology, 'opening_switches'),
  narrow: anyOf(ontology, 'narrow_audiences'),
  open_said: anyOf(ontology, 'open_places_said'),
  clicks: anyOf(ontology, 'public_clicks'),
  pressed: setOf(ontology, 'pressed_names'),
  powers: anyOf(ontology, 'granted_powers'),
  sources: anyOf(ontology, 'outside_sources'),
  source_names: setOf(ontology, 'source_names'),
  supervising: anyOf(ontology, 'supervising_mail'),
  destroying: setOf(ontology, 'destroying_steps'),
  watched: setOf(ontology, 'watched_events'),
}));

const MAX_LEAVES = 200;
const LONGEST_VALUE = 48;
const LONGEST_LABEL = 200;
const MAX_TEXT = 4_000;
const MAX_REQUEST = 8_192;

const leavesOf = (event: AgentEvent): readonly Leaf[] => parametersOf(event).leaves.slice(0, MAX_LEAVES);

/** A step of a definition, or a click, that lets everybody see something of which the user does not say so; '' if none does. */
export function openedUnasked(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (speaksOfPublic(text)) return '';
  const { clicks, pressed } = words(ontology);
  const isNarrow = namesNarrowAudience(text);
  if (text.has_request && makesPublicLink(event, ontology)) return event.action.split(':').at(-1)!;
  const found = leavesOf(event).find((leaf) => {
    const { path, name, value } = leaf;
    if ((path.includes('[') || isNarrow) && text.has_request && opens(leaf, ontology)) return true;
    return typeof value === 'string' && value.length <= LONGEST_LABEL && pressed.has(name) && clicks.test(value);
  });
  return found?.path ?? '';
}

/** A call that by its own name makes an address at which everybody may look: `create_public_link`. */
function makesPublicLink(event: AgentEvent, ontology: Ontology): boolean {
  const { link_words, link_makers, public_words } = words(ontology);
  const names = wordsOf(calledName(event));
  return [link_words, link_makers, public_words].every((list) => names.some((word) => list.has(word)));
}

/** «For the parents of 4b», «an internal note»: a parameter that opens it to more contradicts the user. */
const namesNarrowAudience = perRequest((said, ontology): boolean =>
  isNarrowed(foldText(said.slice(0, MAX_REQUEST)), ontology),
);

const isNarrowed = (said: string, ontology: Ontology): boolean =>
  words(ontology).narrow.test(said) && !words(ontology).open_said.test(said);

function opens({ name, value }: Leaf, ontology: Ontology): boolean {
  const { on, names, values, switches } = words(ontology);
  const state = asciiLower(String(value).trim()).replace(/ /g, '_');
  if (switches.has(name)) return on.has(state);
  return names.has(name) && state.length <= LONGEST_VALUE && values.has(state);
}

/** The parameter in which a memory that comes from outside grants the agent a power that the user's words do not; '' otherwise. */
export function grantedByMemory(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { powers, sources, source_names } = words(ontology);
  const leaves = leavesOf(event);
  const isFromOutside = leaves.some(
    ({ name, value }) =>
      typeof value === 'string' && source_names.has(name) && sources.test(value.slice(0, LONGEST_LABEL)),
  );
  if (!isFromOutside && text.untrusted.length === 0) return '';
  if (powers.test(userWords(text).slice(0, MAX_REQUEST))) return '';
  return leaves.find(({ value }) => typeof value === 'string' && powers.test(value.slice(0, MAX_TEXT)))?.path ?? '';
}

/** The step of a definition that destroys what those who supervise receive; '' if none does. */
export function destroysSupervision(event: AgentEvent, ontology: Ontology): string {
  const { supervising, destroying, watched } = words(ontology);
  const { leaves, entries } = parametersOf(event);
  if (!entries.slice(0, MAX_LEAVES).some(({ name }) => watched.has(name))) return '';
  const short = leaves
    .slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value === 'string' && value.length <= LONGEST_LABEL);
  if (!short.some(({ value }) => supervising.test(String(value)))) return '';
  const isStep = ({ value }: Leaf): boolean => {
    const step = snakeCase(String(value).replaceAll('.', '_'));
    return [...destroying].some((word) => step === word || step.endsWith(`_${word}`) || wordsOf(step).includes(word));
  };
  return short.find(isStep)?.path ?? '';
}
