/**
 * The flat fields of older clients (20-24 of ActionContext): what each fills when its canonical field is empty. One that
 * is not used because the canonical field says something else is kept with the event, under `legacy`.
 */
import { WeirError } from '../platform/errors.ts';
import type { ParsedJson } from '../platform/json.ts';
import type { ActionContext } from './messages.ts';

export interface LegacyFields {
  action?: string;
  tool_name?: string;
  parameters?: ParsedJson;
  resource_id?: string;
  user_id?: string;
  data_fields?: string[];
  /** Legacy fields that contradict the canonical ones. */
  unused?: Record<string, string | string[]>;
}

const NONE: LegacyFields = {};
/** Longest segment of an action. */
const MAX_SEGMENT = 64;

export type ReadJson = (bytes: Buffer, path: string) => ParsedJson;

/** Throws `invalid` for a `tool_input` that is JSON which two readers could read differently. */
export function legacyFields(context: ActionContext, readJson: ReadJson): LegacyFields {
  const { tool_name, tool_input, resource, user_id, legacy_data_fields } = context;
  if (tool_name === '' && tool_input === '' && resource === '' && user_id === '' && legacy_data_fields.length === 0)
    return NONE;
  const unused: Record<string, string | string[]> = {};
  const fills = (name: string, value: string, canonical: string | undefined): string => {
    if (canonical === undefined || canonical === '') return value;
    if (value !== '' && value !== canonical) unused[name] = value;
    return '';
  };
  const fields: LegacyFields = {
    action: context.action === '' && tool_name !== '' ? legacyAction(tool_name) : '',
    tool_name: fills('tool_name', tool_name, context.mcp_context?.tool_name),
    resource_id: fills('resource', resource, context.target?.resource_id),
    user_id: fills('user_id', user_id, context.session?.user_id),
    unused,
  };
  if (context.data_fields.length === 0) fields.data_fields = legacy_data_fields;
  else if (legacy_data_fields.length > 0) unused['legacy_data_fields'] = legacy_data_fields;
  if (tool_input === '') return fields;
  if (context.parameters.length === 0) fields.parameters = toolInput(tool_input, readJson);
  else unused['tool_input'] = tool_input;
  return fields;
}

/** Clients from before actions had three segments name the tool only; its name says what the action does. */
function legacyAction(tool_name: string): string {
  return `tool:legacy:${tool_name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_SEGMENT)}`;
}

/** A JSON object is the parameters; any other text is one parameter. */
function toolInput(text: string, readJson: ReadJson): ParsedJson {
  try {
    const parsed = readJson(Buffer.from(text), '/tool_input');
    if (isObject(parsed.value)) return parsed;
  } catch (error) {
    if (!(error instanceof WeirError) || isJsonObject(text)) throw error;
  }
  return { value: { tool_input: text }, has_odd_characters: false };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
