/**
 * Flat fields of older clients that contradict the fields which took their place. Nobody here knows which of the two is what
 * happens, so the event is read both ways: with its own fields, and as these have it.
 */
import type { JsonObject } from '../lang/json.ts';
import type { AgentEvent, LegacyFields } from './event.ts';

/** How each stands in the event, undefined for what is none: events from before this was looked at hold anything there. */
const PLACES: { [Name in keyof LegacyFields]-?: (event: AgentEvent, value: unknown) => AgentEvent | undefined } = {
  tool_name: (event, tool_name) =>
    typeof tool_name === 'string' ? { ...event, mcp_context: { ...event.mcp_context, tool_name } } : undefined,
  tool_input: (event, input) => {
    if (typeof input === 'string') return { ...event, parameters: { tool_input: input } };
    return isObject(input) ? { ...event, parameters: input } : undefined;
  },
  resource: (event, resource_id) =>
    typeof resource_id === 'string' ? { ...event, target: { ...event.target, resource_id } } : undefined,
  user_id: (event, user_id) =>
    typeof user_id === 'string' ? { ...event, session: { ...event.session, user_id } } : undefined,
  legacy_data_fields: (event, fields) => (isTexts(fields) ? { ...event, data_fields_accessed: fields } : undefined),
};

export interface LegacyReading {
  /** The event as its legacy fields have it. */
  event: AgentEvent;
  /** Names of these fields, in order of their numbers. */
  contradicting: string[];
}

/** `null` for an event whose legacy fields contradict nothing, which is nearly every one. */
export function legacyReading(event: AgentEvent): LegacyReading | null {
  if (!isObject(event.legacy)) return null;
  const { legacy, ...rest } = event;
  let read: AgentEvent = rest;
  const contradicting: string[] = [];
  for (const [name, place] of Object.entries(PLACES)) {
    const placed = place(read, (legacy as JsonObject)[name]);
    if (placed === undefined) continue;
    read = placed;
    contradicting.push(name);
  }
  return contradicting.length === 0 ? null : { event: read, contradicting };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
