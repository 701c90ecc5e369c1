/**
 * Ranges: between which numbers a fact must lie for a condition to be true at all. Sound because only parts of an AND
 * are looked at, all of which must be true: `name < 3` is true only if `name` is a number below 3. Everything else
 * (OR, NOT, calculations, names inside a quantifier) says nothing.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { literalOf } from './ast.ts';

/** The root name is a number below `limit` (`is_upper`) or above it, or equal to it where that is `inclusive`. */
export interface Range {
  name: string;
  is_upper: boolean;
  limit: number;
  inclusive: boolean;
}

/** Whether a value lies in the range. */
export function lies(value: unknown, { is_upper, limit, inclusive }: Range): boolean {
  if (typeof value !== 'number') return false;
  if (value === limit) return inclusive;
  return is_upper ? value < limit : value > limit;
}

/** The ranges of a condition, all of which hold whenever it is true. */
export function rangesOf(node: ASTNode): readonly Range[] {
  switch (node.op) {
    case '&&':
      return [...rangesOf(node.args[0]), ...rangesOf(node.args[1])];
    case '<':
    case '<=':
      return comparison(node.args, true, node.op === '<=');
    case '>':
    case '>=':
      return comparison(node.args, false, node.op === '>=');
    default:
      return [];
  }
}

/** `name < 3`, and `3 > name`, which says the same. */
function comparison(sides: readonly [ASTNode, ASTNode], is_upper: boolean, inclusive: boolean): readonly Range[] {
  for (const [name, other] of [sides, [sides[1], sides[0]]] as const) {
    const limit = literalOf(other);
    if (name.op !== 'id' || typeof limit !== 'number') continue;
    return [{ name: name.args, is_upper: name === sides[0] ? is_upper : !is_upper, limit, inclusive }];
  }
  return [];
}
