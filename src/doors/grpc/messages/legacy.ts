/**
 * The flat fields of older clients (20-24 of ActionContext): each fills its canonical field when that is empty. One
 * that contradicts its canonical field goes into the event, under `legacy`, and scoring reads the event both ways.
 */

import type { LegacyFields } from '../../../events/event.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../lang/json.ts';
import { WeirError } from '../../../platform/errors.ts';
import { canonicalJson } from '../../../platform/json/canonical.ts';
import type { ParsedJson } from '../../../platform/json/json.ts';
import type { ActionContext } from './messages.ts';

/** Values for canonical fields; '' for those that have their own. */
export interface Filling {
  action?: string;
  tool_name?: string;
  resource_id?: string;
  user_id?: string;
  data_fields?: string[];
  /** Values of the context, whichever field they came in. */
  parameters?: ParsedJson | undefined;
  contradicting?: LegacyFields;
  has_odd_characters: boolean;
}

/** Longest segment of an action. */
const MAX_SEGMENT = 64;

export type ReadJson = (bytes: Uint8Array, path: string) => ParsedJson;

/**
 * Throws `invalid` for parameters that are not JSON, and for a `tool_input` that two parsers could read differently.
 */
export function fillingOf(context: ActionContext, readJson: ReadJson): Filling {
  const { tool_name, tool_input, resource, user_id, legacy_data_fields } = context;
  const own = context.parameters.length === 0 ? undefined : readJson(context.parameters, '/parameters');
  const has_odd_characters = own?.has_odd_characters === true;
  if (tool_name === '' && tool_input === '' && resource === '' && user_id === '' && legacy_data_fields.length === 0)
    return { parameters: own, has_odd_characters };
  const contradicting: LegacyFields = {};
  const fills = (name: 'tool_name' | 'resource' | 'user_id', canonical: string | undefined): string => {
    const value = context[name];
    if (canonical === undefined || canonical === '') return value;
    if (value !== '' && value !== canonical) contradicting[name] = value;
    return '';
  };
  const filling: Filling = {
    action: context.action === '' && tool_name !== '' ? legacyAction(tool_name) : '',
    tool_name: fills('tool_name', context.mcp_context?.tool_name),
    resource_id: fills('resource', context.target?.resource_id),
    user_id: fills('user_id', context.session?.user_id),
    parameters: own,
    contradicting,
    has_odd_characters,
  };
  if (context.data_fields.length === 0) filling.data_fields = legacy_data_fields;
  else if (legacy_data_fields.length > 0 && !namesTheSame(context, legacy_data_fields))
    contradicting.legacy_data_fields = legacy_data_fields;
  if (tool_input === '') return filling;
  const input = toolInput(tool_input, readJson);
  filling.has_odd_characters ||= input.has_odd_characters;
  if (own === undefined) filling.parameters = asParameters(input);
  else if (canonicalJson(asParameters(input).value) !== canonicalJson(own.value))
    contradicting.tool_input = input.value as string | JsonObject;
  return filling;
}

interface Filled {
  /** JSON pointer in the event. */
  path: string;
  legacy: 'tool_name' | 'tool_input' | 'resource' | 'user_id' | 'legacy_data_fields';
  /** What the legacy field fills only where it is empty. */
  canonical: (context: ActionContext) => { length: number } | undefined;
}

const FILLED: readonly Filled[] = [
  { path: '/mcp_context/tool_name', legacy: 'tool_name', canonical: ({ mcp_context }) => mcp_context?.tool_name },
  { path: '/parameters', legacy: 'tool_input', canonical: ({ parameters }) => parameters },
  { path: '/target/resource_id', legacy: 'resource', canonical: ({ target }) => target?.resource_id },
  { path: '/session/user_id', legacy: 'user_id', canonical: ({ session }) => session?.user_id },
  { path: '/data_fields_accessed', legacy: 'legacy_data_fields', canonical: ({ data_fields }) => data_fields },
];

/**
 * The place of a fault in the event, at the legacy field when its value came in that: clients look for the field they
 * sent.
 */
export function sentPath(path: string, context: ActionContext): string {
  const filled = FILLED.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (filled === undefined || context[filled.legacy].length === 0) return path;
  const is_own = (filled.canonical(context)?.length ?? 0) > 0;
  return is_own ? path : `/${filled.legacy}${path.slice(filled.path.length)}`;
}

/** Clients from before actions had three segments send only the name of the tool, which says what the action does. */
function legacyAction(tool_name: string): string {
  return `tool:legacy:${tool_name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_SEGMENT)}`;
}

function namesTheSame({ data_fields }: ActionContext, legacy_data_fields: readonly string[]): boolean {
  const names = new Set(data_fields.map(({ field }) => field));
  const legacy = new Set(legacy_data_fields);
  return names.size === legacy.size && legacy_data_fields.every((name) => names.has(name));
}

/** A JSON object as such, any other text as a text. */
function toolInput(text: string, readJson: ReadJson): ParsedJson {
  try {
    const parsed = readJson(Buffer.from(text), '/tool_input');
    if (isObject(parsed.value)) return parsed;
  } catch (error) {
    if (!(error instanceof WeirError) || isJsonObject(text)) throw error;
  }
  return { value: text, has_odd_characters: false };
}

/** A text becomes one parameter. */
function asParameters({ value, has_odd_characters }: ParsedJson): ParsedJson {
  return { value: isObject(value) ? value : { tool_input: value as Json }, has_odd_characters };
}

const isJsonObject = (text: string): boolean => isObject(parseJson(text));
