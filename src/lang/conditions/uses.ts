/** How a condition depends on each name that it reads: whether it holds when the value is high, low, or of some values. */
import type { ASTNode } from '@marcbachmann/cel-js';
import { literalOf, literalsOf, type Scalar } from './ast.ts';
import { SIZE } from './translate.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Use {
  /** Name with its fields: `effect`, `parameters.amount`. */
  path: string;
  /** Its first segment. */
  name: string;
  /**
   * - `high`: raising the value (a greater number, true instead of false, more elements) can only make the condition true;
   * - `low`: raising it can only make the condition false;
   * - `one_of`: the condition asks whether the value is one of `values`;
   * - `any`: neither.
   */
  holds_when: 'high' | 'low' | 'one_of' | 'any';
  values: readonly Scalar[];
  /** It stands in one part of several of which one is enough. */
  is_alternative: boolean;
}

const NO_VALUES: readonly Scalar[] = [];

/** Every use of a name in a checked tree. */
export function usesOf(tree: ASTNode, vocabulary: Vocabulary): readonly Use[] {
  const reader = new UseReader(vocabulary);
  reader.test(tree, true, new Set());
  return reader.uses;
}

/** Element names of the enclosing quantifiers. */
type Locals = ReadonlySet<string>;

class UseReader {
  readonly uses: Use[] = [];
  readonly #vocabulary: Vocabulary;
  #is_alternative = false;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** `is_wanted`: the condition holds when this node does, and not when it does not. */
  test(node: ASTNode, is_wanted: boolean, locals: Locals): void {
    switch (node.op) {
      case '&&':
      case '||': {
        const before = this.#is_alternative;
        this.#is_alternative ||= (node.op === '||') === is_wanted;
        this.test(node.args[0], is_wanted, locals);
        this.test(node.args[1], is_wanted, locals);
        this.#is_alternative = before;
        return;
      }
      case '!_':
        this.test(node.args, !is_wanted, locals);
        return;
      case '==':
      case '!=':
        this.#equality(node.args, (node.op === '==') === is_wanted, locals);
        return;
      case '<':
      case '<=':
      case '>':
      case '>=': {
        const is_low = node.op.startsWith('<') === is_wanted;
        this.#value(node.args[0], is_low ? 'low' : 'high', locals);
        this.#value(node.args[1], is_low ? 'high' : 'low', locals);
        return;
      }
      case 'in': {
        const literals = literalsOf(node.args[1]);
        if (literals !== undefined && is_wanted) this.#value(node.args[0], 'one_of', locals, literals);
        else this.#value(node.args[0], 'any', locals);
        if (literals === undefined) this.#value(node.args[1], is_wanted ? 'high' : 'low', locals);
        return;
      }
      case 'rcall':
        if (node.args[0] === 'exists' || node.args[0] === 'all') {
          this.#quantifier(node.args, is_wanted, locals);
          return;
        }
    }
    this.#value(node, is_wanted ? 'high' : 'low', locals);
  }

  #quantifier([kind, list, args]: [string, ASTNode, ASTNode[]], is_wanted: boolean, locals: Locals): void {
    this.#value(list, (kind === 'exists') === is_wanted ? 'high' : 'low', locals);
    const [variable, body] = args as [ASTNode, ASTNode];
    this.test(body, is_wanted, variable.op === 'id' ? new Set([...locals, variable.args]) : locals);
  }

  #equality([left, right]: readonly [ASTNode, ASTNode], is_wanted: boolean, locals: Locals): void {
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const literal = literalOf(other);
      if (typeof literal === 'boolean') this.test(side, literal === is_wanted, locals);
      else if (literal !== undefined && is_wanted) this.#value(side, 'one_of', locals, [literal]);
      else this.#value(side, 'any', locals);
    }
  }

  #value(node: ASTNode, holds_when: Use['holds_when'], locals: Locals, values = NO_VALUES): void {
    const path = pathOf(node);
    if (path !== null) {
      if (!locals.has(path[0]!))
        this.uses.push({
          path: path.join('.'),
          name: path[0]!,
          holds_when,
          values,
          is_alternative: this.#is_alternative,
        });
      return;
    }
    switch (node.op) {
      case 'call': {
        const [name, args] = node.args;
        const is_size = name === SIZE;
        for (const root of this.#vocabulary.functions.get(name)?.reads ?? []) this.#add(root);
        for (const arg of args) this.#value(arg, is_size && holds_when !== 'one_of' ? holds_when : 'any', locals);
        return;
      }
      case 'rcall': {
        const [name, receiver, args] = node.args as [string, ASTNode, ASTNode[]];
        if (name === 'exists' || name === 'all') {
          this.test(node, holds_when !== 'low', locals);
          if (holds_when === 'any' || holds_when === 'one_of') this.test(node, false, locals);
          return;
        }
        const is_size = name === SIZE || name === 'size';
        this.#value(receiver, is_size && holds_when !== 'one_of' ? holds_when : 'any', locals);
        for (const arg of args) this.#value(arg, 'any', locals);
        return;
      }
      case 'value':
        return;
      case '-_':
        this.#value(node.args, 'any', locals);
        return;
      default:
        if (Array.isArray(node.args)) for (const arg of node.args as ASTNode[]) this.#value(arg, 'any', locals);
    }
    if (node.op === '!_') this.#value(node.args, 'any', locals);
  }

  #add(name: string): void {
    this.uses.push({ path: name, name, holds_when: 'any', values: NO_VALUES, is_alternative: this.#is_alternative });
  }
}

/** `a.b.c` as its segments; `null` for any other node. */
function pathOf(node: ASTNode): string[] | null {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.') return null;
  const object = pathOf(node.args[0]);
  return object === null ? null : [...object, node.args[1]];
}
