/** Membership and the two quantifiers over lists, as closures that spend the budget of the evaluation. */
import { isScalar, type Scalar } from './ast.ts';
import { type Test, unevaluable } from './comparisons.ts';
import type { Budget, Read } from './values.ts';
import type { Environment } from './vocabulary.ts';

/** `value in ['a', 'b']`, all elements literals of one type. */
export function isOneOf(read: Read, literals: readonly Scalar[]): Test {
  const values = new Set(literals);
  const type = typeof literals[0];
  return (env) => {
    const value = read(env);
    if (!isScalar(value) || (values.size > 0 && typeof value !== type)) return unevaluable(env);
    return values.has(value);
  };
}

/**
 * `value in list`. As with comparisons, if the value is not found and the list has missing elements or elements of another
 * type, the evaluation is marked as unevaluable.
 */
export function isMember(read: Read, list: Read, budget: Budget): Test {
  return (env) => {
    const value = read(env);
    const values = list(env);
    if (!isScalar(value) || !Array.isArray(values)) return unevaluable(env);
    if (!spend(budget, 1 + (values.length >> 4))) return unevaluable(env);
    if (values.includes(value)) return true;
    const type = typeof value;
    for (let i = 0; i < values.length; i++) if (typeof values[i] !== type) return unevaluable(env);
    return false;
  };
}

/** The current element of a quantifier, from which the conditions inside it read. */
export interface Cell {
  value: unknown;
}

/**
 * `list.exists(x, test)` if `wanted` is true, `list.all(x, test)` if it is false: the result is `wanted` if the test is
 * `wanted` for some element.
 */
export function quantify(wanted: boolean, list: Read, cell: Cell, test: Test, cost: number, budget: Budget): Test {
  const search = (values: readonly unknown[], env: Environment): boolean => {
    for (let i = 0; i < values.length; i++) {
      if (!spend(budget, cost)) return unevaluable(env);
      cell.value = values[i];
      if (test(env) === wanted) return wanted;
    }
    return !wanted;
  };
  return (env) => {
    const values = list(env);
    if (!Array.isArray(values)) return unevaluable(env);
    const result = search(values, env);
    // A condition lives as long as its policy and must not keep an event in memory.
    cell.value = undefined;
    return result;
  };
}

function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return budget.left >= 0;
}
