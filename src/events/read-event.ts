/**
 * Turns a parsed body into an event that can be scored: validated, the action in lower case, identifiers without control
 * characters, odd characters in free text escaped visibly, missing id and time filled in. Every door that takes events uses it.
 */

import { isObject, type Json, type JsonObject } from '../lang/json.ts';
import { normaliseAction } from '../lang/patterns.ts';
import { remembering } from '../lang/remember.ts';
import { nearName } from '../lang/suggest.ts';
import { parseTimestamp } from '../lang/timestamp.ts';
import type { Clock } from '../platform/clock.ts';
import { type FieldError, WeirError } from '../platform/errors.ts';
import { compileValidator, countValues, summarise } from '../platform/http/validate.ts';
import { newId } from '../platform/ids.ts';
import { hasOddEscape, type ParsedJson } from '../platform/json/json.ts';
import { escapeValue, isPlainText } from '../platform/json/odd-characters.ts';
import { eventSchema, knownFields, MAX_VALUES, type SentEvent } from './event-schema.ts';
import { contentOf, type Submission } from './submission.ts';

export interface ReadEvent extends Submission {
  /** Fields that scoring does not know, such as `agent.colour`. */
  ignored_fields: string[];
  /** Strings, numbers, truth values, nulls, lists and objects of the whole event. */
  values: number;
}

/** JSON of an event, parsed. `has_odd_characters` as in `ParsedJson`; null: not looked for yet. */
export type SentJson = Omit<ParsedJson, 'has_odd_characters'> & { has_odd_characters: boolean | null };

// What patterns say is checked below, with a reason for each.
const validate = compileValidator(eventSchema, 'the event', ['pattern']);
/** Memoized: most events repeat an earlier action. */
const actionOf = remembering(normaliseAction);

/** Throws `invalid` with all problems of the event. */
export function readEvent({ value, has_odd_characters }: SentJson, clock: Clock): ReadEvent {
  // Counted before any step whose time grows with the values.
  const values = isObject(value) ? valuesOf(value) : 0;
  if (values > MAX_VALUES) throw invalid([tooManyValues(value as JsonObject)]);
  const sent = validate(value);
  const action = actionOf(sent.action);
  const event_id = sent.event_id ?? newId();
  const timestamp = sent.timestamp ?? new Date(clock.now()).toISOString();
  const { json, ...hashes } = contentOf(value as JsonObject, { event_id, timestamp });
  const may_be_odd = has_odd_characters ?? hasOddEscape(json);
  const errors = [
    ...(action === null ? [badAction] : []),
    ...checkEventId(sent.event_id),
    ...checkTimestamp('/timestamp', sent.timestamp),
    ...checkTimestamp('/session/started_at', sent.session?.started_at),
    ...(may_be_odd ? checkIdentifiers(sent) : []),
    ...checkMisspelt(value as JsonObject),
  ];
  if (errors.length > 0) throw invalid(errors);
  const kept = may_be_odd ? escapeText(value) : (value as JsonObject);
  const is_as_sent = kept === value && action === sent.action;
  return {
    event: { ...kept, event_id, action: action!, timestamp },
    ...hashes,
    ...(is_as_sent && { json }),
    ignored_fields: ignoredFields(kept),
    values,
  };
}

const badAction: FieldError = {
  path: '/action',
  message: 'must be `domain:scope:verb`, each 1 to 64 of A-Z a-z 0-9 _ . -, without `*`',
};

const CONTROL = /\p{Cc}/u;

/** `.` and `..` are refused because clients rewrite them in paths: the score could never be fetched. */
function checkEventId(event_id: string | undefined): FieldError[] {
  if (event_id === undefined) return [];
  const is_usable = event_id !== '.' && event_id !== '..' && !CONTROL.test(event_id);
  return is_usable ? [] : [{ path: '/event_id', message: 'must not be `.` or `..` or hold control characters' }];
}

function checkTimestamp(path: string, text: string | undefined): FieldError[] {
  if (text === undefined || parseTimestamp(text) !== null) return [];
  return [{ path, message: 'must be an ISO 8601 date and time such as 2026-01-15T10:00:00Z' }];
}

/** Fields beside identifiers that hold free text. */
const FREE_TEXT: ReadonlySet<string> = new Set(['tool_description']);

/** Identifiers are compared and indexed, so a character that a store would change is refused, not escaped. */
function checkIdentifiers(sent: SentEvent): FieldError[] {
  const errors: FieldError[] = [];
  const check = (path: string, value: unknown): void => {
    if (typeof value !== 'string' || isPlainText(value)) return;
    errors.push({ path, message: 'must not hold U+0000 or a lone surrogate; remove it' });
  };
  check('/event_id', sent.event_id);
  for (const name of ['agent', 'session', 'target', 'mcp_context'] as const) {
    for (const field of knownFields.get(name)!)
      if (!FREE_TEXT.has(field)) check(`/${name}/${field}`, (sent[name] as JsonObject | undefined)?.[field]);
  }
  for (const field of ['tool_name', 'resource', 'user_id'] as const) check(`/legacy/${field}`, sent.legacy?.[field]);
  return errors;
}

/** More edits make another name of a misspelt one. */
const MOST_EDITS = 2;
/** Shorter names are near to too many others. */
const SHORTEST_NAME = 5;
/** Unknown names of one event that are compared with the known ones. */
const MOST_COMPARED = 64;

/**
 * A field whose name is nearly that of a known one is refused: `usr_context` that passed silently would be scored as if the
 * user had said nothing. Other unknown fields are kept and named in the answer.
 */
function checkMisspelt(event: JsonObject): FieldError[] {
  const known = knownFields.get('')!;
  const errors: FieldError[] = [];
  const unknown = Object.keys(event).filter((name) => !known.has(name) && name.length >= SHORTEST_NAME);
  for (const name of unknown.slice(0, MOST_COMPARED)) {
    const meant = nearName(name, known, MOST_EDITS);
    if (meant !== undefined && !Object.hasOwn(event, meant))
      errors.push({ path: `/${name}`, message: `is no field of an event; did you mean \`${meant}\`?` });
  }
  return errors;
}

function escapeText(value: Json): JsonObject {
  const escaped = escapeValue(value);
  if (escaped === undefined) {
    throw invalid([{ path: '', message: 'has two keys that become the same once U+0000 is escaped; rename one' }]);
  }
  return escaped as JsonObject;
}

function ignoredFields(event: JsonObject): string[] {
  const ignored: string[] = [];
  for (const [object, known] of knownFields) {
    const fields = object === '' ? event : event[object];
    if (fields === undefined) continue;
    for (const name of Object.keys(fields as JsonObject)) {
      if (!known.has(name)) ignored.push(object === '' ? name : `${object}.${name}`);
    }
  }
  return ignored;
}

function invalid(errors: FieldError[]): WeirError {
  return new WeirError('invalid', { detail: `the event is not valid: ${summarise(errors)}`, errors });
}

/** How many values the event holds; stops counting soon after `MAX_VALUES`. */
function valuesOf(event: JsonObject): number {
  let count = 0;
  for (const name of Object.keys(event)) count += countValues(event[name]!, MAX_VALUES - count);
  return count;
}

/** An error at the field with most of the values. The event is refused, not cut: a call with a part of the list is another call. */
function tooManyValues(event: JsonObject): FieldError {
  return {
    path: `/${largestField(event)}`,
    message: `the event holds more than ${MAX_VALUES} values, most of them here; send the first ones and their whole number as \`count\``,
  };
}

function largestField(event: JsonObject): string {
  const sizes = Object.entries(event).map(([name, value]) => ({ name, size: countValues(value, Number.MAX_VALUE) }));
  return sizes.reduce((most, one) => (one.size > most.size ? one : most)).name.slice(0, 100);
}

/** Header values are ASCII and bounded; names are percent-encoded and the list is cut with `...` when it is long. */
const MAX_HEADER = 1_000;

/** Flag of an assessment: neither the action, its tool, its domain nor any code in it was recognised. */
const NOTHING_RECOGNISED = 'nothing_recognised';

/** The header that says that the score rests on nothing that was recognised; no header for any other event. */
export function notRecognisedHeader(flags: readonly string[]): Record<string, string> {
  return flags.includes(NOTHING_RECOGNISED) ? { 'weir-not-recognised': 'action, tool' } : {};
}

/** The header that names the fields which scoring does not know; no header when there are none. */
export function ignoredHeader(names: Iterable<string>): Record<string, string> {
  let list = '';
  for (const name of names) {
    const next = encodeURIComponent(name.slice(0, 100).toWellFormed());
    if (list.length + next.length > MAX_HEADER) return { 'weir-ignored-fields': `${list}, ...` };
    list += list === '' ? next : `, ${next}`;
  }
  return list === '' ? {} : { 'weir-ignored-fields': list };
}
