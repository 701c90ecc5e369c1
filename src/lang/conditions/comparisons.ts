/**
 * Conditions as closures over the environment. A comparison whose sides are missing or of different types is false and
 * marks the evaluation as unevaluable. Where the condition compares with a number that it spells out, a text that is a number
 * counts as that number (`numbers.ts`); otherwise values are never converted.
 */
import { isScalar, type Scalar } from './ast.ts';
import { numberOf } from './numbers.ts';
import type { Read } from './values.ts';
import type { Environment } from './vocabulary.ts';

export type Test = (env: Environment) => boolean;

/** A side of a comparison; `literal` is set if it is the same for every event. */
export interface Operand {
  read: Read;
  literal?: Scalar;
  /** Slot of the name that it is, if it is nothing but a name with a slot: reading it takes one call less. */
  slot?: number;
}

/** Marks the evaluation as unevaluable and returns false. `value`: what was there instead of what the operator needs. */
export function unevaluable(env: Environment, value?: unknown): false {
  env.unevaluable = true;
  if (value !== undefined) env.is_mistyped = true;
  return false;
}

/** A boolean value used as a condition. */
export function isTrue({ read, slot }: Operand): Test {
  if (slot !== undefined)
    return (env) => {
      const value = env.at!(slot);
      return typeof value === 'boolean' ? value : unevaluable(env, value ?? undefined);
    };
  return (env) => {
    const value = read(env);
    return typeof value === 'boolean' ? value : unevaluable(env, value);
  };
}

/** `a == b` if `expected` is true, `a != b` if it is false. */
export function equality(a: Operand, b: Operand, expected: boolean): Test {
  if (b.literal !== undefined) return equalsLiteral(a, b.literal, expected);
  if (a.literal !== undefined) return equalsLiteral(b, a.literal, expected);
  return (env) => {
    const left = a.read(env);
    const right = b.read(env);
    if (typeof left !== typeof right || !isScalar(left) || !isScalar(right))
      return unevaluable(env, left === undefined ? undefined : right);
    return (left === right) === expected;
  };
}

function equalsLiteral({ read, slot }: Operand, literal: Scalar, expected: boolean): Test {
  const type = typeof literal;
  if (typeof literal === 'number')
    return (env) => {
      const value = read(env);
      const number = numberOf(value);
      return number === undefined ? unevaluable(env, value) : (number === literal) === expected;
    };
  if (slot !== undefined)
    return (env) => {
      const value = env.at!(slot);
      return typeof value === type ? (value === literal) === expected : unevaluable(env, value ?? undefined);
    };
  return (env) => {
    const value = read(env);
    return typeof value === type ? (value === literal) === expected : unevaluable(env, value);
  };
}

export type Order = '<' | '<=' | '>' | '>=';

const MIRRORED: Readonly<Record<Order, Order>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Numbers by value, strings by their UTF-16 code units; anything else cannot be ordered. */
export function order(operator: Order, a: Operand, b: Operand): Test {
  if (typeof b.literal === 'number') return orderNumber(operator, a.read, b.literal);
  if (typeof a.literal === 'number') return orderNumber(MIRRORED[operator], b.read, a.literal);
  return (env) => {
    const left = a.read(env);
    const right = b.read(env);
    if (typeof left === 'number' && typeof right === 'number' && !Number.isNaN(left) && !Number.isNaN(right)) {
      return holds(operator, left, right);
    }
    if (typeof left === 'string' && typeof right === 'string') return holds(operator, left, right);
    return unevaluable(env, left === undefined ? undefined : right);
  };
}

function holds<T extends number | string>(operator: Order, left: T, right: T): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

/** One closure per operator, because most rules consist of these comparisons. */
function orderNumber(operator: Order, read: Read, limit: number): Test {
  switch (operator) {
    case '<':
      return (env) => {
        const value = read(env);
        const number = numberOf(value);
        return number === undefined ? unevaluable(env, value) : number < limit;
      };
    case '<=':
      return (env) => {
        const value = read(env);
        const number = numberOf(value);
        return number === undefined ? unevaluable(env, value) : number <= limit;
      };
    case '>':
      return (env) => {
        const value = read(env);
        const number = numberOf(value);
        return number === undefined ? unevaluable(env, value) : number > limit;
      };
    case '>=':
      return (env) => {
        const value = read(env);
        const number = numberOf(value);
        return number === undefined ? unevaluable(env, value) : number >= limit;
      };
  }
}
