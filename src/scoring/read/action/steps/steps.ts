/**
 * Steps of a plan: a workflow, a batch, a playbook or a scheduled task is one call whose parameters hold further calls. Each of
 * them becomes an event of its own, so that it is judged as it would be if it came alone.
 */

import type { ToolCall } from '../../../../effects/world.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf, walkOf } from '../../../../events/parameters.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../../lang/json.ts';
import { asciiLower, isPlausibleName, snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../../ontology/words.ts';
import { verbOfName } from '../../words/verb-lookup.ts';
import { verbLookup } from '../../words/verb-table.ts';
import { findTool } from '../naming/tools.ts';
import { readBlocks } from './blocks.ts';
import { type PassedCall, passedCall } from './gateway.ts';

const wordsFor = perOntology((ontology) => ({
  steps: setOf(ontology, 'step_parameters'),
  names: setOf(ontology, 'step_names'),
  servers: setOf(ontology, 'step_servers'),
  arguments: setOf(ontology, 'step_arguments'),
  texts: setOf(ontology, 'plan_parameters'),
  commands: setOf(ontology, 'step_commands'),
  states: setOf(ontology, 'state_parameters'),
  state_verbs: inverseOf(ontology, 'state_verbs'),
}));
type Words = ReturnType<typeof wordsFor>;

export interface Step {
  /** What the plan calls it. */
  name: string;
  event: AgentEvent;
}

/** Steps that are judged: one of each name first, in the order of what their verbs risk. */
export const MAX_STEPS = 16;
/** Steps that are looked at. */
const MAX_FOUND = 1_000;
const MAX_TEXT = 64 * 1024;
/** Levels of text within text (`{"steps": "[{…}]"}`) that are read. */
const MAX_TEXT_DEPTH = 3;
const SEGMENT = /^[a-z0-9_.-]{1,64}$/;

interface Found {
  name: string;
  server: string;
  parameters: JsonObject;
  risk: number;
}

/**
 * The steps that the parameters of this event hold; none for nearly every event.
 *
 * @param calls of tools in programs among the parameters
 */
export function stepsOf(event: AgentEvent, ontology: Ontology, calls: readonly ToolCall[] = []): readonly Step[] {
  const words = wordsFor(ontology);
  const { entries } = parametersOf(event);
  const found: Found[] = [];
  const passed = passedCall(event, ontology);
  if (passed !== null) notePassed(passed, found, ontology);
  for (const { name, parameters, is_told } of calls)
    if (is_told)
      found.push({ name, server: '', parameters, risk: verbOfName(name, verbLookup(ontology))?.base_risk ?? 0 });
    else note({ name, server: '', parameters }, found, ontology);
  if (found.length === 0 && !entries.some(({ name }) => words.steps.has(name) || words.texts.has(name))) return [];
  for (const { name, value } of entries) collect(name, value, found, ontology, 0);
  const commands = entries.flatMap(({ name, value }) =>
    typeof value === 'string' && words.texts.has(name) ? commandsIn(planIn(value), words) : [],
  );
  const run = { name: COMMANDS, server: '', parameters: { command: commands.join('\n') }, risk: 0 };
  return [...(commands.length === 0 ? [] : [run]), ...inTurn(found)].map((step) => ({
    name: step.name,
    event: eventOf(step, event),
  }));
}

/** The name of the step that stands for all commands of a plan. */
const COMMANDS = 'run_command';

/** The command lines of a plan that stands in a text: `shell: …`, `run: …`, `ansible.builtin.command: …`. */
function commandsIn(plan: Json, { commands }: Words): string[] {
  if (plan === null || typeof plan !== 'object') return [];
  const { leaves } = walkOf(plan);
  // One word names what runs the commands that stand elsewhere.
  return leaves.flatMap(({ key, value }) =>
    typeof value === 'string' &&
    /^[^[\s]\S{0,200}\s/.test(value) &&
    commands.has(snakeCase(key.slice(key.lastIndexOf('.') + 1)))
      ? [value]
      : [],
  );
}

/** A plan that stands in a text, as JSON or as YAML. */
function planIn(text: string): Json {
  if (text.length > MAX_TEXT) return null;
  if (!/^\s{0,64}[[{]/.test(text)) return text.includes('\n') ? readBlocks(text) : null;
  return parseJson(text) ?? null;
}

function collect(name: string, value: Json, found: Found[], ontology: Ontology, depth: number): void {
  const { steps, texts } = wordsFor(ontology);
  if (typeof value === 'string') {
    if (depth >= MAX_TEXT_DEPTH || !(steps.has(name) || texts.has(name))) return;
    const plan = planIn(value);
    if (plan === null || typeof plan !== 'object') return;
    collect(name, plan, found, ontology, depth + 1);
    for (const entry of walkOf(plan).entries) collect(entry.name, entry.value, found, ontology, depth + 1);
  } else if (steps.has(name))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (found.length >= MAX_FOUND) return;
      if (isObject(one)) noteStep(one, found, ontology);
      // A list of calls as texts: `calls: ['{"name": …}']`.
      else if (typeof one === 'string' && Array.isArray(value)) collect(name, one, found, ontology, depth + 1);
    }
}

/** Reads one object of a plan: `{tool, args}`, `{function: {name, arguments}}`, `{action, …}`, or a tool's name with what it takes. */
function noteStep(step: JsonObject, found: Found[], ontology: Ontology): void {
  const words = wordsFor(ontology);
  const rest: JsonObject = {};
  const names: string[] = [];
  let server = '';
  let given: JsonObject | null = null;
  for (const [key, value] of Object.entries(step)) {
    const name = snakeCase(key);
    if (words.arguments.has(name) && objectOf(value) !== null) given ??= objectOf(value);
    else if (words.servers.has(name) && typeof value === 'string') server ||= value;
    else if (words.names.has(name) && typeof value === 'string') names.push(value);
    else {
      rest[key] = value;
      if (isObject(value)) noteNamed(key, value, found, ontology);
    }
  }
  if (given !== null && isSchema(given)) return;
  // Several of its keys may name a step: its label and its tool.
  for (const name of names) note({ name, server, parameters: given ?? rest }, found, ontology);
}

/** `{"s3_bucket": {"name": "logs", "state": "absent"}}`: the key names the tool, and a state may say what it does. */
function noteNamed(name: string, parameters: JsonObject, found: Found[], ontology: Ontology): void {
  const verb = statedVerb(parameters, wordsFor(ontology));
  if (verb === undefined) note({ name, server: '', parameters }, found, ontology);
  else note({ name: `${name}_${verb}`, server: '', parameters }, found, ontology);
}

/** The call that a gateway is handed; one word names an operation where its server or what it works on is told beside it. */
function notePassed(call: PassedCall, found: Found[], ontology: Ontology): void {
  const verb = statedVerb(call.parameters, wordsFor(ontology));
  const named = verb === undefined ? call : { ...call, name: `${call.name}_${verb}` };
  const words = wordsOf(named.name.replace(/[:./]/g, '_'));
  const entry = verbOfName(words.join('_'), verbLookup(ontology));
  if (words.length === 1 && call.server !== '' && entry !== undefined) found.push({ ...named, risk: entry.base_risk });
  else note(named, found, ontology);
}

function statedVerb(parameters: JsonObject, { states, state_verbs }: Words): string | undefined {
  const stated = Object.entries(parameters).find(
    ([key, value]) => typeof value === 'string' && states.has(snakeCase(key)) && state_verbs.has(asciiLower(value)),
  );
  return stated === undefined ? undefined : state_verbs.get(asciiLower(String(stated[1])));
}

/** Keeps a step whose name says what it does: a verb with an object, or a tool that is listed. */
function note(step: Omit<Found, 'risk'>, found: Found[], ontology: Ontology): void {
  if (!isPlausibleName(step.name.replaceAll('/', '.'))) return;
  const words = wordsOf(step.name.replace(/[:./]/g, '_'));
  const verb = verbOfName(words.join('_'), verbLookup(ontology));
  const tool = findTool(step.name, step.server, ontology);
  if ((verb === undefined || words.length < 2) && tool === undefined) return;
  found.push({ ...step, risk: verb?.base_risk ?? 0 });
}

/** The first `MAX_STEPS`: the riskiest names first, and one step of each before the second of any. */
function inTurn(found: readonly Found[]): Found[] {
  const rounds = new Map<string, number>();
  return found
    .map((step) => {
      const round = rounds.get(step.name) ?? 0;
      rounds.set(step.name, round + 1);
      return { step, round };
    })
    .sort((a, b) => a.round - b.round || b.step.risk - a.step.risk)
    .slice(0, MAX_STEPS)
    .map(({ step }) => step);
}

/** What surrounds the plan surrounds each step; what is said of the plan itself does not. */
function eventOf({ name, server, parameters }: Found, event: AgentEvent): AgentEvent {
  const { target, data_fields_accessed, legacy, mcp_context, ...around } = event;
  const action = asciiLower(name);
  const parts = action.split(':');
  if (parts.length === 3 && parts.every((part) => SEGMENT.test(part))) return { ...around, action, parameters };
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':'));
  const named = server !== '' ? server : name.slice(0, Math.max(at, 0));
  // A batch of calls is made by the server that takes the batch, where nothing says otherwise.
  const place = named !== '' ? named : (mcp_context?.server_name ?? '');
  return {
    ...around,
    action: 'tool:function:call',
    parameters,
    mcp_context: { ...(place !== '' && { server_name: place }), tool_name: name.slice(at + 1) },
  };
}

/** What a tool takes is described, and no call of it is made. */
const isSchema = (given: JsonObject): boolean => isObject(given['properties']) && given['type'] === 'object';

function objectOf(value: Json): JsonObject | null {
  if (isObject(value)) return value;
  const inner = typeof value === 'string' && /^\s{0,64}\{/.test(value) ? planIn(value) : null;
  return isObject(inner) ? inner : null;
}
