/** Queries on nodes of the CEL library's tree, shared by the builder and the keys. */
import type { ASTNode } from '@marcbachmann/cel-js';

export type Scalar = string | number | boolean;

/** The value of a literal string, number or truth value, a minus sign included; undefined for anything else. */
export function literalOf(node: ASTNode): Scalar | undefined {
  if (node.op === 'value') return isScalar(node.args) ? node.args : undefined;
  if (node.op !== '-_') return undefined;
  const value = literalOf(node.args);
  // `0 - x` and not `-x`, which turns 0 into -0: equal in every comparison of a condition, but not for `Object.is`.
  return typeof value === 'number' ? 0 - value : undefined;
}

/** The values of a list made of literals only; undefined for anything else. */
export function literalsOf(node: ASTNode): Scalar[] | undefined {
  if (node.op !== 'list') return undefined;
  const values = node.args.map(literalOf);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Whether a value can be compared. NaN cannot: it equals nothing. */
export function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return !Number.isNaN(value);
  return typeof value === 'string' || typeof value === 'boolean';
}
