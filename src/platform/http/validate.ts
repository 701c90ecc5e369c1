/**
 * Values against schemas. Nothing is coerced, filled in or removed: `"4"` is not an integer and null takes no default.
 * The OpenAPI document shows the same schema objects.
 */

import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { counted } from '../../lang/english.ts';
import { suggest } from '../../lang/suggest.ts';
import { type FieldError, WeirError } from '../errors.ts';

/** Returns the value as its type, or throws `invalid` with one entry per fault. */
export type Validate<T> = (value: unknown) => T;

/**
 * Compiles a schema once; `what` names the value in the message, such as `the event`. `own`: keywords that only describe here,
 * because the caller checks what they say.
 */
export function compileValidator<S extends TSchema>(
  schema: S,
  what: string,
  own: readonly 'pattern'[] = [],
): Validate<Static<S>> {
  const checked = without(['format', ...own], schema);
  const validator = Compile(checked);
  return (value) => {
    if (validator.Check(value)) return value as Static<S>;
    if (countValues(value, MAX_EXPLAINED) > MAX_EXPLAINED) throw tooMuchIsWrong(what);
    const errors = explain(validator.Errors(value), value, checked);
    throw new WeirError('invalid', { detail: `${what} is not valid: ${summarise(errors)}`, errors });
  };
}

/**
 * Above this many values, faults are not listed: listing takes microseconds per value, valid or not, and a body can
 * hold a million values.
 */
const MAX_EXPLAINED = 20_000;

function tooMuchIsWrong(what: string): WeirError {
  const message = `is not valid, and holds more than ${MAX_EXPLAINED} values; send fewer to get a list of the faults`;
  return new WeirError('invalid', { detail: `${what} ${message}`, errors: [{ path: '', message }] });
}

/** Counts the strings, numbers, booleans, nulls, arrays and objects in `value`; stops soon after `limit`. */
export function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && count <= limit; i += 1) count += countValues(value[i], limit - count);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (count > limit) break;
    count += countValues((value as Record<string, unknown>)[name], limit - count);
  }
  return count;
}

/**
 * `format` only describes, which is the default of JSON Schema. One function of ours decides what is a date or a UUID;
 * a second check could refuse what the first accepts.
 */
function without(keywords: readonly string[], schema: TSchema): TSchema {
  const text = JSON.stringify(schema, (name, value) =>
    keywords.includes(name) && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text) as TSchema;
}

/** One line for `detail`: the first error, and how many more there are. */
export function summarise(errors: FieldError[]): string {
  const [first, ...rest] = errors;
  if (first === undefined) return 'see `errors`';
  const where = first.path === '' ? 'it' : `\`${first.path}\``;
  return `${where} ${first.message}${rest.length === 0 ? '' : ` (and ${rest.length} more)`}`;
}

/**
 * A failed union reports every branch. Where the value has the type of one branch, the faults of that branch are shown;
 * otherwise one entry lists the accepted types. Linear in the number of faults: a body may hold thousands of wrong
 * entries.
 */
function explain(found: TLocalizedValidationError[], value: unknown, schema: TSchema): FieldError[] {
  const types = new Map<string, Set<string>>();
  const is_of_a_type = new Set<string>();
  for (const one of found) {
    const { instancePath: path, keyword } = one;
    if (keyword === 'type') types.set(path, (types.get(path) ?? new Set()).add(String(one.params.type)));
    else if (keyword !== 'anyOf') is_of_a_type.add(path);
    for (let up = path.lastIndexOf('/'); up > 0; up = path.lastIndexOf('/', up - 1))
      is_of_a_type.add(path.slice(0, up));
  }
  const shown = new Map<string, FieldError>();
  for (const one of found) {
    const { instancePath: path, keyword } = one;
    if (is_of_a_type.has(path) && (keyword === 'type' || keyword === 'anyOf')) continue;
    for (const error of describe(one, value, [...(types.get(path) ?? [])], schema)) {
      shown.set(`${error.path}\n${error.message}`, error);
    }
  }
  return [...shown.values()];
}

/** `types`: all types accepted at this path. */
function describe(error: TLocalizedValidationError, value: unknown, types: string[], schema: TSchema): FieldError[] {
  const path = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ path: `${path}/${name}`, message: 'is required' }));
    // The entry of `additionalProperties` names the same field in words.
    case 'boolean':
      return [];
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({
        path: `${path}/${name.slice(0, 100)}`,
        message: `is not a known field${nearest(name, propertiesAt(schema, error.schemaPath))}`,
      }));
    case 'minItems':
      return [{ path, message: `must have at least ${counted(error.params.limit, 'item')}` }];
    case 'maxItems':
      return [{ path, message: `must have at most ${counted(error.params.limit, 'item')}` }];
    case 'pattern':
      return [{ path, message: `must match \`${String(error.params.pattern)}\`` }];
    case 'type':
    case 'anyOf':
      return [{ path, message: `must be ${types.map(article).join(' or ')}, not ${typeAt(value, path)}` }];
    case 'enum':
      return [{ path, message: `must be one of ${error.params.allowedValues.map((one) => `\`${one}\``).join(', ')}` }];
    default:
      return [{ path, message: error.message }];
  }
}

/** The nearest name, or what there is, or nothing where no fields are declared. */
function nearest(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  if (meant !== '') return meant;
  return known.length === 0 ? '; check the spelling' : `; the fields here are ${known.join(', ')}`;
}

/** Names of the fields that the schema at a path such as `#/properties/agent` declares. */
function propertiesAt(schema: TSchema, path: string): string[] {
  let at: unknown = schema;
  for (const token of path.split('/').slice(1))
    at = (at as Record<string, unknown> | undefined)?.[unescapePointer(token)];
  return Object.keys((at as { properties?: object } | undefined)?.properties ?? {});
}

const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function typeAt(value: unknown, pointer: string): string {
  let at = value;
  for (const token of pointer.split('/').slice(1)) {
    at = (at as Record<string, unknown>)?.[unescapePointer(token)];
  }
  if (at === null || at === undefined) return 'null';
  if (Array.isArray(at)) return 'an array';
  return article(typeof at === 'number' && !Number.isInteger(at) ? 'fraction' : typeof at);
}
