/**
 * Guards: what a condition asks first, in a form that is checked without evaluating it. Most conditions of rules are decided by it.
 *
 * A fact is absent if it is `false`, `''`, 0, an empty list or missing, and present otherwise. A guard is a list of needs, of which one
 * must be met. The guards of a condition are those of its first conjuncts, up to the first one that has none, and are checked in
 * the order of the condition, so that checking them computes no fact that the condition itself would not compute. If the
 * condition is true, each guard holds:
 * - a bare truth value, `name == 'c'`, `name != ''`, `name in ['a', 'b']`, `'c' in name`, `name.exists(…)`, `size(name) > 0`,
 *   `name > 0`, `name >= 1`: only if the fact is present;
 * - `NOT name` of a truth value, `name == ''`: only if it is absent;
 * - OR: only if a need of one of its sides is met; AND inside OR: only if a need of its first side is.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { literalOf, literalsOf, type Scalar } from './ast.ts';
import { SIZE } from './translate.ts';
import type { NameDef, Vocabulary } from './vocabulary.ts';

interface Need {
  slot: number;
  is_present: boolean;
}

/** One of the needs must be met. */
export type Guard = readonly Need[];

/** Whether the value of a fact is present. */
export function isPresent(value: unknown): boolean {
  if (value === false || value === '' || value === 0 || value === undefined || value === null) return false;
  return !Array.isArray(value) || value.length > 0;
}

/** The guards of a condition, at most one for each conjunct. None reads a slot below 0: elements have such, and no fact does. */
export function guardsOf(node: ASTNode, vocabulary: Vocabulary): readonly Guard[] {
  const guards: Guard[] = [];
  for (const conjunct of conjunctsOf(node)) {
    const guard = guardOf(conjunct, vocabulary);
    if (guard === null || guard.some(({ slot }) => slot < 0)) break;
    guards.push(guard);
  }
  return guards;
}

const conjunctsOf = (node: ASTNode): ASTNode[] => (node.op === '&&' ? node.args.flatMap(conjunctsOf) : [node]);

function guardOf(node: ASTNode, vocabulary: Vocabulary): Guard | null {
  const present = (named: ASTNode): Guard | null => guardOn(named, true, vocabulary);
  switch (node.op) {
    case '||': {
      const sides = node.args.map((side) => guardOf(side, vocabulary));
      return sides.every((side) => side !== null) ? sides.flat() : null;
    }
    case '&&':
      return guardOf(node.args[0], vocabulary);
    case 'id':
      return present(node);
    case '!_':
      return defOf(node.args, vocabulary)?.type === 'bool' ? guardOn(node.args, false, vocabulary) : null;
    case '==':
    case '!=': {
      const [name, literal] = sidesOf(node.args);
      if (literal === '') return guardOn(name, node.op === '!=', vocabulary);
      return node.op === '==' && literal !== undefined && isPresent(literal) ? present(name) : null;
    }
    case '>':
      return isNumber(node.args[1], (limit) => limit >= 0) ? present(measured(node.args[0])) : null;
    case '>=':
      return isNumber(node.args[1], (limit) => limit > 0) ? present(measured(node.args[0])) : null;
    case 'in': {
      const literals = literalsOf(node.args[1]);
      if (literals !== undefined) return literals.every(isPresent) ? present(node.args[0]) : null;
      return literalOf(node.args[0]) === undefined ? null : present(node.args[1]);
    }
    case 'rcall':
      return node.args[0] === 'exists' ? present(node.args[1]) : null;
    default:
      return null;
  }
}

function isNumber(node: ASTNode, holds: (limit: number) => boolean): boolean {
  const literal = literalOf(node);
  return typeof literal === 'number' && holds(literal);
}

/** The name whose size is asked for, or the node itself. */
function measured(node: ASTNode): ASTNode {
  const isSize = node.op === 'call' && node.args[0] === SIZE && node.args[1].length === 1;
  return isSize ? node.args[1][0]! : node;
}

/** The side without a literal, and the literal of the other. */
function sidesOf([left, right]: readonly [ASTNode, ASTNode]): [ASTNode, Scalar | undefined] {
  const literal = literalOf(right);
  return literal === undefined ? [right, literalOf(left)] : [left, literal];
}

const defOf = (node: ASTNode, { names }: Vocabulary): NameDef | undefined =>
  node.op === 'id' ? names.get(node.args) : undefined;

const guardOn = (node: ASTNode, is_present: boolean, vocabulary: Vocabulary): Guard | null => {
  const slot = defOf(node, vocabulary)?.slot;
  return slot === undefined ? null : [{ slot, is_present }];
};
