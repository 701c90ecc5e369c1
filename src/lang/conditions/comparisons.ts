/**
 * Conditions as closures over the environment. A comparison whose sides are missing or of different types is false and
 * marks the evaluation as unevaluable. Values are never converted: "500" is not a number.
 */
import { isScalar, type Scalar } from './ast.ts';
import type { Read } from './values.ts';
import type { Environment } from './vocabulary.ts';

export type Test = (env: Environment) => boolean;

/** A side of a comparison; `literal` is set if it is the same for every event. */
export interface Operand {
  read: Read;
  literal?: Scalar;
}

/** Marks the evaluation as unevaluable and returns false. */
export function unevaluable(env: Environment): false {
  env.unevaluable = true;
  return false;
}

/** A boolean value used as a condition. */
export function isTrue(read: Read): Test {
  return (env) => {
    const value = read(env);
    return typeof value === 'boolean' ? value : unevaluable(env);
  };
}

/** `a == b` if `expected` is true, `a != b` if it is false. */
export function equality(a: Operand, b: Operand, expected: boolean): Test {
  if (b.literal !== undefined) return equalsLiteral(a.read, b.literal, expected);
  if (a.literal !== undefined) return equalsLiteral(b.read, a.literal, expected);
  return (env) => {
    const left = a.read(env);
    const right = b.read(env);
    if (typeof left !== typeof right || !isScalar(left) || !isScalar(right)) return unevaluable(env);
    return (left === right) === expected;
  };
}

function equalsLiteral(read: Read, literal: Scalar, expected: boolean): Test {
  const type = typeof literal;
  return (env) => {
    const value = read(env);
    return typeof value === type && !Number.isNaN(value) ? (value === literal) === expected : unevaluable(env);
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
    return typeof left === 'string' && typeof right === 'string' ? holds(operator, left, right) : unevaluable(env);
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
  const number = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);
  switch (operator) {
    case '<':
      return (env) => {
        const value = read(env);
        return number(value) ? value < limit : unevaluable(env);
      };
    case '<=':
      return (env) => {
        const value = read(env);
        return number(value) ? value <= limit : unevaluable(env);
      };
    case '>':
      return (env) => {
        const value = read(env);
        return number(value) ? value > limit : unevaluable(env);
      };
    case '>=':
      return (env) => {
        const value = read(env);
        return number(value) ? value >= limit : unevaluable(env);
      };
  }
}
