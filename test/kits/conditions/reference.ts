/**
 * The meaning of conditions, written to be read and not to be fast: a tree, how it is written down, and what it is
 * worth in an environment. The closures are compared with this on random trees.
 */

export type Scalar = string | number | boolean;
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type Calculation = '+' | '-' | '*' | '/' | '%';
export type Method = 'contains' | 'startsWith' | 'endsWith';

export type Node =
  | { is: 'literal'; value: Scalar }
  | { is: 'name'; name: string }
  | { is: 'field'; object: Node; field: string }
  | { is: 'calculation'; operator: Calculation; left: Node; right: Node }
  | { is: 'minus'; operand: Node }
  | { is: 'size'; of: Node; as_method: boolean }
  | { is: 'list'; items: Node[] }
  | { is: 'comparison'; operator: Comparison; left: Node; right: Node }
  | { is: 'in'; left: Node; right: Node }
  | { is: 'method'; method: Method; receiver: Node; part: Node }
  | { is: 'quantifier'; quantifier: 'exists' | 'all'; list: Node; element: string; body: Node }
  | { is: 'join'; operator: 'AND' | 'OR' | '&&' | '||'; left: Node; right: Node }
  | { is: 'not'; operator: 'NOT' | '!'; operand: Node }
  | { is: 'call'; fn: string; args: Node[] };

/** From loosest to tightest; a node is bracketed where a tighter one is due. */
const LEVEL = { or: 1, and: 2, not: 3, equality: 4, relation: 5, sum: 6, product: 7, sign: 8, path: 9 };

/** The condition as a person would write it: brackets only where they are needed. */
export function write(node: Node, due = 0): string {
  const [level, text] = written(node);
  return level < due ? `(${text})` : text;
}

function written(node: Node): [number, string] {
  const infix = (level: number, operator: string, a: Node, b: Node, left = level + 1): [number, string] => [
    level,
    `${write(a, left)} ${operator} ${write(b, level + 1)}`,
  ];
  switch (node.is) {
    case 'literal':
      return [LEVEL.path, typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value)];
    case 'name':
      return [LEVEL.path, node.name];
    case 'field':
      return [LEVEL.path, `${write(node.object, LEVEL.path)}.${node.field}`];
    case 'calculation': {
      const level = node.operator === '+' || node.operator === '-' ? LEVEL.sum : LEVEL.product;
      return infix(level, node.operator, node.left, node.right, level);
    }
    case 'minus':
      return [LEVEL.sign, `-${write(node.operand, LEVEL.sign)}`];
    case 'size':
      return [LEVEL.path, node.as_method ? `${write(node.of, LEVEL.path)}.size()` : `size(${write(node.of)})`];
    case 'list':
      return [LEVEL.path, `[${node.items.map((item) => write(item)).join(', ')}]`];
    case 'comparison': {
      const level = node.operator === '==' || node.operator === '!=' ? LEVEL.equality : LEVEL.relation;
      return infix(level, node.operator, node.left, node.right);
    }
    case 'in':
      return infix(LEVEL.relation, 'in', node.left, node.right);
    case 'method':
      return [LEVEL.path, `${write(node.receiver, LEVEL.path)}.${node.method}(${write(node.part)})`];
    case 'quantifier':
      return [LEVEL.path, `${write(node.list, LEVEL.path)}.${node.quantifier}(${node.element}, ${write(node.body)})`];
    case 'join': {
      const level = node.operator === 'AND' || node.operator === '&&' ? LEVEL.and : LEVEL.or;
      return infix(level, node.operator, node.left, node.right, level);
    }
    case 'not':
      if (node.operator === '!') return [LEVEL.sign, `!${write(node.operand, LEVEL.sign)}`];
      return [LEVEL.not, `NOT ${write(node.operand, LEVEL.not)}`];
    case 'call':
      return [LEVEL.path, `${node.fn}(${node.args.map((arg) => write(arg)).join(', ')})`];
  }
}

export type Values = Readonly<Record<string, unknown>>;
export type Functions = Readonly<Record<string, (values: Values, arg: unknown) => unknown>>;

/** What a condition is worth, and whether something that was missing came into it. */
export function judge(node: Node, values: Values, functions: Functions): { result: boolean; is_unevaluable: boolean } {
  const judgement = new Judgement(values, functions);
  const result = judgement.condition(node, {});
  return { result, is_unevaluable: judgement.is_unevaluable };
}

class Judgement {
  is_unevaluable = false;
  readonly #values: Values;
  readonly #functions: Functions;

  constructor(values: Values, functions: Functions) {
    this.#values = values;
    this.#functions = functions;
  }

  /** True or false: a value that is neither is false and marks the judgement. */
  condition(node: Node, elements: Values): boolean {
    const value = this.#value(node, elements);
    return typeof value === 'boolean' ? value : this.#missing();
  }

  #missing(): false {
    this.is_unevaluable = true;
    return false;
  }

  #value(node: Node, elements: Values): unknown {
    const of = (child: Node) => this.#value(child, elements);
    switch (node.is) {
      case 'literal':
        return node.value;
      case 'name':
        return (Object.hasOwn(elements, node.name) ? elements : this.#values)[node.name] ?? undefined;
      case 'field':
        return fieldOf(of(node.object), node.field);
      case 'calculation':
        return calculated(node.operator, of(node.left), of(node.right));
      case 'minus':
        return calculated('-', 0, of(node.operand));
      case 'size': {
        const value = of(node.of);
        return typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : undefined;
      }
      case 'list':
        return this.#list(node.items.map(of));
      case 'comparison':
        return this.#compare(node.operator, of(node.left), of(node.right));
      case 'in':
        return this.#isIn(of(node.left), of(node.right));
      case 'method': {
        const [text, part] = [of(node.receiver), of(node.part)];
        return typeof text === 'string' && typeof part === 'string' ? searched(node.method, text, part) : undefined;
      }
      case 'quantifier':
        return this.#quantified(node, of(node.list), elements);
      case 'join': {
        const left = this.condition(node.left, elements);
        const decides = node.operator === 'OR' || node.operator === '||';
        return left === decides ? left : this.condition(node.right, elements);
      }
      case 'not':
        return !this.condition(node.operand, elements);
      case 'call':
        return this.#functions[node.fn]?.(this.#values, of(node.args[0]!));
    }
  }

  #list(values: unknown[]): unknown[] {
    if (values.some((value) => value === undefined)) this.#missing();
    return values;
  }

  #compare(operator: Comparison, a: unknown, b: unknown): boolean {
    if (typeof a !== typeof b || !isScalar(a) || !isScalar(b)) return this.#missing();
    if (operator === '==') return a === b;
    if (operator === '!=') return a !== b;
    if (typeof a === 'boolean') return this.#missing();
    return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[operator];
  }

  #isIn(value: unknown, list: unknown): boolean {
    if (!isScalar(value) || !Array.isArray(list)) return this.#missing();
    if (list.some((item) => item === value)) return true;
    return list.every((item) => typeof item === typeof value) ? false : this.#missing();
  }

  #quantified(node: Node & { is: 'quantifier' }, list: unknown, elements: Values): boolean {
    if (!Array.isArray(list)) return this.#missing();
    const holds = (value: unknown) => this.condition(node.body, { ...elements, [node.element]: value });
    return node.quantifier === 'exists' ? list.some(holds) : list.every(holds);
  }
}

function searched(method: Method, text: string, part: string): boolean {
  return { contains: text.includes(part), startsWith: text.startsWith(part), endsWith: text.endsWith(part) }[method];
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && !Number.isNaN(value));
}

function fieldOf(object: unknown, field: string): unknown {
  const is_record = typeof object === 'object' && object !== null && !Array.isArray(object);
  return is_record ? (Object.entries(object).find(([name]) => name === field)?.[1] ?? undefined) : undefined;
}

function calculated(operator: Calculation, a: unknown, b: unknown): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const result = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b }[operator];
  return Number.isFinite(result) ? result : undefined;
}
