/** Parameters in which an agent speaks to people beside what a tool needs: `note`, `reason`, `context`. */
import type { AgentEvent } from '../../../events/event.ts';
import type { Json, JsonObject } from '../../../lang/json.ts';
import { snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';

interface Names {
  remarks: ReadonlySet<string>;
  marks: ReadonlySet<string>;
}

const namesOf = perOntology(
  (ontology): Names => ({ remarks: setOf(ontology, 'remark_names'), marks: setOf(ontology, 'marking_names') }),
);

/** Deeper remarks stay; no tool has its own parameters there. */
const MAX_DEPTH = 8;

/**
 * The event without its remarks; null where it has none, or nothing else. Whatever a remark repeats or quotes, the action takes the
 * values of the other parameters.
 */
export function withoutRemarks(event: AgentEvent, ontology: Ontology): AgentEvent | null {
  const { parameters } = event;
  if (parameters === undefined) return null;
  const left = prune(parameters, namesOf(ontology), 0);
  return left === parameters || left === null ? null : { ...event, parameters: left as JsonObject };
}

/** The value itself where nothing is left out, null where nothing remains. */
function prune(value: Json, names: Names, depth: number): Json {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return value;
  const isList = Array.isArray(value);
  const kept: [string, Json][] = [];
  let is_changed = false;
  for (const [key, inner] of Object.entries(value)) {
    const left = !isList && isRemark(key, inner, names) ? null : prune(inner, names, depth + 1);
    if (left !== inner) is_changed = true;
    if (left !== null || inner === null) kept.push([key, left]);
  }
  if (!is_changed) return value;
  if (kept.length === 0) return null;
  return isList ? kept.map(([, left]) => left) : Object.fromEntries(kept);
}

function isRemark(key: string, value: Json, { remarks, marks }: Names): boolean {
  const name = snakeCase(key);
  return remarks.has(name) || (marks.has(name) && hasWords(value));
}

/** Whether a text, or one of a list, has more than one word. */
const hasWords = (value: Json): boolean =>
  typeof value === 'string' ? /\S\s+\S/.test(value) : Array.isArray(value) && value.some(hasWords);
