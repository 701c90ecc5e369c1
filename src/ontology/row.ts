/** One mapping of a document, read field by field. A field that is missing, misspelt or of the wrong kind is a problem. */
import { isObject } from '../lang/json.ts';
import type { Problems } from './problems.ts';

type Fields = Readonly<Record<string, unknown>>;

const show = (value: unknown): string =>
  value === undefined ? 'nothing' : `\`${JSON.stringify(value)?.slice(0, 60)}\``;

export class Row {
  /** File and entry, for messages. */
  readonly where: string;
  readonly problems: Problems;
  readonly #fields: Fields;
  readonly #read = new Set<string>();

  constructor(value: unknown, where: string, problems: Problems) {
    this.where = where;
    this.problems = problems;
    this.#fields = isObject(value) ? value : {};
    if (!isObject(value)) problems.add(where, `is ${show(value)}; write a mapping with named fields`);
  }

  has(field: string): boolean {
    return this.#fields[field] !== undefined;
  }

  #take(field: string): unknown {
    this.#read.add(field);
    return this.#fields[field];
  }

  #expected(field: string, kind: string, value: unknown): void {
    this.problems.add(this.where, `\`${field}\` is ${show(value)}; write ${kind}`);
  }

  /** A text that is not empty. */
  text(field: string): string {
    const value = this.#take(field);
    if (typeof value === 'string' && value !== '') return value;
    this.#expected(field, 'a text', value);
    return '';
  }

  /** A text, or `fallback` where the field is absent. */
  textOr(field: string, fallback: string): string {
    return this.has(field) ? this.text(field) : fallback;
  }

  number(field: string, min: number, max: number): number {
    const value = this.#take(field);
    if (typeof value === 'number' && value >= min && value <= max) return value;
    this.#expected(field, `a number from ${min} to ${max}`, value);
    return min;
  }

  integer(field: string, min: number, max: number): number {
    const value = this.#take(field);
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    this.#expected(field, `a whole number from ${min} to ${max}`, value);
    return min;
  }

  flag(field: string): boolean {
    const value = this.#take(field);
    if (typeof value === 'boolean') return value;
    this.#expected(field, 'true or false', value);
    return false;
  }

  flagOr(field: string, fallback: boolean): boolean {
    return this.has(field) ? this.flag(field) : fallback;
  }

  /** A list of different texts; it may be empty. */
  texts(field: string): string[] {
    const value = this.#take(field);
    return this.#textList(field, value);
  }

  textsOr(field: string, fallback: readonly string[]): readonly string[] {
    return this.has(field) ? this.texts(field) : fallback;
  }

  #textList(field: string, value: unknown): string[] {
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string' && one !== '')) {
      this.#expected(field, 'a list of texts (quote numbers and words such as `no`)', value);
      return [];
    }
    const twice = value.find((one, at) => value.indexOf(one) !== at);
    if (twice !== undefined) this.problems.add(this.where, `\`${field}\` has \`${twice}\` twice; keep one`);
    return value as string[];
  }

  /** A mapping below this one. */
  row(field: string): Row {
    return new Row(this.#take(field), `${this.where}: \`${field}\``, this.problems);
  }

  /** A list of mappings, each called by its field `name` in messages. */
  rows(field: string, name: string): Row[] {
    const value = this.#take(field);
    if (!Array.isArray(value) || value.length === 0) {
      this.#expected(field, 'a list of entries', value);
      return [];
    }
    const called = (one: unknown, at: number): string => {
      const own = isObject(one) ? one[name] : undefined;
      return typeof own === 'string' ? `\`${own}\`` : `entry ${at + 1}`;
    };
    return value.map((one, at) => new Row(one, `${this.where}: ${called(one, at)}`, this.problems));
  }

  #entries(field: string): [string, unknown][] {
    const value = this.#take(field);
    if (isObject(value) && Object.keys(value).length > 0) return Object.entries(value);
    this.#expected(field, 'a mapping with at least one entry', value);
    return [];
  }

  /** Names of the fields of this row, in the order of the file. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  /** Whether a field holds a mapping. */
  holdsRow(field: string): boolean {
    return isObject(this.#fields[field]);
  }

  /** All fields of this row, as lists of texts by name. */
  ownTexts(): Map<string, readonly string[]> {
    return new Map(Object.entries(this.#fields).map(([key, value]) => [key, this.#textList(key, value)]));
  }

  /** All fields of this row, as mappings by name. */
  ownRows(): Map<string, Row> {
    return new Map(
      Object.entries(this.#fields).map(([key, value]) => [
        key,
        new Row(value, `${this.where}: \`${key}\``, this.problems),
      ]),
    );
  }

  /** A mapping of names to mappings. */
  rowMap(field: string): Map<string, Row> {
    return new Map(
      this.#entries(field).map(([key, value]) => [key, new Row(value, `${this.where}: \`${key}\``, this.problems)]),
    );
  }

  /** A mapping of names to lists of texts. */
  textsMap(field: string): Map<string, readonly string[]> {
    return new Map(this.#entries(field).map(([key, value]) => [key, this.#textList(`${field}.${key}`, value)]));
  }

  /** A mapping of names to texts. */
  textMap(field: string): Map<string, string> {
    const entries = this.#entries(field);
    for (const [key, value] of entries)
      if (typeof value !== 'string') this.#expected(`${field}.${key}`, 'a text', value);
    return new Map(entries.map(([key, value]) => [key, String(value)]));
  }

  /** A mapping of names to whole numbers. */
  integerMap(field: string, min: number, max: number): Map<string, number> {
    const entries = this.#entries(field);
    const isFine = (value: unknown): boolean =>
      Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    for (const [key, value] of entries) {
      if (!isFine(value)) this.#expected(`${field}.${key}`, `a whole number from ${min} to ${max}`, value);
    }
    return new Map(entries.map(([key, value]) => [key, value as number]));
  }

  /** Call last: a field that was not read is misspelt. */
  done(): void {
    for (const field of Object.keys(this.#fields)) {
      if (!this.#read.has(field))
        this.problems.add(this.where, `has the unknown field \`${field}\`; remove it or correct its spelling`);
    }
  }
}

/** Puts an entry into a map; a second one of the same name is a problem. */
export function putOnce<V>(map: Map<string, V>, name: string, value: V, row: Row): void {
  if (map.has(name)) row.problems.add(row.where, `\`${name}\` is there twice; remove one`);
  else map.set(name, value);
}
