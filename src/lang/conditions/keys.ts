/**
 * Keys: facts that must hold for a condition to be true. An index files each rule under its keys and, for an event, tests
 * only rules with a key that holds.
 *
 * The index is sound because every case below keeps the invariant “if the condition is true, one of its keys holds”:
 * - `name == 'c'`: true only if the value of `name` is `c` and of the same type, nothing being converted;
 * - `'c' in name`: true only if the list contains `c`; `name in ['a', 'b']`: only if `name` is one of them;
 * - a bare truth value: only if it is true;
 * - AND is true only if both sides are, so the keys of either side do: the more selective ones are taken;
 * - OR is true only if one side is, so it has keys only if both sides have: all of them;
 * - `list.exists(x, …)` is true only if the inner condition is, for some element: a key on `x` is a key on the list,
 *   any other key of the inner condition stays as it is;
 * - everything else (NOT, !=, <, >, functions without keys, names below an object) has no keys: null.
 * An unevaluable condition is false, so missing values cannot break the invariant.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { literalOf, literalsOf, type Scalar } from './ast.ts';
import type { Key, Vocabulary } from './vocabulary.ts';

/** A condition with more keys than this has none: the rule is tested for every event. */
const MAX_KEYS = 64;

/** The keys of a condition; null if it may be true whatever the facts are. */
export function keysOf(node: ASTNode, vocabulary: Vocabulary): readonly Key[] | null {
  const keys = derive(node, { vocabulary, lists: new Map() });
  return keys === null || keys.length > MAX_KEYS ? null : distinct(keys);
}

interface Context {
  vocabulary: Vocabulary;
  /** Element names of the enclosing quantifiers → the root list that each iterates over; null if it is not a root name. */
  lists: ReadonlyMap<string, string | null>;
}

function derive(node: ASTNode, context: Context): readonly Key[] | null {
  switch (node.op) {
    case '&&':
      return moreSelective(derive(node.args[0], context), derive(node.args[1], context));
    case '||':
      return union(derive(node.args[0], context), derive(node.args[1], context));
    case '==':
      return equalityKeys(node.args[0], node.args[1], context) ?? equalityKeys(node.args[1], node.args[0], context);
    case 'in':
      return membershipKeys(node.args[0], node.args[1], context);
    case 'id':
      return namedKeys(node, [true], context);
    case 'rcall':
      return node.args[0] === 'exists' ? existsKeys(node.args[1], node.args[2], context) : null;
    case 'call':
      return callKeys(node.args[0], node.args[1], context);
    default:
      return null;
  }
}

function moreSelective(a: readonly Key[] | null, b: readonly Key[] | null): readonly Key[] | null {
  if (a === null || b === null) return a ?? b;
  const cost = (keys: readonly Key[]) => keys.length + (keys.some((key) => typeof key.value === 'boolean') ? 1_000 : 0);
  return cost(b) < cost(a) ? b : a;
}

function union(a: readonly Key[] | null, b: readonly Key[] | null): readonly Key[] | null {
  return a === null || b === null ? null : [...a, ...b];
}

function equalityKeys(side: ASTNode, other: ASTNode, context: Context): readonly Key[] | null {
  const literal = literalOf(other);
  return literal === undefined ? null : namedKeys(side, [literal], context);
}

function membershipKeys(left: ASTNode, right: ASTNode, context: Context): readonly Key[] | null {
  const literals = literalsOf(right);
  if (literals !== undefined) return namedKeys(left, literals, context);
  const literal = literalOf(left);
  // A list that is itself an element of a list has no known root.
  const is_root = right.op === 'id' && !context.lists.has(right.args);
  return literal === undefined || !is_root ? null : namedKeys(right, [literal], context);
}

/** Keys on a root name, or on the list that an element name iterates over. */
function namedKeys(node: ASTNode, values: readonly Scalar[], context: Context): readonly Key[] | null {
  if (node.op !== 'id') return null;
  const list = context.lists.get(node.args);
  const name = list === undefined ? node.args : list;
  return name === null ? null : values.map((value) => ({ name, value }));
}

function existsKeys(receiver: ASTNode, args: readonly ASTNode[], context: Context): readonly Key[] | null {
  const [variable, body] = args;
  if (variable?.op !== 'id' || body === undefined) return null;
  const is_root = receiver.op === 'id' && !context.lists.has(receiver.args);
  return derive(body, {
    ...context,
    lists: new Map([...context.lists, [variable.args, is_root ? receiver.args : null]]),
  });
}

function callKeys(name: string, args: readonly ASTNode[], context: Context): readonly Key[] | null {
  const of_literal = context.vocabulary.functions.get(name)?.keysOfLiteral;
  const literal = args.length === 1 ? literalOf(args[0]!) : undefined;
  return of_literal === undefined || typeof literal !== 'string' ? null : of_literal(literal);
}

function distinct(keys: readonly Key[]): Key[] {
  const seen = new Map(keys.map((key) => [`${typeof key.value}:${key.name}:${key.value}`, key]));
  return [...seen.values()];
}
