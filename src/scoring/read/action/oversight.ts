/** Commands, requests and edits that reach this service itself: its decisions, policies, keys, data, process, and the hooks that ask it. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, gappedIn, patternOf } from '../../../ontology/words.ts';
import type { ContentReading } from './content/content.ts';

const wordsOf = perOntology((ontology) => ({
  commands: gappedIn(ontology, 'oversight_commands'),
  places: anyOf(ontology, 'oversight_places'),
  requests: anyOf(ontology, 'oversight_requests'),
  guard_settings: patternOf(ontology, 'guard_settings', 'files'),
  of_person: patternOf(ontology, 'guard_settings', 'of_person'),
  guards: patternOf(ontology, 'guard_settings_words', 'guards'),
  guard_words: anyOf(ontology, 'guard_settings_words'),
}));
/** Characters of one parameter that are searched. */
const MAX_TEXT = 16_384;
/** Characters of a value that is a path or an address. */
const MAX_PLACE = 512;

/**
 * Whether an edit only adds to the hooks in a project's settings of an agent: no hook that is asked before the agent acts is among
 * the texts.
 */
export function addsHooksOnly(event: AgentEvent, ontology: Ontology): boolean {
  const { guards, guard_settings, of_person } = wordsOf(ontology);
  const texts = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return (
    texts.some((value) => value.length <= MAX_PLACE && guard_settings.test(value)) &&
    texts.every((value) => value.length <= MAX_TEXT && !of_person.test(value) && !guards.test(value))
  );
}

/** A path or an address has a slash of some kind. */
const isPlace = (value: string): boolean => value.length <= MAX_PLACE && /[/\\]/.test(value);

/** Whether what is run, requested or edited decides for this service, changes it, reads its keys or stops it. Text that is only stored does not. */
export function reachesOversight(event: AgentEvent, content: ContentReading, ontology: Ontology): boolean {
  const { commands, places, requests, guard_settings, guard_words } = wordsOf(ontology);
  const texts = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const target = event.target?.resource_id;
  const values = (target === undefined ? texts : [target, ...texts]).filter(isPlace);
  if (values.some((value) => places.test(value) || requests.test(value))) return true;
  const edits = (value: string): boolean => !guard_settings.test(value) && guard_words.test(value.slice(0, MAX_TEXT));
  if (values.some((value) => guard_settings.test(value)) && texts.some(edits)) return true;
  const is_run = content.programs.length > 0 || content.hosts.length > 0 || content.languages.includes('sql');
  return is_run && texts.some((value) => commands.test(decoded(value.slice(0, MAX_TEXT))));
}

/** Letters of an address that are written as percent signs. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
