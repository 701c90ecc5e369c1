/**
 * Values as closures over the environment. A value that is missing, null or of the wrong type for its operator is
 * `undefined` and stays so through every calculation, until a comparison turns it into “false and unevaluable”.
 */
import { isObject } from '../json.ts';
import { numberOf } from './numbers.ts';
import type { Environment, FunctionDef, ValueType } from './vocabulary.ts';

export type Read = (env: Environment) => unknown;

/** Remaining work of this evaluation; see `Limits.steps`. */
export interface Budget {
  left: number;
}

/** Field `name` of a plain object: own properties only, null counts as missing. */
function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as Record<string, unknown>)[name] ?? undefined;
}

export function readName(name: string): Read {
  return (env) => env.get(name) ?? undefined;
}

/** Like `readName`, for a name with a slot, which saves a look-up. */
export function readSlot(slot: number): Read {
  return (env) => env.at!(slot) ?? undefined;
}

export function readField(object: Read, name: string): Read {
  return (env) => ownField(object(env), name);
}

/** `readName` and `readField` in one step, for the most common paths. */
export function readNameField(name: string, field: string): Read {
  return (env) => ownField(env.get(name), field);
}

/** A declared field of an object with a slot. The vocabulary guarantees the object, so nothing is checked. */
export function readSlotField(slot: number, field: string): Read {
  return (env) => (env.at!(slot) as Record<string, unknown> | null)?.[field] ?? undefined;
}

/** A list written in the condition. If elements are missing, the list is used and the evaluation is marked as unevaluable. */
export function readList(elements: readonly Read[]): Read {
  return (env) => {
    const values = elements.map((read) => read(env));
    if (values.includes(undefined)) env.unevaluable = true;
    return values;
  };
}

type Operator = '+' | '-' | '*' | '/' | '%';

const OPERATORS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/** A value that is there and no number is noted, because the comparison around the calculation sees only that it has no result. */
function toCalculate(value: unknown, env: Environment): number | undefined {
  const number = numberOf(value);
  if (number === undefined && value !== undefined) env.is_mistyped = true;
  return number;
}

/** A calculation with two numbers, or texts that spell numbers; undefined if the result is not finite (division by zero, overflow). */
export function calculate(operator: Operator, left: Read, right: Read): Read {
  const apply = OPERATORS[operator];
  return (env) => {
    const a = toCalculate(left(env), env);
    const b = toCalculate(right(env), env);
    if (a === undefined || b === undefined) return undefined;
    const result = apply(a, b);
    return Number.isFinite(result) ? result : undefined;
  };
}

export function negate(read: Read): Read {
  return (env) => {
    const value = toCalculate(read(env), env);
    return value === undefined ? undefined : 0 - value;
  };
}

/** Characters (code points) of a string, elements of a list. */
export function sizeOf(read: Read): Read {
  return (env) => {
    const value = read(env);
    if (Array.isArray(value)) return value.length;
    return typeof value === 'string' ? countCodePoints(value) : undefined;
  };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export type StringMethod = 'contains' | 'startsWith' | 'endsWith';

export function stringMethod(method: StringMethod, text: Read, part: Read, budget: Budget): Read {
  return (env) => {
    const a = text(env);
    const b = part(env);
    if (typeof a !== 'string' || typeof b !== 'string') return undefined;
    if (method === 'startsWith') return a.startsWith(b);
    if (method === 'endsWith') return a.endsWith(b);
    // Searching 256 characters takes about as long as one list element.
    budget.left -= 1 + (a.length >> 8);
    return budget.left < 0 ? undefined : a.includes(b);
  };
}

/** A call of a function of the vocabulary; undefined if an argument is missing or of another type. */
export function callFunction(fn: FunctionDef, args: readonly Read[], prepared: readonly unknown[] | undefined): Read {
  if (prepared !== undefined) return (env) => fn.call(env, ...prepared) ?? undefined;
  const accepts = fn.args.map(acceptorOf);
  return (env) => {
    const values: unknown[] = [];
    for (let i = 0; i < args.length; i++) {
      const value = args[i]!(env);
      if (!accepts[i]!(value)) return undefined;
      values.push(value);
    }
    return fn.call(env, ...values) ?? undefined;
  };
}

function acceptorOf(type: ValueType): (value: unknown) => boolean {
  switch (type) {
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
    case 'double':
      return (value) => typeof value === 'number';
    case 'string':
      return (value) => typeof value === 'string';
    case 'list<string>':
    case 'list<object>':
      return (value) => Array.isArray(value);
    case 'object':
      return isObject;
    case 'dyn':
      return (value) => value !== undefined;
  }
}
