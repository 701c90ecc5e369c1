/**
 * From an `ActionContext` to an event. The context becomes the value that a REST body of the same event would be, and
 * passes the same reader: one validation, and one content hash for one event, through any door.
 */
import { type ReadEvent, readEvent, type SentJson } from '../../../events/read-event.ts';
import type { Json, JsonObject } from '../../../lang/json.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type FieldError, WeirError } from '../../../platform/errors.ts';
import { summarise } from '../../../platform/http/validate.ts';
import { defaultJsonLimits, type ParsedJson, parseJson } from '../../../platform/json/json.ts';
import { fieldPath } from './field-path.ts';
import { fillingOf, sentPath } from './legacy.ts';
import { type ActionContext, type ClassifiedField, DataClassification, MCPTransport } from './messages.ts';

/** REST's names of the enum members. */
const TRANSPORTS: ReadonlyMap<number, string> = new Map([
  [MCPTransport.STDIO, 'stdio'],
  [MCPTransport.SSE, 'sse'],
  [MCPTransport.HTTP, 'http'],
]);
const CLASSIFICATIONS: ReadonlyMap<number, string> = new Map([
  [DataClassification.PUBLIC, 'public'],
  [DataClassification.PII, 'PII'],
  [DataClassification.PHI, 'PHI'],
  [DataClassification.FINANCIAL, 'financial'],
  [DataClassification.SECRET, 'secret'],
  [DataClassification.RESTRICTED, 'restricted'],
]);

/**
 * Twice a message: one byte of it may become six characters of JSON, which are stored and returned with each answer.
 */
const MAX_JSON_BYTES = 8 * 1_048_576;

/** Limit over all objects of the event together, as in a body of REST. */
const MAX_KEYS = defaultJsonLimits.max_keys;

/** As in an event's body: the parameters are one level inside it. */
const PARAMETER_LIMITS = { ...defaultJsonLimits, max_depth: defaultJsonLimits.max_depth - 1 };

/**
 * Throws `invalid` with every fault at its path in the request; `at` is the place of the context, such as
 * `contexts[3]`. `may_hold_nul`: the request has a zero byte somewhere.
 */
export function readContext(context: ActionContext | null, at: string, may_hold_nul: boolean, clock: Clock): ReadEvent {
  if (context === null) throw invalid([{ path: at, message: 'is required' }]);
  try {
    const sent = eventValue(context, may_hold_nul);
    const read = readEvent(sent, clock);
    // Parameters and `tool_input` were counted separately. Each key has a value, so most events need no second count.
    if (read.values > MAX_KEYS && countKeys(sent.value) > MAX_KEYS) throw invalid([tooManyKeys('')]);
    if (Buffer.byteLength(read.json ?? JSON.stringify(sent.value)) > MAX_JSON_BYTES)
      throw invalid([{ path: '', message: 'is larger than 8 MiB as JSON; send less' }]);
    return read;
  } catch (error) {
    throw error instanceof WeirError && error.errors !== undefined ? inRequest(error.errors, at, context) : error;
  }
}

function inRequest(errors: readonly FieldError[], at: string, context: ActionContext): WeirError {
  return invalid(errors.map(({ path, message }) => ({ path: fieldPath(at, sentPath(path, context)), message })));
}

export function invalid(errors: FieldError[]): WeirError {
  return new WeirError('invalid', { detail: `the request is not valid: ${summarise(errors)}`, errors });
}

/** The body that REST would receive for it. Throws `invalid` with paths inside that body. */
function eventValue(context: ActionContext, may_hold_nul: boolean): SentJson {
  const { agent, session, target, mcp_context } = context;
  const filling = fillingOf(context, readJson);
  const { parameters, contradicting = {} } = filling;
  const value =
    present({
      event_id: context.event_id,
      action: context.action || filling.action,
      timestamp: context.timestamp,
      agent: agent && present({ ...pick(agent, 'agent_id', 'agent_type', 'framework', 'model') }),
      session: present({
        ...(session && pick(session, 'session_id', 'started_at')),
        user_id: session?.user_id || filling.user_id,
      }),
      target: present({
        resource_type: target?.resource_type,
        resource_id: target?.resource_id || filling.resource_id,
        sensitivity_level: target?.sensitivity_level,
      }),
      mcp_context: present({
        ...(mcp_context && pick(mcp_context, 'server_name', 'server_id')),
        transport: named(TRANSPORTS, mcp_context?.transport ?? 0, '/mcp_context/transport'),
        is_verified: mcp_context?.is_verified,
        tool_name: mcp_context?.tool_name || filling.tool_name,
        tool_description: mcp_context?.tool_description,
      }),
      data_fields_accessed: context.data_fields.length > 0 ? context.data_fields.map(dataField) : filling.data_fields,
      preceding_actions: context.preceding_actions,
      user_context: context.user_context,
      conversation_history: context.conversation_history.map((content) => ({ content })),
      metadata: metadataOf(context.metadata),
      legacy: present({ ...contradicting }),
    }) ?? {};
  // Kept whatever their value: parameters that are null or an empty list are wrong, not absent.
  if (parameters !== undefined) value['parameters'] = parameters.value;
  // Most messages have a zero byte somewhere, and hardly any in a text: the event's own JSON shows it.
  return { value, has_odd_characters: may_hold_nul || filling.has_odd_characters ? null : false };
}

type Parts = Record<string, Json | null | undefined>;

/** The parts with content; proto3 cannot tell an empty text or list from an absent one. */
function present(parts: Parts): JsonObject | undefined {
  const kept: JsonObject = {};
  let is_empty = true;
  for (const name of Object.keys(parts)) {
    const part = parts[name];
    if (part === undefined || part === null || part === '' || (Array.isArray(part) && part.length === 0)) continue;
    kept[name] = part;
    is_empty = false;
  }
  return is_empty ? undefined : kept;
}

/** Own properties only: a decoded message has the defaults of absent fields on its prototype. */
function pick<T extends object, K extends keyof T & string>(message: T, ...names: K[]): Record<K, T[K]> {
  const picked = {} as Record<K, T[K]>;
  for (const name of names) picked[name] = message[name];
  return picked;
}

function named(names: ReadonlyMap<number, string>, member: number, path: string): string | undefined {
  if (member === 0) return undefined;
  const name = names.get(member);
  if (name !== undefined) return name;
  const known = [...names.keys()].join(', ');
  throw invalid([{ path, message: `\`${member}\` is not a member of its enum; send one of ${known}` }]);
}

function dataField({ field, classification }: ClassifiedField, index: number): Json {
  const label = named(CLASSIFICATIONS, classification ?? 0, `/data_fields_accessed/${index}/classification`);
  return label === undefined ? field : { field, classification: label };
}

function metadataOf(metadata: Record<string, string>): JsonObject | undefined {
  const names = Object.keys(metadata);
  if (names.length === 0) return undefined;
  if (names.length > MAX_KEYS) throw invalid([tooManyKeys('/metadata')]);
  if (names.includes('__proto__')) {
    throw invalid([{ path: '/metadata/__proto__', message: 'this key is not allowed; rename it' }]);
  }
  return metadata;
}

function countKeys(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countKeys(one), 0);
  const parts = Object.values(value);
  return parts.reduce((sum: number, one) => sum + countKeys(one), parts.length);
}

function tooManyKeys(path: string): FieldError {
  return { path, message: `has more than ${MAX_KEYS} keys; send fewer` };
}

/** Strict JSON at a path of the event; the parser's messages call the whole «the body». */
function readJson(bytes: Uint8Array, path: string): ParsedJson {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), PARAMETER_LIMITS);
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    const [first] = error.errors ?? [];
    const message = (first?.message ?? error.detail).replace(/^the body /, '');
    throw invalid([{ path: path + (first?.path ?? ''), message }]);
  }
}
