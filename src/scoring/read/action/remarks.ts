/**
 * Parameters beside what a tool needs: in which an agent speaks to people (`note`, `reason`, `context`), claims something of its action
 * (`approved: true`, `environment: test`), or says how the call is followed (`trace_id`).
 */
import { rolesOf } from '../../../effects/parameters/parameter-roles.ts';
import type { AgentEvent } from '../../../events/event.ts';
import type { Json, JsonObject } from '../../../lang/json.ts';
import { snakeCase, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { withoutIdle } from './idle-commands.ts';

const namesOf = perOntology((ontology) => ({
  ontology,
  remarks: new Set([...setOf(ontology, 'remark_names'), ...setOf(ontology, 'marking_names')]),
  whose: setOf(ontology, 'whose_names'),
  filters: setOf(ontology, 'filter_names'),
  beside: new Set([...setOf(ontology, 'claim_names'), ...setOf(ontology, 'following_names')]),
  environments: setOf(ontology, 'environment_parameters'),
  non_production: setOf(ontology, 'non_production_words'),
  roleOf: rolesOf(ontology),
}));
type Names = ReturnType<typeof namesOf>;

/** Deeper remarks stay; no tool has its own parameters there. */
const MAX_DEPTH = 8;
/** A name of so many words says more than what the value is. */
const LEAST_WORDS = 4;

/**
 * The event without its remarks; null where it has none, or nothing else. Whatever a remark repeats or quotes, the action takes the
 * values of the other parameters. Comments and idle commands are the remarks of a command.
 */
export function withoutRemarks(event: AgentEvent, ontology: Ontology): AgentEvent | null {
  const { parameters } = event;
  if (parameters === undefined) return null;
  const names = namesOf(ontology);
  const left = prune('', parameters, names, saidBy(event, parameters, names), 0);
  return left === parameters || left === null ? null : { ...event, parameters: left as JsonObject };
}

/** What the names of a call and its other parameters say. */
function saidBy({ action, mcp_context }: AgentEvent, parameters: JsonObject, { whose }: Names): ReadonlySet<string> {
  const entries = Object.entries(parameters);
  if (!entries.some(([key]) => whose.has(key))) return NONE;
  const values = entries.flatMap(([key, value]) => (whose.has(key) || typeof value !== 'string' ? [] : value));
  return new Set([...values, ...wordsOf(action), ...wordsOf(mcp_context?.tool_name ?? '')]);
}

const NONE: ReadonlySet<string> = new Set();

/** More remarks than these are left out together only: each form is scored. */
const MOST_ALONE = 4;

/**
 * The events that are judged beside this one for its remarks: without all of them, and without each where there are several. What one
 * event takes for a remark, such as a title, may be what the action is about, so another one beside it must not take both away.
 */
export function remarklessForms(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  const bare = withoutRemarks(event, ontology);
  if (bare === null) return [];
  const { parameters = {} } = event;
  const left = bare.parameters ?? {};
  const changed = Object.keys(parameters).filter((name) => left[name] !== parameters[name]);
  if (changed.length < 2 || changed.length > MOST_ALONE) return [bare];
  const without = (name: string): JsonObject =>
    Object.fromEntries(
      Object.entries(parameters).flatMap(([key, value]) =>
        key !== name ? [[key, value]] : Object.hasOwn(left, key) ? [[key, left[key]!]] : [],
      ),
    );
  return [bare, ...changed.map((name) => ({ ...event, parameters: without(name) }))];
}

/** The value itself where nothing is left out, null where nothing remains. */
function prune(name: string, value: Json, names: Names, said: ReadonlySet<string>, depth: number): Json {
  if (typeof value === 'string' && names.roleOf(name) === 'shell') return withoutIdle(value, names.ontology);
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value;
  const isList = Array.isArray(value);
  const kept: [string, Json][] = [];
  let is_changed = false;
  for (const [key, inner] of Object.entries(value)) {
    const left =
      !isList && isRemark(key, inner, names, said) ? null : prune(isList ? '' : key, inner, names, said, depth + 1);
    if (left !== inner) is_changed = true;
    if (left !== null || inner === null) kept.push([key, left]);
  }
  if (!is_changed) return value;
  // A filter that selects by nothing selects all.
  if (kept.length === 0) return !isList && names.filters.has(snakeCase(name)) ? {} : null;
  return isList ? kept.map(([, left]) => left) : Object.fromEntries(kept);
}

function isRemark(key: string, value: Json, names: Names, said: ReadonlySet<string>): boolean {
  const { remarks, whose, beside, environments, non_production } = names;
  const name = snakeCase(key);
  return (
    remarks.has(name) ||
    remarks.has(name.replace(UNOFFICIAL, '')) ||
    (whose.has(name) && (hasWords(value) || said.has(String(value)))) ||
    (beside.has(name) && (value === null || typeof value !== 'object')) ||
    // `environment: test` is a claim about the place, which may be another one.
    (environments.has(name) && typeof value === 'string' && non_production.has(value.toLowerCase())) ||
    NO_NAME.test(key) ||
    key.trim().split(/\s+/, LEAST_WORDS).length >= LEAST_WORDS
  );
}

/** `_comment`, `$comment`, `x-note`: signs by which a writer marks what no schema has. */
const UNOFFICIAL = /^(?:[^\p{L}]|x_)+/u;

/** No parameter is named so. */
const NO_NAME = /["'<>{}=?]|:\/\/|^[^\p{L}]*$/u;

/** Whether a text, or one of a list, has more than one word. */
const hasWords = (value: Json): boolean =>
  typeof value === 'string' ? /\S\s+\S|[{}"]/.test(value) : Array.isArray(value) && value.some(hasWords);
