/** Membership and the two quantifiers over lists, as closures that draw on the budget of the evaluation. */
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
 * `value in list`. As with comparisons, a value that equals no element of its own type and meets elements of another
 * type, or missing ones, is not simply absent: the evaluation is marked.
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

/** The element that a quantifier is looking at; conditions inside it read it from here. */
export interface Cell {
  value: unknown;
}

/**
 * `list.exists(x, test)` when `wanted` is true, `list.all(x, test)` when it is false: looks for an element for which
 * the test is `wanted`, and is `wanted` when there is one.
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
    // A condition lives as long as its policy; it must not hold on to an event.
    cell.value = undefined;
    return result;
  };
}

function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return budget.left >= 0;
}
