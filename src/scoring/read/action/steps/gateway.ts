/**
 * Calls that pass another call on: an integration platform, a proxy of tools, a remote procedure. The event names only the way
 * (`zapier:action:run`); what is done stands in two parameters, the name of the operation and its arguments.
 */
import { programOfTool } from '../../../../effects/parameters/tool-programs.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../../lang/json.ts';
import { isPlausibleName, snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { verbLookup } from '../../words/verb-table.ts';

const wordsFor = perOntology((ontology) => ({
  carriers: setOf(ontology, 'carrier_verbs'),
  passing: setOf(ontology, 'gateway_verbs'),
  interpreters: setOf(ontology, 'interpreter_words'),
  names: setOf(ontology, 'gateway_names'),
  labels: setOf(ontology, 'gateway_labels'),
  servers: setOf(ontology, 'step_servers'),
  targets: setOf(ontology, 'gateway_servers'),
  arguments: setOf(ontology, 'step_arguments'),
  further: setOf(ontology, 'gateway_arguments'),
}));

/** An operation as it is told to a gateway: its server where one is named, and what it takes. */
export interface PassedCall {
  name: string;
  server: string;
  parameters: JsonObject;
}

const LONGEST_NAME = 128;
/** `name=nginx state=present`: arguments of a module in one text. */
const PAIRS = /^\s{0,16}[\w.-]{1,64}=(?:"[^"]{0,400}"|'[^']{0,400}'|\S{1,400})(?:\s{1,16}|$)/;
const PAIR = /([\w.-]{1,64})=(?:"([^"]{0,400})"|'([^']{0,400})'|(\S{1,400}))/g;

/** The call that this call passes on; null where its own name says what is done, or no parameter names an operation. */
export function passedCall(event: AgentEvent, ontology: Ontology): PassedCall | null {
  const words = wordsFor(ontology);
  const parameters = event.parameters ?? {};
  const keys = Object.keys(parameters);
  if (keys.length < 2 || !isGateway(event, ontology)) return null;
  let given: JsonObject | null = null;
  let name = '';
  let label = '';
  let server = '';
  const rest: JsonObject = {};
  for (const key of keys) {
    const value = parameters[key]!;
    const known = snakeCase(key);
    const inner = words.arguments.has(known) || words.further.has(known) ? objectOf(value) : null;
    if (inner !== null) given ??= inner;
    else if (typeof value !== 'string' || value.length > LONGEST_NAME) rest[key] = value;
    else if (words.names.has(known) && name === '') name = value;
    else if (words.labels.has(known)) label ||= value;
    else if (words.servers.has(known) || words.targets.has(known)) server ||= value;
    else rest[key] = value;
  }
  // A plain `name` is the operation only beside arguments of its own: anything may have a name.
  if (name === '' && given !== null) name = label;
  if (name === '' || !isPlausibleName(name.replace(/[:/]/g, '.'))) return null;
  // What a program does is read from its command line.
  if (programOfTool(name, ontology) !== '') return null;
  return { name, server, parameters: given ?? rest };
}

/** Whether the names of action and tool say only that something is passed on. */
function isGateway(event: AgentEvent, ontology: Ontology): boolean {
  const { carriers, passing, interpreters } = wordsFor(ontology);
  const { words } = verbLookup(ontology);
  const [, scope = '', verb = ''] = event.action.split(':');
  const tool = event.mcp_context?.tool_name ?? '';
  const own = [scope, verb, tool].flatMap(wordsOf);
  const passes = (word: string): boolean => carriers.has(word) || passing.has(word);
  if (!own.some(passes) || own.some((word) => interpreters.has(word))) return false;
  return wordsOf(verb).every((word) => passes(word) || !words.has(word)) && (tool === '' || wordsOf(tool).some(passes));
}

/** Arguments as an object, as JSON in a text, as the first object of a list, or as `key=value` pairs in a text. */
function objectOf(value: Json): JsonObject | null {
  if (Array.isArray(value)) return value.length === 0 ? {} : objectOf(value[0]!);
  if (isObject(value)) return value;
  if (typeof value !== 'string') return null;
  if (/^\s{0,64}\{/.test(value)) return objectIn(value);
  return PAIRS.test(value) ? pairsOf(value) : null;
}

function objectIn(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

function pairsOf(text: string): JsonObject {
  const pairs: JsonObject = {};
  for (const [, key = '', double, single, plain] of text.slice(0, 4_000).matchAll(PAIR))
    pairs[key] = double ?? single ?? plain ?? '';
  return pairs;
}
