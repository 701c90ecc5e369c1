/**
 * Query parameters, read strictly: each is a row with a reader. `12` is a page and `1e3` is not; a repeated parameter
 * is refused, because two programs would read two different values, and so is an unknown one, with the nearest name: a filter
 * that is misspelt and ignored would answer with everything.
 */
import { type TSchema, Type } from 'typebox';
import { suggest } from '../../lang/suggest.ts';
import { type FieldError, WeirError } from '../errors.ts';
import { isPlainText } from '../json/odd-characters.ts';

export interface Parameter<T> {
  /** For the OpenAPI document. */
  schema: TSchema;
  is_required: boolean;
  /** The value when the parameter is absent. */
  absent: T;
  /** The value, `undefined` when the text is not valid. */
  read: (text: string) => T | undefined;
  /** What to write, for the error message. */
  expects: string;
}

export type Parameters = Record<string, Parameter<unknown>>;
export type ParameterValues<P extends Parameters> = { [K in keyof P]: P[K]['absent'] };

/** A whole number in plain digits. */
export function wholeNumber(minimum: number, maximum: number, absent: number, description: string): Parameter<number> {
  return {
    schema: Type.Integer({ minimum, maximum, default: absent, description }),
    is_required: false,
    absent,
    read: (text) => {
      const number = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    expects: `a whole number from ${minimum} to ${maximum} in plain digits`,
  };
}

/** One of a few words, spelt exactly. */
export function oneOf<const T extends string>(values: readonly T[], description: string): Parameter<T | undefined> {
  return {
    schema: Type.Enum([...values], { type: 'string', description }),
    is_required: false,
    absent: undefined,
    read: (text) => values.find((value) => value === text),
    expects: `one of ${values.join(', ')}`,
  };
}

/** A point in time; `parse` decides what is valid. The text is passed on unchanged. */
export function dateTime(parse: (text: string) => unknown, description: string): Parameter<string | undefined> {
  return {
    schema: Type.String({ format: 'date-time', description }),
    is_required: false,
    absent: undefined,
    read: (text) => (parse(text) === null ? undefined : text),
    expects:
      'an ISO 8601 date and time such as 2026-01-15T10:00:00Z (in a URL, write the + of an offset as %2B), less than 16 hours from UTC',
  };
}

/** A required identifier. */
export function requiredText(max_length: number, description: string): Parameter<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: max_length, description }),
    is_required: true,
    absent: '',
    read: (text) => (text.length >= 1 && text.length <= max_length && isPlainText(text) ? text : undefined),
    expects: `a text of 1 to ${max_length} characters`,
  };
}

/** An identifier, when it is given. */
export function optionalText(max_length: number, description: string): Parameter<string | undefined> {
  return { ...requiredText(max_length, description), is_required: false, absent: undefined };
}

/** A text that `parse` turns into a value, or into null where it is not valid. */
export function parsed<T>(
  parse: (text: string) => T | null,
  schema: TSchema,
  expects: string,
): Parameter<T | undefined> {
  return { schema, is_required: false, absent: undefined, read: (text) => parse(text) ?? undefined, expects };
}

/** Reads every declared parameter out of a query string (without `?`), or throws `invalid` naming each bad one. */
export function readParameters<P extends Parameters>(
  parameters: P,
  query: string,
  unknown: 'refuse' | 'ignore' = 'refuse',
): ParameterValues<P> {
  const sent = query === '' ? NOTHING : decodeQuery(query);
  const errors: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const result = readOne(parameter, sent.get(name));
    if ('value' in result) values[name] = result.value;
    else errors.push({ path: name, message: result.message });
  }
  for (const name of unknown === 'refuse' ? sent.keys() : []) {
    if (Object.hasOwn(parameters, name) || !LIKE_A_NAME.test(name)) continue;
    errors.push({ path: name.slice(0, 64), message: unknownParameter(name, Object.keys(parameters)) });
  }
  if (errors.length > 0) {
    throw new WeirError('invalid', { detail: `query parameter \`${errors[0]!.path}\`: ${errors[0]!.message}`, errors });
  }
  return values as ParameterValues<P>;
}

/** Other texts are nobody's misspelt parameter. */
const LIKE_A_NAME = /^[A-Za-z][\w.-]*$/;

function unknownParameter(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not known: this endpoint takes no query parameters';
  return `is not a parameter of this endpoint${suggest(name, known) || `; it takes ${known.join(', ')}`}`;
}

const NOTHING: ReadonlyMap<string, string[]> = new Map();

function readOne(parameter: Parameter<unknown>, sent: string[] = []): { value: unknown } | { message: string } {
  const [text, ...more] = sent;
  if (more.length > 0) return { message: 'is given more than once; send it once' };
  if (text === undefined) {
    return parameter.is_required ? { message: `is required; send ${parameter.expects}` } : { value: parameter.absent };
  }
  const value = parameter.read(text);
  return value === undefined
    ? { message: `\`${text.slice(0, 64).toWellFormed()}\` is not valid; send ${parameter.expects}` }
    : { value };
}

function decodeQuery(query: string): Map<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    const text = decode(at === -1 ? '' : pair.slice(at + 1));
    if (name !== '') sent.set(name, [...(sent.get(name) ?? []), text]);
  }
  return sent;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new WeirError('invalid', { detail: 'the query string is not percent-encoded UTF-8; encode it again' });
  }
}
