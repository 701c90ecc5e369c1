/**
 * From the checked tree to closures: one closure per node, chosen at compile time, so that evaluating a condition takes few
 * calls. Parts of CEL that conditions do not have (index access, maps, `? :`, comparison of lists …) are refused here.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { literalOf, literalsOf, type Scalar } from './ast.ts';
import { unknownName } from './check.ts';
import { equality, isTrue, type Operand, order, type Test } from './comparisons.ts';
import { ConditionError } from './condition-error.ts';
import { type Cell, isMember, isOneOf, quantify } from './lists.ts';
import { DYN, fieldShape, type Kind, type Shape, shapeOf } from './shapes.ts';
import { SIZE, type Translation } from './translate.ts';
import {
  type Budget,
  calculate,
  callFunction,
  negate,
  type Read,
  readField,
  readList,
  readName,
  readNameField,
  readSlot,
  readSlotField,
  type StringMethod,
  sizeOf,
  stringMethod,
} from './values.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A value with its shape. */
interface Value extends Operand {
  shape: Shape;
}

const SCALARS: readonly Kind[] = ['bool', 'number', 'string', 'dyn'];
const ORDERED: readonly Kind[] = ['number', 'string', 'dyn'];
const NUMBERS: readonly Kind[] = ['number', 'dyn'];
const LISTS: readonly Kind[] = ['list', 'dyn'];
const SIZED: readonly Kind[] = ['string', 'list', 'dyn'];
const STRINGS: readonly Kind[] = ['string', 'dyn'];

export class Builder {
  /** Root names that the condition reads. */
  readonly reads = new Set<string>();
  /** Shared by all closures of the condition; reset before each evaluation. */
  readonly budget: Budget = { left: 0 };
  readonly #vocabulary: Vocabulary;
  readonly #translation: Translation;
  readonly #locals = new Map<string, { shape: Shape; cell: Cell }>();
  #tests = 0;

  constructor(vocabulary: Vocabulary, translation: Translation) {
    this.#vocabulary = vocabulary;
    this.#translation = translation;
  }

  /** The closure of a node that must be a condition. */
  test(node: ASTNode): Test {
    this.#tests += 1;
    switch (node.op) {
      case '&&':
      case '||':
        return joined(node.op, this.#operands(node, node.op));
      case '!_': {
        const negated = this.test(node.args);
        return (env) => !negated(env);
      }
      case '==':
      case '!=':
        return equality(...this.#sides(node.args, SCALARS, 'compared'), node.op === '==');
      case '<':
      case '<=':
      case '>':
      case '>=':
        return order(node.op, ...this.#sides(node.args, ORDERED, 'ordered'));
      case 'in':
        return this.#membership(node.args[0], node.args[1]);
      case 'rcall':
        if (node.args[0] === 'exists' || node.args[0] === 'all')
          return this.#quantifier(node.args, node.args[0] === 'exists');
    }
    return this.#bareCondition(node);
  }

  /** The tests that the operator joins, from left to right, however they are nested: `a AND b AND c` is one chain. */
  #operands({ args }: ASTNode & { op: '&&' | '||' }, operator: '&&' | '||'): Test[] {
    return args.flatMap((arg) => {
      if (arg.op !== operator) return this.test(arg);
      this.#tests += 1;
      return this.#operands(arg, operator);
    });
  }

  #bareCondition(node: ASTNode): Test {
    const value = this.#value(node);
    const { shape } = value;
    if (shape.kind === 'bool') return isTrue(value);
    const hint = shape.kind === 'dyn' ? 'compare it: … == true' : 'compare it with something';
    throw this.#error(node, `${article(shape.kind)} is not a condition; ${hint}`);
  }

  #sides(nodes: readonly [ASTNode, ASTNode], kinds: readonly Kind[], verb: string): [Value, Value] {
    return [this.#valueOf(nodes[0], kinds, verb), this.#valueOf(nodes[1], kinds, verb)];
  }

  #membership(left: ASTNode, right: ASTNode): Test {
    const value = this.#valueOf(left, SCALARS, 'looked up in a list');
    const literals = literalsOf(right);
    if (literals !== undefined) return isOneOf(value.read, literals);
    return isMember(value.read, this.#valueOf(right, LISTS, 'searched with `in`').read, this.budget);
  }

  #quantifier([, receiver, args]: [string, ASTNode, ASTNode[]], wanted: boolean): Test {
    const list = this.#valueOf(receiver, LISTS, 'searched element by element');
    const [variable, body] = args as [ASTNode, ASTNode];
    if (variable.op !== 'id') throw this.#error(variable, 'write a name for the element: list.exists(x, x == "a")');
    const name = variable.args;
    if (this.#locals.has(name) || this.#vocabulary.names.has(name) || this.#vocabulary.functions.has(name)) {
      throw this.#error(variable, `\`${name}\` already means something else here; choose another name for the element`);
    }
    const cell: Cell = { value: undefined };
    this.#locals.set(name, { shape: list.shape.item ?? DYN, cell });
    const tests_before = this.#tests;
    const test = this.test(body);
    this.#locals.delete(name);
    return quantify(wanted, list.read, cell, test, this.#tests - tests_before + 1, this.budget);
  }

  /** A value of one of some kinds; `verb` completes the sentence “a list cannot be …”. */
  #valueOf(node: ASTNode, kinds: readonly Kind[], verb: string): Value {
    const value = this.#value(node);
    if (kinds.includes(value.shape.kind)) return value;
    throw this.#error(node, `${article(value.shape.kind)} cannot be ${verb}`);
  }

  #value(node: ASTNode): Value {
    const literal = literalOf(node);
    if (literal !== undefined) return { shape: { kind: kindOf(literal) }, read: () => literal, literal };
    switch (node.op) {
      case 'id':
        return this.#name(node, node.args);
      case '.':
        return this.#field(node.args[0], node.args[1]);
      case '+':
      case '-':
      case '*':
      case '/':
      case '%': {
        const [left, right] = this.#sides(node.args, NUMBERS, 'calculated with');
        return { shape: { kind: 'number' }, read: calculate(node.op, left.read, right.read) };
      }
      case '-_':
        return { shape: { kind: 'number' }, read: negate(this.#valueOf(node.args, NUMBERS, 'calculated with').read) };
      case 'list':
        return this.#list(node.args);
      case 'call':
        return this.#call(node, node.args[0], node.args[1]);
      case 'rcall':
        return this.#method(node, node.args);
      case '&&':
      case '||':
      case '!_':
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
      case 'in':
        return { shape: { kind: 'bool' }, read: this.test(node) };
    }
    throw this.#error(node, `\`${node.op}\` is not part of the language of conditions`);
  }

  #name(node: ASTNode, name: string): Value {
    const local = this.#locals.get(name);
    if (local !== undefined) return { shape: local.shape, read: () => local.cell.value ?? undefined };
    const def = this.#vocabulary.names.get(name);
    // The type checker accepts CEL's own constants (`int`, `string` …), which are not part of any vocabulary.
    if (def === undefined) throw this.#error(node, unknownName(name, this.#vocabulary));
    this.reads.add(name);
    if (def.slot === undefined) return { shape: shapeOf(def), read: readName(name) };
    return { shape: shapeOf(def), read: readSlot(def.slot), slot: def.slot };
  }

  #field(object: ASTNode, field: string): Value {
    const value = this.#valueOf(object, ['object', 'dyn'], `asked for its field \`${field}\``);
    return { shape: fieldShape(value.shape, field), read: this.#readField(object, field, value.read) };
  }

  #readField(object: ASTNode, field: string, read: Read): Read {
    if (object.op !== 'id' || this.#locals.has(object.args)) return readField(read, field);
    const { slot, fields, is_open } = this.#vocabulary.names.get(object.args)!;
    const is_declared = fields !== undefined && is_open !== true;
    return slot !== undefined && is_declared ? readSlotField(slot, field) : readNameField(object.args, field);
  }

  #list(nodes: readonly ASTNode[]): Value {
    const values = nodes.map((node) => this.#valueOf(node, SCALARS, 'an element of a list'));
    const reads = values.map((value) => value.read);
    return { shape: { kind: 'list', item: values[0]?.shape ?? DYN }, read: readList(reads) };
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[]): Value {
    if (name === SIZE && args.length === 1) return this.#size(args[0]!);
    const fn = this.#vocabulary.functions.get(name);
    if (fn === undefined) throw this.#error(node, `there is no function \`${name}\``);
    for (const root of fn.reads ?? []) this.reads.add(root);
    const shape = shapeOf({ type: fn.returns });
    if (fn.checkLiteral === undefined) {
      const reads: Read[] = args.map((arg) => this.#value(arg).read);
      return { shape, read: callFunction(fn, reads, undefined) };
    }
    const check = fn.checkLiteral;
    const prepare = fn.prepareLiteral ?? ((text: string) => text);
    const prepared = args.map((arg) => {
      const text = literalOf(arg);
      if (typeof text !== 'string') throw this.#error(arg, `write the argument of \`${name}\` as a string in quotes`);
      const refused = check(text);
      if (refused !== null) throw this.#error(arg, refused);
      return prepare(text);
    });
    return { shape, read: callFunction(fn, [], prepared) };
  }

  #method(node: ASTNode, [name, receiver, args]: [string, ASTNode, ASTNode[]]): Value {
    if (name === 'exists' || name === 'all') return { shape: { kind: 'bool' }, read: this.test(node) };
    if (name === SIZE) return this.#size(receiver);
    const text = this.#valueOf(receiver, STRINGS, `searched with \`${name}\``);
    const part = this.#valueOf(args[0]!, STRINGS, `searched for with \`${name}\``);
    return { shape: { kind: 'bool' }, read: stringMethod(name as StringMethod, text.read, part.read, this.budget) };
  }

  #size(node: ASTNode): Value {
    return { shape: { kind: 'number' }, read: sizeOf(this.#valueOf(node, SIZED, 'measured with `size`').read) };
  }

  #error(node: ASTNode, reason: string): ConditionError {
    return new ConditionError(this.#translation.columnOf(node.pos), reason);
  }
}

/** A chain of AND or OR: most conditions are decided by its first test, which costs one call however long the chain is. */
function joined(operator: '&&' | '||', tests: readonly Test[]): Test {
  const [first, second, third] = tests as [Test, Test, Test | undefined];
  if (third === undefined)
    return operator === '&&' ? (env) => first(env) && second(env) : (env) => first(env) || second(env);
  const decides = operator === '||';
  return (env) => {
    for (let i = 0; i < tests.length; i += 1) if (tests[i]!(env) === decides) return decides;
    return !decides;
  };
}

function kindOf(literal: Scalar): Kind {
  return typeof literal === 'boolean' ? 'bool' : typeof literal === 'number' ? 'number' : 'string';
}

function article(kind: Kind): string {
  switch (kind) {
    case 'bool':
      return 'a truth value';
    case 'object':
      return 'an object';
    case 'dyn':
      return 'a value of unknown type';
    default:
      return `a ${kind}`;
  }
}
