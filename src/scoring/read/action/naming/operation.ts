/** Verbs that a parameter names: tools such as `manage_record` or `control_device` take what to do as an argument. */

import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { isPlausibleName, singular, singularsOf, wordsOf } from '../../../../lang/names.ts';
import { remembering } from '../../../../lang/remember.ts';
import type { Ontology, VerbEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import { verbOfName } from '../../words/verb-lookup.ts';
import type { VerbLookup } from '../../words/verb-table.ts';

const names = perOntology((ontology) => ({
  operations: new Set(ontology.name_keys.get('operation')),
  commands: setOf(ontology, 'device_command_parameters'),
  pressed_names: setOf(ontology, 'pressed_names'),
  pressing: setOf(ontology, 'pressing_words'),
  told_by_value: setOf(ontology, 'groups_told_by_value'),
  called_tools: new Set(ontology.name_keys.get('called_tool')),
  carriers: setOf(ontology, 'carrier_verbs'),
  tool_nouns: setOf(ontology, 'dispatched_nouns'),
  settings: setOf(ontology, 'setting_parameters'),
  states: setOf(ontology, 'state_parameters'),
  destroying: setOf(ontology, 'destroying_switches'),
  addresses: setOf(ontology, 'address_parameters'),
  is_switch: patternOf(ontology, 'parameter_names', 'is_switch'),
  off: patternOf(ontology, 'switch_values', 'off'),
}));
/** `turn off`, `force_unlock`, `lock.unlock`: more is a sentence. */
const OPERATION = /^(?:[A-Za-z_]{2,32}\.)?[A-Za-z]{2,24}(?:[ _-][A-Za-z]{1,24}){0,3}$/;
/** One word, as a device or a service takes it; several are the command of a shell. */
const DEVICE_COMMAND = /^[A-Za-z]{3,24}(?:_[A-Za-z]{1,24}){0,3}$/;
const LONGEST_LABEL = 80;
/** Words of a label that are read: «Delete my account for good». */
const LABEL_WORDS = 3;

/** What a value says that is done, by the kind of its parameter; the first kind that has the name reads it. */
const TOLD_BY: readonly {
  kind: 'operations' | 'commands' | 'states' | 'pressed_names';
  read: (value: string, lookup: VerbLookup) => VerbEntry | undefined;
  /** Only grave verbs count: others are words of everyday values, such as a state `updated`. */
  isGraveOnly: boolean;
}[] = [
  {
    kind: 'operations',
    read: (value, lookup) => (OPERATION.test(value) ? verbOfName(value, lookup) : undefined),
    isGraveOnly: false,
  },
  {
    kind: 'commands',
    read: (value, lookup) =>
      DEVICE_COMMAND.test(value) && !lookup.programs.has(value) ? verbOfName(value, lookup) : undefined,
    isGraveOnly: true,
  },
  { kind: 'states', read: (value, lookup) => verbOfState(value, lookup), isGraveOnly: true },
  { kind: 'pressed_names', read: (value, lookup) => verbOfLabel(value, lookup), isGraveOnly: true },
];

/**
 * The ontology's verbs for what `action`, `operation` and the like say, for a command to a device (`command: unlock`), for a state
 * that something is put into (`state: disarmed`) and for what stands on a button that is pressed. Unknown words say nothing.
 */
export function namedOperations(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { told_by_value } = names(ontology);
  const found: VerbEntry[] = [];
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > LONGEST_LABEL) continue;
    const told = toldBy(ontology)(name).find(({ kind }) => kind !== 'pressed_names' || isPressing(event, ontology));
    const verb = told?.read(value, lookup);
    if (verb !== undefined && (!told!.isGraveOnly || told_by_value.has(verb.group))) found.push(verb);
  }
  return found;
}

/** The verbs of switches that are on and say what is done: `{ workspace: "prod", is_destroy: true }`. */
export function switchedOnVerbs(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { destroying } = names(ontology);
  return parametersOf(event).leaves.flatMap(({ name, value }) =>
    (value === true || value === 'true') && destroying.has(name)
      ? (verbOfName(name.replace(/^is_/, ''), lookup) ?? [])
      : [],
  );
}

/** How parameters of a name tell what is done. */
const toldBy = perOntology((ontology) => {
  const kinds = names(ontology);
  return remembering((name) => TOLD_BY.filter(({ kind }) => kinds[kind].has(name)));
});

const isPressing = ({ action, mcp_context }: AgentEvent, ontology: Ontology): boolean =>
  wordsOf(`${action.replaceAll(':', '_')}_${mcp_context?.tool_name ?? ''}`).some((word) =>
    names(ontology).pressing.has(word),
  );

/** The verb that brings something into a state: `disarmed` is `disarm`, `disabled` is `disable`. */
function verbOfState(state: string, lookup: VerbLookup): VerbEntry | undefined {
  if (!/^[A-Za-z]{5,24}ed$/.test(state)) return undefined;
  const past = state.toLowerCase();
  for (const verb of [past.slice(0, -1), past.slice(0, -2), past.slice(0, -3)]) {
    const entry = lookup.words.get(verb);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The verb that begins a label or a selector: «Delete my account», `#delete-account`. */
function verbOfLabel(label: string, lookup: VerbLookup): VerbEntry | undefined {
  const words = wordsOf(label.replace(/[^A-Za-z]+/g, '_')).slice(0, LABEL_WORDS);
  return words[0] !== undefined && lookup.words.has(words[0]) ? verbOfName(words.join('_'), lookup) : undefined;
}

/**
 * The verb of the tool that a dispatcher calls: `call_tool({"tool_name": "delete_user"})` deletes. Undefined where the name
 * of the tool is not a dispatcher's, or the parameters name no tool that says what it does.
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

/** Names of the tools that a dispatcher is told to call; none where the tool is not a dispatcher. */
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
  // `secret_scanning: { status: disabled }`: the name around the state says what is off.
  const named = off.flatMap((leaf) =>
    states.has(leaf.name) || is_switch.test(leaf.name) ? [leaf.name, aroundOf(leaf)] : [leaf.name],
  );
  // `monitoring:alarm:update` with `enabled: false`: what is off is the thing itself.
  if (off.some(({ name }) => is_switch.test(name))) named.push(`${event.action.split(':')[1] ?? ''}_enabled`);
  const places = new Set(off.filter(({ name }) => states.has(name)).map(placeOf));
  for (const leaf of places.size === 0 ? [] : leaves)
    if (typeof leaf.value === 'string' && settings.has(leaf.name) && places.has(placeOf(leaf))) named.push(leaf.value);
  // `path: /policies/require-mfa` beside `body: { state: disabled }`.
  for (const leaf of places.size === 0 ? [] : leaves)
    if (typeof leaf.value === 'string' && addresses.has(leaf.name) && !leaf.path.includes('.'))
      named.push(pathOf(leaf.value).slice(0, LONGEST_SETTING));
  return named.flatMap((name) => guardIn(name, lookup) ?? []);
}

const aroundOf = ({ path }: Leaf): string => (path.split('.').at(-2) ?? '').split('[')[0]!;

const placeOf = ({ path }: Leaf): string => path.slice(0, path.lastIndexOf('.') + 1);

/** The path of an address, without its host and its question. */
const pathOf = (address: string): string =>
  address.replace(/^[a-z][a-z\d+.-]{1,16}:\/\/[^/]{0,256}/i, '').split('?')[0]!;

/** Characters of the name of a setting; a longer one is a text. */
const LONGEST_SETTING = 64;

function guardIn(name: string, lookup: VerbLookup): VerbEntry | undefined {
  if (name.length > LONGEST_SETTING) return undefined;
  const single = singularsOf(name);
  const words = single.flatMap((word, i) => (i === 0 ? [word] : [word, `${single[i - 1]!}_${word}`]));
  const isSwitch = words.some((w) => lookup.switch_words.has(w));
  const word = words.find((w) => lookup.guard_settings.has(w) || (isSwitch && lookup.watchers.has(w)));
  return word === undefined ? undefined : lookup.guards.get(word);
}
