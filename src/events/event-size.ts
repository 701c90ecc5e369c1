/**
 * How many values one event may hold. Reading a value costs some microseconds in every reading that looks at it, and a
 * body of 1 MiB has room for half a million: the bound keeps the worst event below 50 ms.
 */

import type { JsonObject } from '../lang/json.ts';
import type { FieldError } from '../platform/errors.ts';
import { countValues } from '../platform/http/validate.ts';

/** Strings, numbers, truth values, nulls, lists and objects of the whole event. Real calls hold some dozens. */
export const MAX_VALUES = 20_000;

/** How many the event holds; stops counting soon after `MAX_VALUES`. */
export function valuesOf(event: JsonObject): number {
  let count = 0;
  for (const name of Object.keys(event)) count += countValues(event[name]!, MAX_VALUES - count);
  return count;
}

/** An error at the field with most of the values. Nothing is cut: part of a list is another call. */
export function tooManyValues(event: JsonObject): FieldError {
  return {
    path: `/${largestField(event)}`,
    message: `the event holds more than ${MAX_VALUES} values, most of them here; send the first ones and their whole number as \`count\``,
  };
}

function largestField(event: JsonObject): string {
  const sizes = Object.entries(event).map(([name, value]) => ({ name, size: countValues(value, Number.MAX_VALUE) }));
  return sizes.reduce((most, one) => (one.size > most.size ? one : most)).name.slice(0, 100);
}
