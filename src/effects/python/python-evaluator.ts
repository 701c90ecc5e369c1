/** Evaluates Python's syntax tree: constants, imports, classes and calls of known libraries. */

import { environmentValue } from '../code/environment.ts';
import { Evaluator } from '../code/evaluate.ts';
import { childOf, type Node, partsOf } from '../code/syntax.ts';
import { type Closure, NOTHING, reference, Scope, text, unknown, type Value } from '../code/values.ts';
import { built, FROM, HOLE } from '../data.ts';
import { unescapeString } from '../decode.ts';
import { assign, bind, bindParameters, update } from './python-bindings.ts';
import { pythonLibrary, runModule } from './python-calls.ts';
import { readImport } from './python-imports.ts';
import { comprehension, forLoop, whileLoop } from './python-loops.ts';
import {
  canonical,
  filledIn,
  firstKnown,
  isComputing,
  pythonModules,
  starImports,
  stringValue,
} from './python-values.ts';

function bytesOrText(literal: string): Value {
  const value = text(stringValue(literal));
  return /^[rR]?[bB]/.test(literal) ? { ...value, is_bytes: true } : value;
}

/** Reference of the `base` of a value that is a class. */
const CLASS = 'class';
/** Characters before a function in which its decorator stands. */
const LONGEST_DECORATOR = 240;

export class PythonEvaluator extends Evaluator {
  override special(node: Node, scope: Scope): Value | null {
    switch (node.name) {
      case 'String':
        return bytesOrText(this.text(node));
      case 'FormatString':
        return this.#format(node, scope);
      case 'ContinuedString': {
        const parts = this.evaluateAll(node.children, scope);
        return text(
          parts.map((p) => p.text).join(''),
          parts.reduce((t, p) => t | p.taint, 0),
        );
      }
      case 'Boolean':
      case 'None':
        return text(this.text(node));
      case 'ImportStatement':
        return this.#import(node, scope);
      case 'AssignStatement':
        return assign(this, node, scope);
      case 'UpdateStatement':
        return update(this, node, scope);
      case 'FunctionDefinition': {
        const name = this.text(childOf(node, 'VariableName') ?? node);
        scope.set(name, this.define(name, node, scope));
        return NOTHING;
      }
      case 'LambdaExpression':
        return this.define('lambda', node, scope);
      case 'ClassDefinition':
        return this.#class(node, scope);
      case 'ForStatement':
        return forLoop(this, node, scope);
      case 'WhileStatement':
        return whileLoop(this, node, scope);
      case 'WithStatement':
        return this.#with(node, scope);
      case 'ConditionalExpression':
        return firstKnown(
          this.evaluateAll(
            partsOf(node).filter((c) => c.name !== 'if' && c.name !== 'else'),
            scope,
          ),
        );
      case 'ArrayComprehensionExpression':
      case 'SetComprehensionExpression':
      case 'ComprehensionExpression':
      case 'DictionaryComprehensionExpression':
        return comprehension(this, node, scope);
      case 'DictionaryExpression':
        return this.#dictionary(node, scope);
      case 'UnaryExpression': {
        const inner = this.evaluateAll(partsOf(node), scope).at(-1) ?? NOTHING;
        return inner.number !== undefined && this.text(node).startsWith('-')
          ? { ...inner, text: `-${inner.text}`, number: -inner.number }
          : inner;
      }
      default:
        return null;
    }
  }

  #format(node: Node, scope: Scope): Value {
    const raw = this.text(node);
    const prefix = /^[a-zA-Z]*/.exec(raw)![0].length;
    const quotes = raw.startsWith('"""', prefix) || raw.startsWith("'''", prefix) ? 3 : 1;
    let at = node.from + prefix + quotes;
    let out = '';
    let taint = 0;
    for (const part of node.children.filter((c) => c.name === 'FormatReplacement' || c.name === 'FormatSelfDoc')) {
      out += unescapeString(this.code.slice(at, part.from)).replaceAll('{{', '{').replaceAll('}}', '}');
      const value =
        this.evaluateAll(
          part.children.filter((c) => /^[A-Z]/.test(c.name) && !/^Format/.test(c.name)),
          scope,
        )[0] ?? NOTHING;
      out += value.text;
      taint |= value.taint;
      at = part.to;
    }
    return text(built(out + unescapeString(this.code.slice(at, Math.max(at, node.to - quotes)))), taint);
  }

  #import(node: Node, scope: Scope): Value {
    const { ontology } = this.world;
    for (const { name, bound, refersTo } of readImport(this.text(node))) {
      runModule(this.world, name, this.excerpt(node));
      if (bound === '*') for (const n of starImports(ontology, name)) scope.set(n, reference(`${name}.${n}`));
      else {
        if (!isComputing(ontology, name)) this.world.has_unknown = true;
        scope.set(bound, reference(this.#canonical(refersTo)));
      }
    }
    return NOTHING;
  }

  /** A class becomes a value that, when called, makes an object with its methods and the attributes that `__init__` sets. */
  #class(node: Node, scope: Scope): Value {
    const name = this.text(childOf(node, 'VariableName') ?? node);
    const inner = new Scope(scope);
    const body = childOf(node, 'Body');
    if (body !== undefined) this.block(body, inner);
    scope.set(name, { text: HOLE, taint: 0, ref: '', entries: new Map(inner.variables), base: reference(CLASS) });
    return NOTHING;
  }

  /** Names in the namespace of a module: `vars(os)['system']`, `os.__dict__[…]`, `sys.modules['os']`. */
  override hidesName(base: Value, at: Value, node: Node): boolean {
    if (super.hidesName(base, at, node)) return true;
    if (at.number !== undefined || base.entries !== undefined) return false;
    return (
      this.#isActing(base.ref) ||
      (pythonModules(this.world.ontology).namespaces.has(base.ref) && this.#isActing(at.text))
    );
  }

  #isActing(name: string): boolean {
    return pythonModules(this.world.ontology).acting.has(name);
  }

  /** `vars(__builtins__).get('eval')`, `os.__getattribute__('system')`: the member, reached by a name in quotes. */
  #namedMember(f: Value, args: readonly Value[]): Value | null {
    const [name] = args;
    if (f.base === undefined || name === undefined || name.number !== undefined) return null;
    const getter = f.ref.slice(f.ref.lastIndexOf('.') + 1);
    const { getters, namespaces } = pythonModules(this.world.ontology);
    if (!getters.has(getter)) return null;
    // `requests.get` is a function of its own.
    if (!getter.startsWith('__') && (f.base.taint & FROM.names) === 0 && !namespaces.has(f.base.ref)) return null;
    const isModule = this.#isActing(f.base.ref) || this.#isActing(name.text);
    if (!isModule && (name.taint & FROM.decoded) === 0) return null;
    if (f.base.ref === '' || f.base.entries !== undefined) return null;
    return { ...this.index(f.base, name), is_hidden: true };
  }

  override call(f: Value, args: Value[], named: Map<string, Value>, node: Node): Value {
    this.#noteEnvironment([...args, ...named.values()], node);
    const member = this.#namedMember(f, args);
    if (member !== null) return member;
    if (f.base?.ref !== CLASS || f.entries === undefined) return super.call(f, args, named, node);
    const made: Value = { text: HOLE, taint: 0, ref: '', entries: new Map() };
    for (const [key, member] of f.entries)
      made.entries!.set(
        key,
        member.closure === undefined || this.#isStatic(member.closure)
          ? member
          : { ...member, closure: { ...member.closure, self: made } },
      );
    const init = made.entries!.get('__init__');
    if (init?.closure !== undefined) this.invoke(init.closure, args, named);
    return made;
  }

  /** `@staticmethod`: its first parameter is no object. */
  #isStatic({ node }: Closure): boolean {
    return /@staticmethod\s{1,200}$/.test(this.code.slice(Math.max(0, node.from - LONGEST_DECORATOR), node.from));
  }

  /** Passing all environment variables to a call passes the secrets among them. */
  #noteEnvironment(values: readonly Value[], node: Node): void {
    for (const v of values) {
      if (v.ref !== 'os.environ') continue;
      v.taint |= FROM.system | FROM.secret;
      this.world.add('reads', 'one', 'environment', this.excerpt(node));
    }
  }

  #with(node: Node, scope: Scope): Value {
    const body = childOf(node, 'Body');
    let last = NOTHING;
    let isName = false;
    for (const c of node.children) {
      if (c === body) break;
      if (c.name === 'as') isName = true;
      else if (/^[A-Z]/.test(c.name)) {
        if (isName) bind(this, c, last, scope);
        else last = this.evaluate(c, scope);
        isName = false;
      }
    }
    if (body !== undefined) this.block(body, scope);
    return NOTHING;
  }

  #dictionary(node: Node, scope: Scope): Value {
    const entries = new Map<string, Value>();
    let isSpread = false;
    let key: Value | undefined;
    for (const part of node.children) {
      if (part.name === '**') isSpread = true;
      else if (!/^[A-Z]/.test(part.name) || part.name === 'Comment') continue;
      else if (isSpread) {
        for (const [name, value] of this.evaluate(part, scope).entries ?? []) entries.set(name, value);
        isSpread = false;
      } else if (key === undefined) key = this.evaluate(part, scope);
      else {
        const value = this.evaluate(part, scope);
        if (entries.size < 256) entries.set(key.text, value);
        key = undefined;
      }
    }
    return { text: HOLE, taint: 0, ref: '', entries };
  }

  #canonical(name: string): string {
    return canonical(name, pythonLibrary(this.world.ontology).module_aliases);
  }

  override member(base: Value, property: string): Value {
    // `os.__dict__['system']` and `sys.modules['os'].system` are the same function as `os.system`.
    if (property === '__dict__' && base.ref !== '')
      return this.#isActing(base.ref) ? { ...base, taint: base.taint | FROM.names } : base;
    if (base.ref === 'sys.modules') return reference(this.#canonical(property));
    const own = base.entries?.get(property);
    if (own?.closure !== undefined && this.#isStatic(own.closure)) return own;
    if (property === '__call__' && base.ref !== '') return base;
    if (property === '__globals__' || property === '__builtins__')
      this.world.add('obfuscates', property === '__globals__' ? 'scratch' : 'one', property, `${base.ref}.${property}`);
    return super.member(base, property);
  }

  override index(base: Value, at: Value): Value {
    if (base.ref === '' && /^__(?:builtins|globals)__$/.test(at.text)) return this.member(base, at.text);
    if (base.ref === 'os.environ') return environmentValue(this.world, at.text);
    return super.index(base, at);
  }

  override operate(a: Value, operator: string, b: Value, node: Node): Value {
    if (operator !== '%' || a.text === HOLE || a.number !== undefined) return super.operate(a, operator, b, node);
    return filledIn(a, b);
  }

  override bindParameters(
    closure: Closure,
    scope: Scope,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ): void {
    bindParameters(this, closure, scope, args, named);
  }

  override readArguments(node: Node, scope: Scope): { args: Value[]; named: Map<string, Value> } {
    const args: Value[] = [];
    const named = new Map<string, Value>();
    const children = node.children.filter((c) => c.name !== 'Comment');
    if (children.some((c) => c.name === 'for')) return { args: [comprehension(this, node, scope)], named };
    for (let i = 0; i < children.length; i++) {
      const c = children[i]!;
      if (!/^[A-Z]/.test(c.name)) continue;
      if (children[i + 1]?.name === 'AssignOp') {
        const value = children[i + 2];
        if (value !== undefined) named.set(this.text(c), this.evaluate(value, scope));
        i += 2;
        continue;
      }
      const value = this.evaluate(c, scope);
      const star = children[i - 1]?.name;
      if (star === '*') args.push(...(value.items ?? [unknown(value.taint)]));
      else if (star === '**') for (const [k, v] of value.entries ?? []) named.set(k, v);
      else args.push(value);
    }
    return { args, named };
  }
}
