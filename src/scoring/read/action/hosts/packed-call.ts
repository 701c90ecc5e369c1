/** Calls that a host packs: a name with all arguments as an object or as JSON in a text, alone or as the only item of a list. */
import type { AgentEvent } from '../../../../events/event.ts';
import { isObject, type Json, type JsonObject } from '../../../../lang/json.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { asciiLower, isPlausibleName, snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';

const packingWords = perOntology((ontology) => ({
  arguments: setOf(ontology, 'call_arguments'),
  names: setOf(ontology, 'call_names'),
  parts: setOf(ontology, 'call_parts'),
  segments: setOf(ontology, 'calling_segments'),
}));

/** JSON text of arguments longer than this is left as it is. */
const MAX_ARGUMENTS = 256 * 1024;

/**
 * `mcp-<server>-<tool>` whose parameters are a list with this one call: the call itself. The name of the item has to end the name that
 * the host tells, so that a list of other things stays what it is, and two calls stay a plan of steps.
 */
export function asSingleCall(event: AgentEvent, ontology: Ontology): AgentEvent {
  const [list, ...others] = Object.values(event.parameters ?? {});
  const told = event.mcp_context?.tool_name ?? '';
  if (told === '' || others.length > 0 || !Array.isArray(list) || list.length !== 1 || !isObject(list[0]!))
    return event;
  const call = unpack(list[0], ontology);
  if (call === null || !isPlausibleName(call.name) || !asciiLower(told).endsWith(asciiLower(call.name))) return event;
  const { segments } = packingWords(ontology);
  const before = wordsOf(told.slice(0, told.length - call.name.length)).filter((word) => !segments.has(word));
  const server = event.mcp_context?.server_name ?? before.join('-');
  const verb = event.action.slice(event.action.lastIndexOf(':') + 1);
  const isTold = wordsOf(verb).join(' ') === wordsOf(told).join(' ');
  return {
    ...event,
    ...(isTold && { action: `${event.action.slice(0, -verb.length)}${asciiLower(call.name)}` }),
    parameters: call.parameters,
    mcp_context: { ...event.mcp_context, tool_name: call.name, ...(server !== '' && { server_name: server }) },
  };
}

/** `{name, arguments: '{"path": "a"}'}` → its name and arguments; null for parameters that wrap nothing. */
export function unpack(
  parameters: JsonObject | undefined,
  ontology: Ontology,
): { name: string; parameters: JsonObject } | null {
  if (parameters === undefined) return null;
  const words = packingWords(ontology);
  let found: JsonObject | null = null;
  let name = '';
  let isText = false;
  const others: [string, Json][] = [];
  for (const [key, value] of Object.entries(parameters)) {
    if (words.arguments.has(key)) {
      const inner = objectOf(value);
      if (inner === null || found !== null) return null;
      found = inner;
      isText = typeof value === 'string';
    } else if (words.names.has(key) && typeof value === 'string') name = value;
    else if (key === 'function' && isObject(value)) return unpack(value, ontology);
    else if (!words.parts.has(snakeCase(key))) others.push([key, value]);
  }
  if (found === null) return null;
  if (others.length === 0) return { name, parameters: found };
  // A tool with parameters of these names has objects in them; a call as JSON in a text stays one whatever stands beside it.
  return isText && name !== '' ? { name, parameters: { ...Object.fromEntries(others), ...found } } : null;
}

function objectOf(value: Json): JsonObject | null {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || value.length > MAX_ARGUMENTS || !value.trimStart().startsWith('{')) return null;
  const parsed = parseLax(value);
  return isObject(parsed) ? parsed : null;
}
