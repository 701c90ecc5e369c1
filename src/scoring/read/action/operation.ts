/** Verbs that a parameter names: tools such as `manage_record` or `control_device` take what to do as an argument. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { isPlausibleName, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import { type VerbLookup, verbOfName } from '../words/verb-lookup.ts';

const names = perOntology((ontology) => ({
  operations: new Set(ontology.name_keys.get('operation')),
  called_tools: new Set(ontology.name_keys.get('called_tool')),
  carriers: setOf(ontology, 'carrier_verbs'),
  tool_nouns: setOf(ontology, 'dispatched_nouns'),
  settings: setOf(ontology, 'setting_parameters'),
  states: setOf(ontology, 'state_parameters'),
  addresses: setOf(ontology, 'address_parameters'),
  is_switch: patternOf(ontology, 'parameter_names', 'is_switch'),
  off: patternOf(ontology, 'switch_values', 'off'),
}));
/** `turn off`, `force_unlock`: more is a sentence. */
const OPERATION = /^[A-Za-z]{2,24}(?:[ _-][A-Za-z]{1,24}){0,3}$/;

/** The ontology's verbs for what `action`, `operation` and the like say; unknown words say nothing. */
export function namedOperations(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { operations } = names(ontology);
  const found: VerbEntry[] = [];
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 64 || !operations.has(name) || !OPERATION.test(value)) continue;
    const verb = verbOfName(value, lookup);
    if (verb !== undefined) found.push(verb);
  }
  return found;
}

/**
 * The verb of the tool that a dispatcher calls: `call_tool({"tool_name": "delete_user"})` deletes. Undefined where the name
 * of the tool is no dispatcher's, or the parameters name no tool that says what it does.
 */
export function dispatchedVerb(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry | undefined {
  const verbs = dispatchedTools(event, ontology).flatMap((name) => verbOfName(name, lookup) ?? []);
  return verbs.length === 0 ? undefined : verbs.reduce((most, verb) => (verb.base_risk > most.base_risk ? verb : most));
}

/** Whether the name of the tool has no verb but that it calls: `install_and_call_tool` does more, whatever it is told to call. */
export function onlyDispatches(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): boolean {
  const { carriers } = names(ontology);
  return wordsOf(event.mcp_context?.tool_name ?? '').every((word) => carriers.has(word) || !lookup.words.has(word));
}

/** Names of the tools that a dispatcher is told to call; none where the tool is no dispatcher. */
export function dispatchedTools(event: AgentEvent, ontology: Ontology): readonly string[] {
  const { called_tools, carriers, tool_nouns } = names(ontology);
  const words = wordsOf(event.mcp_context?.tool_name ?? event.action.slice(event.action.indexOf(':') + 1));
  if (!words.some((word) => carriers.has(word)) || !words.some((word) => tool_nouns.has(singular(word)))) return [];
  return parametersOf(event).leaves.flatMap(({ name, value, path }) =>
    called_tools.has(name) && !path.includes('.') && typeof value === 'string' && isPlausibleName(value) ? [value] : [],
  );
}

/** Protections that a change of settings turns off: `{ waf: "off" }`, `{ setting: "waf", value: "off" }`. */
export function switchedOffGuards(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { settings, states, addresses, is_switch, off: off_value } = names(ontology);
  const { leaves } = parametersOf(event);
  const off = leaves.filter(({ value }) => value === false || (typeof value === 'string' && off_value.test(value)));
  if (off.length === 0) return [];
  const named = off.map((leaf) => leaf.name);
  // `monitoring:alarm:update` with `enabled: false`: what is off is the thing itself.
  if (off.some(({ name }) => is_switch.test(name))) named.push(`${event.action.split(':')[1] ?? ''}_enabled`);
  const places = new Set(off.filter(({ name }) => states.has(name)).map(placeOf));
  for (const leaf of places.size === 0 ? [] : leaves)
    if (typeof leaf.value === 'string' && settings.has(leaf.name) && places.has(placeOf(leaf))) named.push(leaf.value);
  // `path: /policies/require-mfa` beside `body: { state: disabled }`.
  for (const leaf of places.size === 0 ? [] : leaves)
    if (typeof leaf.value === 'string' && addresses.has(leaf.name) && !leaf.path.includes('.')) named.push(leaf.value);
  return named.flatMap((name) => guardIn(name, lookup) ?? []);
}

const placeOf = ({ path }: Leaf): string => path.slice(0, path.lastIndexOf('.') + 1);

function guardIn(name: string, lookup: VerbLookup): VerbEntry | undefined {
  if (name.length > 64) return undefined;
  const words = wordsOf(name).map(singular);
  const isSwitch = words.some((w) => lookup.switch_words.has(w));
  const word = words.find((w) => lookup.guard_settings.has(w) || (isSwitch && lookup.watchers.has(w)));
  return word === undefined ? undefined : lookup.guards.get(word);
}
