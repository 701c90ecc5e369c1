/**
 * Values against schemas. Nothing is coerced, filled in or removed: `"4"` is no integer and null is nothing's default.
 * The schemas are the same objects that the OpenAPI document shows.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { type FieldError, WeirError } from './errors.ts';

/** Returns the value as its type, or throws `invalid` with one entry for each thing that is wrong. */
export type Validate<T> = (value: unknown) => T;

/** Compiles a schema once; `what` names the value in the message, such as `the event`. */
export function compileValidator<S extends TSchema>(schema: S, what: string): Validate<Static<S>> {
  const validator = Compile(withoutFormats(schema));
  return (value) => {
    if (validator.Check(value)) return value as Static<S>;
    const errors = explain(validator.Errors(value), value);
    throw new WeirError('invalid', { detail: `${what} is not valid: ${summarise(errors)}`, errors });
  };
}

/**
 * `format` describes, as JSON Schema has it by default; one function of ours decides what is a date or a UUID, and a
 * second opinion would refuse what the first one takes.
 */
function withoutFormats(schema: TSchema): TSchema {
  const text = JSON.stringify(schema, (name, value) =>
    name === 'format' && typeof value === 'string' ? undefined : value,
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

function explain(found: TLocalizedValidationError[], value: unknown): FieldError[] {
  // A failed union reports each branch as well; its own entry is the one to show.
  const unions = new Set(found.filter((one) => one.keyword === 'anyOf').map((one) => one.instancePath));
  return found
    .filter((one) => one.keyword === 'anyOf' || !unions.has(one.instancePath))
    .flatMap((one) => describe(one, value));
}

function describe(error: TLocalizedValidationError, value: unknown): FieldError[] {
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
        message: 'is not a known field; check the spelling',
      }));
    case 'type':
      return [{ path, message: `must be ${article(String(error.params.type))}, not ${typeAt(value, path)}` }];
    case 'enum':
      return [{ path, message: `must be one of ${error.params.allowedValues.map((one) => `\`${one}\``).join(', ')}` }];
    case 'anyOf':
      return [{ path, message: `has none of the allowed forms; it is ${typeAt(value, path)}` }];
    default:
      return [{ path, message: error.message }];
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function typeAt(value: unknown, pointer: string): string {
  let at = value;
  for (const token of pointer.split('/').slice(1)) {
    at = (at as Record<string, unknown>)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (at === null || at === undefined) return 'null';
  if (Array.isArray(at)) return 'an array';
  return article(typeof at === 'number' && !Number.isInteger(at) ? 'fraction' : typeof at);
}
