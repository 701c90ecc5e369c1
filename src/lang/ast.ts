/** Small questions about nodes of the CEL library's tree, asked by the builder and by the keys. */
import type { ASTNode } from '@marcbachmann/cel-js';

export type Scalar = string | number | boolean;

/** The value of a literal string, number or truth value, a minus sign included; undefined for anything else. */
export function literalOf(node: ASTNode): Scalar | undefined {
  if (node.op === 'value') return isScalar(node.args) ? node.args : undefined;
  if (node.op !== '-_') return undefined;
  const value = literalOf(node.args);
  // 0 - x, because -0 and 0 are the same number to a reader and in every comparison, but not to a Map.
  return typeof value === 'number' ? 0 - value : undefined;
}

/** The values of a list made of literals only; undefined for anything else. */
export function literalsOf(node: ASTNode): Scalar[] | undefined {
  if (node.op !== 'list') return undefined;
  const values = node.args.map(literalOf);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** A value that can be compared. NaN is none: nothing equals it, and it is a number only by name. */
export function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return !Number.isNaN(value);
  return typeof value === 'string' || typeof value === 'boolean';
}
