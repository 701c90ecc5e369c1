/**
 * Flat fields of older clients that contradict the fields which replaced them. It is unknown which of the two describes what will
 * happen, so the event is read both ways: with its own fields, and with the legacy fields in their place.
 */
import { isObject, type JsonObject } from '../lang/json.ts';
import type { AgentEvent, LegacyFields } from './event.ts';

/** The event with one legacy field in place; undefined for a value of another type, which events of older releases may hold. */
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
  /** The event with its legacy fields in place. */
  event: AgentEvent;
  /** Names of the contradicting fields, in the order of `PLACES`. */
  contradicting: string[];
}

/** `null` for an event without contradicting legacy fields, as nearly every event is. */
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

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
