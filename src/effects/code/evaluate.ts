/**
 * Abstract interpreter for Python and JavaScript. It propagates constants, takes every branch once, enters known functions
 * with their arguments, and applies the effects of calls that the call table knows.
 */
import { FROM, HOLE, UNKNOWN } from '../data.ts';
import { giveKnown } from '../deeds/give-variable.ts';
import { environmentVariable } from '../key-variables.ts';
import type { World } from '../world.ts';
import {
  callingMembers,
  environments,
  idleMethods,
  processStart,
  promiseMembers,
  requestValues,
} from './evaluator-words.ts';
import { argumentsOfMember, elementsOf, handedCalls, withTaint } from './handed-functions.ts';
import type { LibraryTables } from './library-calls.ts';
import { firstOf, MAX_ITEMS, operate, sliced } from './operators.ts';
import { type Node, partsOf } from './syntax.ts';
import { noteToolCall } from './tool-calls.ts';
import {
  type CallTable,
  type Closure,
  list,
  NOTHING,
  reference,
  Scope,
  taintOf,
  text,
  unknown,
  type Value,
} from './values.ts';

/** Characters of the name of a request. */
const LONGEST_NAME = 24;
const MAX_CALLS = 8;
/** What precedes a call for whose result the code waits. */
const AWAITED = /\bawait\s{1,4}$/;

export abstract class Evaluator {
  readonly world: World;
  readonly code: string;
  readonly #calls: CallTable;
  readonly #constants: ReadonlyMap<string, string>;
  readonly #functions: Closure[] = [];
  readonly #entered = new Set<Node>();
  readonly #running: Node[] = [];
  #returned: Value | null = null;

  constructor(world: World, code: string, tables: LibraryTables) {
    this.world = world;
    this.code = code;
    this.#calls = tables.calls;
    this.#constants = tables.constants;
  }

  /** Evaluates statements and expressions that differ between the languages; `null` for all others. */
  abstract special(node: Node, scope: Scope): Value | null;
  abstract bindParameters(
    closure: Closure,
    scope: Scope,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
  ): void;
  abstract readArguments(node: Node, scope: Scope): { args: Value[]; named: Map<string, Value> };

  run(root: Node): void {
    const scope = new Scope(null);
    this.block(root, scope);
    for (let i = 0; i < this.#functions.length; i++) {
      const f = this.#functions[i]!;
      if (!this.#entered.has(f.node)) this.invoke(f, [], new Map());
    }
  }

  block(node: Node, scope: Scope): void {
    for (const child of node.children) this.evaluate(child, scope);
  }

  evaluateAll(nodes: readonly Node[], scope: Scope): Value[] {
    return nodes.map((n) => this.evaluate(n, scope));
  }

  evaluate(node: Node, scope: Scope): Value {
    if (node.children.length === 0 && /^[^A-Z]/.test(node.name)) return NOTHING;
    if (!this.world.step()) return NOTHING;
    const special = this.special(node, scope);
    if (special !== null) return special;
    switch (node.name) {
      case 'VariableName':
      case 'JSXIdentifier':
        return this.variable(this.text(node), scope);
      case 'Number':
        return this.#number(node);
      case 'MemberExpression':
        return this.#memberExpression(node, scope);
      case 'CallExpression':
      case 'NewExpression':
        return this.#callExpression(node, scope);
      case 'BinaryExpression':
        return this.#binary(node, scope);
      case 'ParenthesizedExpression':
      case 'AwaitExpression':
      case 'NamedExpression':
      case 'ExpressionStatement':
        return this.evaluateAll(partsOf(node), scope).at(-1) ?? NOTHING;
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
      case 'SequenceExpression':
        return list(this.firstOf(this.evaluateAll(partsOf(node), scope), MAX_ITEMS));
      case 'ReturnStatement':
      case 'YieldExpression': {
        const value = this.evaluateAll(partsOf(node), scope).at(-1) ?? NOTHING;
        if (this.#returned === null || this.#returned.text === HOLE) this.#returned = value;
        return value;
      }
      default:
        this.block(node, scope);
        return NOTHING;
    }
  }

  text(node: Node): string {
    return this.code.slice(node.from, node.to);
  }

  excerpt(node: Node): string {
    return this.code.slice(node.from, Math.min(node.to, node.from + 240));
  }

  variable(name: string, scope: Scope): Value {
    return scope.get(name) ?? reference(name);
  }

  /** Whether a function that is reached by `at` instead of its own name can still be read. */
  isReadable(_base: Value, _at: Value, _node: Node): boolean {
    return false;
  }

  #number(node: Node): Value {
    const written = this.text(node).replaceAll('_', '').replace(/n$/, '');
    const number = Number(written.replace(/^0(?=\d{1,64}$)/, ''));
    return { text: written, taint: 0, ref: '', ...(Number.isFinite(number) ? { number } : {}) };
  }

  #memberExpression(node: Node, scope: Scope): Value {
    const [object, ...rest] = node.children;
    if (object === undefined) return NOTHING;
    const base = this.evaluate(object, scope);
    const property = rest.find((r) => r.name === 'PropertyName' || r.name === 'PrivatePropertyName');
    if (property !== undefined && base.entries === undefined && this.#isOfRequest(object, this.text(property)))
      return unknown(FROM.socket, `${base.ref}.${this.text(property)}`);
    if (property !== undefined) return this.member(base, this.text(property));
    const isSlice = rest.some((r) => r.name === ':');
    const names = rest.filter((r) => /^[A-Z]/.test(r.name));
    const at = this.evaluateAll(names, scope)[0] ?? NOTHING;
    if (isSlice) return sliced(base, this.code.slice(rest[0]!.to, rest.at(-1)!.from));
    const found = this.index(base, at);
    const is_hidden = (base.taint & FROM.names) !== 0 || this.hidesName(base, at, names[0] ?? node);
    return is_hidden ? { ...found, is_hidden, is_readable: this.isReadable(base, at, names[0] ?? node) } : found;
  }

  /** `req.query`, `request.form`: what anyone who sends a request to this program writes. */
  #isOfRequest(object: Node, property: string): boolean {
    const { objects, members } = requestValues(this.world.ontology);
    return members.has(property) && object.to - object.from < LONGEST_NAME && objects.has(this.text(object));
  }

  /** Whether `base[at]` keeps readers from seeing which function it is. */
  hidesName(base: Value, at: Value, node: Node): boolean {
    if (at.number !== undefined || (at.taint & (FROM.decoded | FROM.names)) === 0) return false;
    return base.ref !== '' || node.name !== 'VariableName';
  }

  index(base: Value, at: Value): Value {
    const entry = base.entries?.get(at.text);
    if (entry !== undefined) return entry;
    if (base.items !== undefined && at.number !== undefined) return base.items.at(at.number) ?? unknown(base.taint);
    if (base.ref !== '' && at.text !== HOLE && at.number === undefined) return this.member(base, at.text);
    if (base.items !== undefined && base.items.length > 0) return base.items[0]!;
    if (base.text !== HOLE && at.number !== undefined && !base.text.includes(HOLE))
      return text(base.text.at(at.number) ?? '', base.taint);
    return unknown(base.taint, base.ref === '' ? '' : `${base.ref}[]`);
  }

  member(base: Value, property: string): Value {
    const own = base.entries?.get(property);
    if (own !== undefined)
      return own.closure === undefined || own.closure.self !== undefined
        ? own
        : { ...own, closure: { ...own.closure, self: base } };
    const ref = base.ref === '' ? `.${property}` : `${base.ref}.${property}`;
    const constant = this.#constants.get(ref);
    if (constant !== undefined) return text(constant, base.taint);
    const isVariable = environments(this.world.ontology).has(base.ref);
    const { taint } = isVariable ? environmentVariable(this.world, property) : UNKNOWN;
    if (taint !== 0) return unknown(taint, ref);
    const reader = this.#calls.get(`${ref}=`);
    if (reader !== undefined) {
      const read = reader({
        name: ref,
        base,
        args: [],
        named: new Map(),
        excerpt: ref,
        world: this.world,
        apply: () => NOTHING,
      });
      if (read !== undefined) return read;
    }
    const calls = callingMembers(this.world.ontology);
    if (base.is_hidden === true && calls.has(property)) return base;
    // A method keeps its object as `base`, so that `path.unlink()` knows the path; its text is unknown.
    const is_hidden = (base.taint & FROM.names) !== 0 && calls.has(property);
    return { text: HOLE, taint: base.taint, ref, base, ...(is_hidden ? { is_hidden } : {}) };
  }

  #callExpression(node: Node, scope: Scope): Value {
    const callee = node.children.find((c) => c.name !== 'new' && c.name !== 'TypeArgList');
    const given = node.children.find((c) => c.name === 'ArgList');
    if (callee === undefined) return NOTHING;
    const f = this.evaluate(callee, scope);
    const { args, named } =
      given === undefined ? { args: [], named: new Map<string, Value>() } : this.readArguments(given, scope);
    // What a search among the names of a module finds, and is called at once.
    const is_found = callee.name === 'CallExpression' && (f.taint & FROM.names) !== 0;
    if (f.is_hidden === true || is_found) {
      const name = f.ref === '' ? 'function by a computed name' : f.ref;
      this.world.add('obfuscates', f.is_readable === true ? 'scratch' : 'one', name, this.excerpt(node));
      f.taint &= ~(FROM.names | FROM.decoded);
    }
    return this.call(f, args, named, node);
  }

  call(f: Value, args: Value[], named: Map<string, Value>, node: Node): Value {
    if (f.closure !== undefined) return this.invoke(f.closure, args, named);
    this.#giveVariables([named.get('env'), ...args.map((one) => one.entries?.get('env'))]);
    const taint = taintOf([f.base, ...args, ...named.values()]);
    const excerpt = this.excerpt(node);
    const apply = (g: Value, values: Value[]): Value =>
      g.closure === undefined ? NOTHING : this.invoke(g.closure, values, new Map());
    const last = f.ref.slice(f.ref.lastIndexOf('.'));
    const member = argumentsOfMember(last.slice(1), args, callingMembers(this.world.ontology));
    const held = f.base;
    if (member !== null && held !== undefined && (held.closure !== undefined || this.#calls.has(held.ref)))
      return this.call(held, member, named, node);
    const handler =
      this.#calls.get(f.ref) ?? (last !== f.ref || f.ref.startsWith('.') ? this.#calls.get(last) : undefined);
    if (f.taint & (FROM.network | FROM.service) && f.ref === '')
      this.world.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
    if (this.world.opened.size > 0) this.#noteFilled(f, [...args, ...named.values()], last);
    if (handler === undefined && f.ref !== '') {
      const isAwaited = AWAITED.test(this.code.slice(Math.max(0, node.from - 16), node.from));
      noteToolCall(this.world, f, args, named, isAwaited, excerpt);
    }
    const result = handler?.({ name: f.ref, base: f.base, args, named, excerpt, world: this.world, apply });
    const made = result ?? {
      ...unknown(taint, f.ref === '' ? '' : `${f.ref}()`),
      ...(args[0] === undefined ? {} : { base: args[0] }),
    };
    this.#applyCallbacks(f, args, named, made.taint | (f.base?.taint ?? 0), node);
    return made;
  }

  /** The environment that a program is started with: `run(…, env={…})`, `exec(…, { env: {…} })`. */
  #giveVariables(given: readonly (Value | undefined)[]): void {
    for (const environment of given)
      for (const [name, value] of environment?.entries ?? []) giveKnown(this.world, name, value);
  }

  /** A file that was opened to be written is filled by a method of its own, or by whatever it is handed to. */
  #noteFilled(f: Value, given: readonly Value[], method: string): void {
    const { opened } = this.world;
    for (const v of given) opened.delete(v.text);
    if (f.base !== undefined && !idleMethods(this.world.ontology).has(method.slice(1))) opened.delete(f.base.text);
  }

  /** Invokes the functions among the arguments: the called function may call them. */
  #applyCallbacks(
    { base: receiver, ref }: Value,
    args: readonly Value[],
    named: ReadonlyMap<string, Value>,
    taint: number,
    node: Node,
  ): void {
    for (const { f, args: handed } of handedCalls(this.#calls, receiver, args, named, taint))
      if (this.world.step()) this.call(f, handed, new Map(), node);
    const isPromise = promiseMembers(this.world.ontology).has(ref.slice(ref.lastIndexOf('.') + 1));
    const [element = isPromise ? receiver : undefined] = elementsOf(receiver);
    const given = [...named.values()].find((v) => v.items !== undefined)?.items ?? [];
    for (const v of [...args, ...named.values()]) {
      const inside = v.entries === undefined ? [v] : [v, ...v.entries.values()];
      for (const f of inside)
        if (f.closure !== undefined && !this.#entered.has(f.closure.node))
          this.invoke(f.closure, given.length > 0 ? given : [withTaint(element, taint), unknown(taint)], new Map());
    }
  }

  define(name: string, node: Node, scope: Scope): Value {
    const closure: Closure = { name, node, scope };
    this.#functions.push(closure);
    return { text: HOLE, taint: 0, ref: '', closure };
  }

  /** The first `most` elements. Sets `was_cut` when there are more. */
  firstOf<T>(all: T[], most: number): T[] {
    return firstOf(this.world, all, most);
  }

  invoke(closure: Closure, args: readonly Value[], named: ReadonlyMap<string, Value>): Value {
    if (this.#running.includes(closure.node)) {
      this.onRecursion(closure);
      return NOTHING;
    }
    if (this.#running.length >= MAX_CALLS) this.world.was_cut = true;
    if (this.#running.length >= MAX_CALLS || !this.world.step()) return NOTHING;
    this.#entered.add(closure.node);
    const scope = new Scope(closure.scope);
    this.bindParameters(closure, scope, closure.self === undefined ? args : [closure.self, ...args], named);
    const before = this.#returned;
    this.#returned = null;
    this.#running.push(closure.node);
    const body =
      closure.node.children.find((c) => c.name === 'Body' || c.name === 'Block') ?? closure.node.children.at(-1);
    const value =
      body === undefined
        ? NOTHING
        : body.name === 'Body' || body.name === 'Block'
          ? this.#runBody(body, scope)
          : this.evaluate(body, scope);
    this.#running.pop();
    const returned = this.#returned ?? value;
    this.#returned = before;
    return returned;
  }

  #runBody(body: Node, scope: Scope): Value {
    this.block(body, scope);
    return NOTHING;
  }

  /** A function that starts processes and calls itself without returning is a fork bomb. */
  onRecursion(closure: Closure): void {
    const body = this.text(closure.node);
    if (processStart(this.world.ontology).test(body) && !/\breturn\b/.test(body))
      this.world.add('exhausts_resources', 'everything', closure.name, this.excerpt(closure.node));
  }

  #binary(node: Node, scope: Scope): Value {
    const [left, operator, right] = node.children.filter((c) => !/Comment$/.test(c.name));
    if (left === undefined || operator === undefined || right === undefined) return NOTHING;
    return this.operate(this.evaluate(left, scope), this.text(operator), this.evaluate(right, scope), node);
  }

  operate(a: Value, operator: string, b: Value, node: Node): Value {
    return operate(this.world, a, operator, b, this.excerpt(node));
  }
}
