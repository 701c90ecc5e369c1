/** The identity that an action works under, the people whose data it reaches, and the login controls that it weakens. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content/content.ts';
import type { TextReading } from '../conversation/text.ts';
import { entryInName, wordSet } from '../words/word-lists.ts';
import { clearedFactor } from './accounts/protection.ts';
import type { Argument } from './argument.ts';
import { switchedOff } from './switches.ts';

const MAX_IDENTITY = 256;

/** Is this the person of the session? The address, or the part before the `@`. */
function isSessionUser(value: string, event: AgentEvent): boolean {
  const user_id = asciiLower(event.session?.user_id ?? '');
  const given = asciiLower(value.trim());
  return user_id !== '' && (given === user_id || given === user_id.split('@', 1)[0]);
}

const words = perOntology((ontology) => ({
  impersonated_roles: setOf(ontology, 'impersonated_roles'),
  off: setOf(ontology, 'control_off_words'),
}));

/** The identity under which the action is to work, when it is not the user's own; '' otherwise. */
export function actsAs(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
): string {
  const names = wordSet(ontology, 'acting_parameters');
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_IDENTITY) continue;
    if (names.has(name) && !isSessionUser(value, event)) return value;
  }
  if (action.effective_group !== 'impersonate') return '';
  const principal = args.find(
    ({ role, value }) => words(ontology).impersonated_roles.has(role) && !isSessionUser(value, event),
  );
  return principal?.value ?? event.target?.resource_id ?? '';
}

/**
 * The person into whose mailbox, calendar, record or home folder the action reaches, when it is neither the person of
 * the session nor one that the user named. '' without an address in `session.user_id`, which tells people apart.
 */
export function otherPersonsSpace(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): string {
  if (!(event.session?.user_id ?? '').includes('@')) return '';
  const owners = wordSet(ontology, 'owner_parameters');
  const services = wordSet(ontology, 'service_accounts');
  let names: ReadonlyMap<string, string> | undefined;
  let said: ReadonlySet<string> | undefined;
  for (const { path, role, kind, value, provenance, is_delegated } of args) {
    const isForeignAddress = kind === 'email' && provenance !== 'user' && !is_delegated;
    if ((!isForeignAddress && role !== 'path') || isSessionUser(value, event)) continue;
    if (isForeignAddress) {
      names ??= new Map(parametersOf(event).leaves.map((leaf) => [leaf.path, leaf.name]));
      if (owners.has(names.get(path) ?? '')) return value;
    }
    const owner = role === 'path' ? patternOf(ontology, 'path_roots', 'owned_folder').exec(value)?.[1] : undefined;
    if (owner === undefined || services.has(asciiLower(owner)) || isAccountOfUser(owner, event)) continue;
    said ??= new Set(asciiLower(text.trusted).split(/[^a-z0-9_-]+/));
    if (namesOf(owner).some((name) => !said?.has(name))) return owner;
  }
  return '';
}

/** `tomas`, `reyes`, `treyes`, `tomasr` and `tomas_reyes` are how machines call tomas.reyes@… */
function isAccountOfUser(account: string, event: AgentEvent): boolean {
  if (isSessionUser(account, event)) return true;
  const names = asciiLower(event.session?.user_id ?? '')
    .split('@')[0]!
    .split(/[._-]+/);
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const wanted = asciiLower(account).replace(/[._-]/g, '');
  const known = [...names, first + last, last + first, first.slice(0, 1) + last, first + last.slice(0, 1)];
  return wanted.length > 1 && known.includes(wanted);
}

const namesOf = (owner: string): string[] => asciiLower(owner).split('.');

function isOff(value: Leaf['value'], ontology: Ontology): boolean {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0;
  return value.length <= 16 && words(ontology).off.has(asciiLower(value.trim()));
}

/** The login control that the action takes away: by its name, its tool, its target or a parameter; '' when none. */
export function weakenedAuthentication(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
): string {
  const weakening = wordSet(ontology, 'weakening_verbs');
  const isWeakening =
    action.effective_group === 'disable_security' ||
    action.effective_group === 'delete' ||
    weakening.has(action.verb) ||
    wordsOf(action.verb).some((word) => weakening.has(word)) ||
    wordsOf(action.tool_name).some((word) => weakening.has(word));
  if (isWeakening) {
    const { resource_type = '', resource_id = '' } = event.target ?? {};
    for (const name of [action.scope, action.verb, action.tool_name, resource_type, resource_id.slice(0, 128)]) {
      const control = entryInName(ontology, 'authentication_controls', name);
      if (control !== '') return control;
    }
  }
  for (const { name, key, value } of parametersOf(event).leaves) {
    if (key.length > 64 || !isOff(value, ontology)) continue;
    const control = entryInName(ontology, 'authentication_controls', name);
    if (control !== '') return control;
  }
  return switchedOff(event, ontology, 'authentication_controls') || clearedFactor(event, content, ontology);
}

/** The identity field that holds a placeholder, '' when none does. A missing field is not a finding: it lowers confidence. */
export function placeholderIdentity(event: AgentEvent, ontology: Ontology): string {
  const placeholders = wordSet(ontology, 'placeholder_identities');
  const isPlaceholder = (value: string | undefined): boolean =>
    value !== undefined && placeholders.has(asciiLower(value.trim()));
  if (isPlaceholder(event.agent?.agent_id)) return 'agent.agent_id';
  if (isPlaceholder(event.session?.session_id)) return 'session.session_id';
  return isPlaceholder(event.session?.user_id) ? 'session.user_id' : '';
}

/** A domain where decisions weigh on people, and a person or a person's case as the object. */
export function concernsPerson(event: AgentEvent, ontology: Ontology, action: ActionReading): boolean {
  if (!wordSet(ontology, 'decision_domains').has(action.known_domain)) return false;
  const persons = wordSet(ontology, 'person_words');
  const names = [action.scope, action.tool_name, event.target?.resource_type ?? ''];
  return names.flatMap(wordsOf).some((word) => persons.has(singular(word)));
}
