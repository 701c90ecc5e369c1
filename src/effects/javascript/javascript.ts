/** Interprets JavaScript and TypeScript: parses it with the Lezer grammar and evaluates constants, imports and known calls. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { Evaluator } from '../code/evaluate.ts';
import { environments } from '../code/evaluator-words.ts';
import { withoutFences } from '../code/fences.ts';
import { callSource } from '../code/library-calls.ts';
import { scanCalls } from '../code/scan.ts';
import { childOf, type Node, partsOf, readSyntax } from '../code/syntax.ts';
import { type Closure, list, NOTHING, reference, type Scope, text, unknown, type Value } from '../code/values.ts';
import { built, FOREIGN, FROM, HOLE } from '../data.ts';
import { unescapeString } from '../decode.ts';
import { giveKnown } from '../deeds/give-variable.ts';
import { runLoaded } from '../deeds/run-code.ts';
import type { World } from '../world.ts';
import { javascriptLibrary } from './javascript-calls.ts';

/** What the name of the file may have behind that of the module. */
const moduleFiles = perOntology((ontology) => ['', ...tableOf(ontology, 'module_files').get('javascript')!]);
/** Characters of a script that are parsed. One construct of the grammar takes time quadratic in its length. */
const MAX_CODE = 24_000;
const MAX_PROPERTIES = 256;

export function readJavascript(code: string, world: World): void {
  const library = javascriptLibrary(world.ontology);
  const plain = withoutFences(code).replace(/^#!.*/, '').slice(0, MAX_CODE);
  const syntax = readSyntax('javascript', plain, world.budget);
  if (syntax?.is_too_deep === true) world.was_cut = true;
  if (syntax !== null) new JavascriptEvaluator(world, plain, library).run(syntax.root);
  if (syntax?.is_whole === true && code.length <= MAX_CODE) return;
  world.has_unparsed = true;
  if (syntax === null || syntax.to < plain.length || code.length > MAX_CODE) world.was_cut = true;
  scanCalls(code.slice(syntax?.to ?? 0), library.calls, world);
}

/** Syntax nodes that bind names. */
const BINDING = /^(?:VariableDefinition|ObjectPattern|ArrayPattern)$/;

/** Modules, and words in the body of a loop: exits, and calls that consume memory, files or processes. */
export const javascriptModules = perOntology((ontology) => {
  const pattern = (name: string): RegExp => patternOf(ontology, 'javascript_code', name);
  const { source: growing } = pattern('growing_words');
  return {
    loaders: setOf(ontology, 'javascript_module_loaders'),
    loading: setOf(ontology, 'javascript_loading_members'),
    global_modules: setOf(ontology, 'javascript_global_modules'),
    acting_objects: setOf(ontology, 'javascript_acting_objects'),
    global_objects: setOf(ontology, 'javascript_global_objects'),
    computing_modules: pattern('computing_modules'),
    acting_modules: pattern('acting_modules'),
    page_objects: pattern('page_objects'),
    loop_exits: pattern('loop_exits'),
    growth: new RegExp(`${callSource(ontology, 'javascript_code', 'growing_calls')}|\\+=|\\b${growing}\\b`),
  };
});

class JavascriptEvaluator extends Evaluator {
  get #words(): ReturnType<typeof javascriptModules> {
    return javascriptModules(this.world.ontology);
  }

  #moduleName(name: string): string {
    const plain = name.replace(/^node:/, '');
    return javascriptLibrary(this.world.ontology).module_aliases.get(plain) ?? plain;
  }

  override special(node: Node, scope: Scope): Value | null {
    switch (node.name) {
      case 'String':
        return text(unescapeString(this.text(node).slice(1, -1)));
      case 'TemplateString':
        return this.#template(node, scope);
      case 'BooleanLiteral':
      case 'null':
      case 'NullType':
        return text(this.text(node));
      case 'ImportDeclaration':
        return this.#import(node, scope);
      case 'VariableDeclaration':
        return this.#declare(node, scope);
      case 'AssignmentExpression':
        return this.#assign(node, scope);
      case 'FunctionDeclaration': {
        const name = this.text(childOf(node, 'VariableDefinition') ?? node);
        scope.set(name, this.define(name, node, scope));
        return NOTHING;
      }
      case 'FunctionExpression':
      case 'ArrowFunction':
      case 'MethodDeclaration':
        return this.define('function', node, scope);
      case 'ObjectExpression':
        return this.#object(node, scope);
      case 'DynamicImport': {
        const args = this.evaluateAll(
          partsOf(node).filter((c) => c.name !== 'import'),
          scope,
        );
        return args.length === 0 ? reference('import') : this.call(reference('import'), args, new Map(), node);
      }
      case 'TaggedTemplateExpression':
        return this.#tagged(node, scope);
      case 'ConditionalExpression': {
        const values = this.evaluateAll(
          partsOf(node).filter((c) => c.name !== 'LogicOp'),
          scope,
        );
        return values.slice(1).find((v) => v.text !== HOLE || v.ref !== '') ?? values[1] ?? NOTHING;
      }
      case 'ForStatement':
        return this.#for(node, scope);
      case 'WhileStatement':
      case 'DoStatement':
        this.#noteEndless(node, this.text(childOf(node, 'ParenthesizedExpression') ?? node));
        this.block(node, scope);
        return NOTHING;
      case 'UnaryExpression':
      case 'TypeAnnotation':
        return this.evaluateAll(partsOf(node), scope).at(-1) ?? NOTHING;
      default:
        return null;
    }
  }

  /**
   * `process[find(…)]`, and `process['spawn']` where `process.spawn` would do. Plain variables are usual names: wrappers and
   * tables of callbacks use them.
   */
  override hidesName(base: Value, at: Value, node: Node): boolean {
    if (super.hidesName(base, at, node)) return true;
    const isBuilt = node.name === 'CallExpression' || node.name === 'BinaryExpression';
    if (this.#words.global_objects.has(base.ref)) return isBuilt && at.number === undefined;
    return this.#words.acting_objects.has(base.ref) && (isBuilt || node.name === 'String');
  }

  override isReadable(base: Value, at: Value, node: Node): boolean {
    if ((at.taint & FROM.decoded) !== 0 || (base.taint & FROM.names) !== 0) return false;
    // A variable that goes through all names of a module wraps each of its functions.
    if ((at.taint & FROM.names) !== 0) return node.name === 'VariableName';
    return node.name === 'String' ? !this.text(node).includes('\\') : this.#words.global_objects.has(base.ref);
  }

  /** A known function that is given a template: `execSync` with a text in backquotes. Other tags make values of it. */
  #tagged(node: Node, scope: Scope): Value {
    const [tag, given] = this.evaluateAll(partsOf(node), scope);
    if (tag === undefined || given === undefined) return NOTHING;
    const isKnown = javascriptLibrary(this.world.ontology).calls.has(tag.ref);
    return isKnown ? this.call(tag, [given], new Map(), node) : unknown(given.taint);
  }

  #template(node: Node, scope: Scope): Value {
    let at = node.from + 1;
    let out = '';
    let taint = 0;
    for (const part of node.children.filter((c) => c.name === 'Interpolation')) {
      out += unescapeString(this.code.slice(at, part.from));
      const value =
        this.evaluateAll(
          part.children.filter((c) => !/^Interpolation/.test(c.name)),
          scope,
        )[0] ?? NOTHING;
      out += value.text;
      taint |= value.taint;
      at = part.to;
    }
    return text(built(out + unescapeString(this.code.slice(at, Math.max(at, node.to - 1)))), taint);
  }

  #import(node: Node, scope: Scope): Value {
    const source = childOf(node, 'String');
    if (source === undefined) return NOTHING;
    const module = this.#moduleName(this.text(source).slice(1, -1));
    this.#noteModule(module);
    const bound = node.children.find((c) => c.name === 'VariableDefinition');
    if (bound !== undefined) scope.set(this.text(bound), reference(module));
    const group = childOf(node, 'ImportGroup');
    for (const item of (group === undefined ? '' : this.text(group).slice(1, -1)).split(',')) {
      const [name = '', , alias] = item.trim().split(/\s+/);
      if (name !== '') scope.set(alias ?? name, reference(name === 'default' ? module : `${module}.${name}`));
    }
    return NOTHING;
  }

  #noteModule(name: string): void {
    if (!this.#words.computing_modules.test(name)) this.world.has_unknown = true;
  }

  #declare(node: Node, scope: Scope): Value {
    let target: Node | null = null;
    let isValue = false;
    for (const c of node.children) {
      if (BINDING.test(c.name)) target = c;
      else if (c.name === 'Equals') isValue = true;
      else if (isValue && target !== null && /^[A-Z]/.test(c.name)) {
        this.#bind(target, this.evaluate(c, scope), scope);
        isValue = false;
      }
    }
    return NOTHING;
  }

  #assign(node: Node, scope: Scope): Value {
    const [target, operator, given] = partsOf(node);
    if (target === undefined || given === undefined) return NOTHING;
    const value = this.evaluate(given, scope);
    if (operator?.name === 'UpdateOp')
      return this.#store(target, this.operate(this.evaluate(target, scope), '+', value, node), scope);
    return this.#store(target, value, scope);
  }

  #store(target: Node, value: Value, scope: Scope): Value {
    if (target.name === 'VariableName') scope.assign(this.text(target), value);
    else if (target.name === 'MemberExpression') {
      const base = this.evaluate(target.children[0]!, scope);
      const property = target.children.at(-1)!;
      const key = property.name === 'PropertyName' ? this.text(property) : undefined;
      const name = key ?? this.#computed(target, scope);
      if (base.entries !== undefined && key !== undefined && base.entries.size < 256) base.entries.set(key, value);
      if (environments(this.world.ontology).has(base.ref) && name !== '') {
        this.world.variables.set(name, value);
        giveKnown(this.world, name, value);
      }
      this.onStore(`${base.ref}.${key ?? ''}`, value, target);
      // `socket.onmessage = f` is `socket.on('message', f)`: what arrives there is handed to the function.
      if (value.closure !== undefined && key !== undefined && /^on[a-z]{3,24}$/.test(key) && base.taint & FOREIGN)
        this.invoke(value.closure, [unknown(base.taint)], new Map());
    }
    return value;
  }

  /** The name in `process.env[name]`. */
  #computed(target: Node, scope: Scope): string {
    const at = partsOf(target).at(-1);
    return at === undefined ? '' : this.evaluate(at, scope).text;
  }

  /** Assignments with effects, such as `location.href = url` and `script.src = url`. */
  onStore(name: string, value: Value, node: Node): void {
    const handler = javascriptLibrary(this.world.ontology).calls.get(`${name}=`);
    handler?.({
      name,
      base: undefined,
      args: [value],
      named: new Map(),
      excerpt: this.excerpt(node),
      world: this.world,
      apply: () => NOTHING,
    });
  }

  #bind(target: Node, value: Value, scope: Scope): void {
    if (target.name === 'VariableDefinition') {
      scope.set(this.text(target), value);
      return;
    }
    const parts = partsOf(target);
    for (const [i, p] of parts.entries()) {
      if (p.name !== 'PatternProperty') {
        this.#bind(p, value.items?.[i] ?? unknown(value.taint), scope);
        continue;
      }
      const names = p.children.filter((c) => c.name === 'PropertyName' || c.name === 'VariableDefinition');
      const key = names[0] === undefined ? '' : this.text(names[0]);
      if (names.length > 0) scope.set(this.text(names.at(-1)!), this.member(value, key));
    }
  }

  #object(node: Node, scope: Scope): Value {
    const entries = new Map<string, Value>();
    for (const p of this.firstOf(
      node.children.filter((c) => c.name === 'Property'),
      MAX_PROPERTIES,
    )) {
      const key = p.children.find((c) => c.name === 'PropertyDefinition' || c.name === 'String');
      const name = key === undefined ? '' : this.text(key).replace(/^['"]|['"]$/g, '');
      if (p.children.some((c) => c.name === 'Block')) entries.set(name, this.define(name, p, scope));
      else if (p.children.length === 1) entries.set(name, this.variable(name, scope));
      else if (p.children[0]?.name === 'Spread')
        for (const [k, v] of this.evaluateAll(partsOf(p), scope).at(-1)?.entries ?? []) entries.set(k, v);
      else entries.set(name, this.evaluate(p.children.at(-1)!, scope));
    }
    return { text: HOLE, taint: 0, ref: '', entries };
  }

  #for(node: Node, scope: Scope): Value {
    const spec = node.children.find((c) => /^For.*Spec$/.test(c.name));
    if (spec?.name === 'ForSpec') this.#noteEndless(node, /;\s*;/.test(this.text(spec)) ? 'true' : '');
    const target =
      spec === undefined ? undefined : childOf(spec, 'VariableDefinition', 'ArrayPattern', 'ObjectPattern');
    if (spec !== undefined && target !== undefined && spec.name !== 'ForSpec') {
      const over =
        this.evaluateAll(
          spec.children.filter((c) => c !== target && /^[A-Z]/.test(c.name)),
          scope,
        ).at(-1) ?? NOTHING;
      this.#bind(target, over.items?.[0] ?? unknown(over.taint), scope);
    } else if (spec !== undefined) this.block(spec, scope);
    this.block({ ...node, children: node.children.filter((c) => c !== spec) }, scope);
    return NOTHING;
  }

  #noteEndless(node: Node, test: string): void {
    if (!/^\(?\s*(?:true|1|!0)\s*\)?$/.test(test)) return;
    const source = this.text(node);
    if (this.#words.loop_exits.test(source)) return;
    this.world.add(
      'exhausts_resources',
      this.#words.growth.test(source) ? 'everything' : 'one',
      'endless loop',
      this.excerpt(node),
    );
  }

  override variable(name: string, scope: Scope): Value {
    return scope.get(name) ?? reference(this.#words.global_modules.has(name) ? this.#moduleName(name) : name);
  }

  override call(f: Value, args: Value[], named: Map<string, Value>, node: Node): Value {
    // A module: `require('fs')`, `await import('node:fs')`, with the name built from pieces or not.
    const name = args[0];
    if (this.#words.loaders.has(f.ref) || this.#loadsModule(f, name)) {
      if (name === undefined || name.text.includes(HOLE)) return unknown(name?.taint);
      if (
        (childOf(node, 'ArgList') ?? node).children.some(
          (c) => c.name === 'BinaryExpression' || c.name === 'CallExpression',
        ) === true &&
        this.#words.acting_modules.test(name.text)
      )
        this.world.add('obfuscates', 'one', name.text, this.excerpt(node));
      this.#noteModule(name.text);
      if (/^[./]|^file:/.test(name.text)) this.#runLoaded(name.text, this.excerpt(node));
      return reference(this.#moduleName(name.text));
    }
    if (this.#words.page_objects.test(f.ref)) this.world.has_unknown = true;
    for (const v of args) {
      if (v.ref !== 'process.env') continue;
      v.taint |= FROM.system | FROM.secret;
      this.world.add('reads', 'one', 'environment', this.excerpt(node));
    }
    return super.call(f, args, named, node);
  }

  /** A file that this code fetched runs when it is loaded: `import('/tmp/a.mjs')`. */
  #runLoaded(name: string, excerpt: string): void {
    if (this.world.files.size === 0) return;
    const { path } = this.world.describe(name.replace(/^file:\/{0,4}(?=\/)/, ''));
    runLoaded(this.world, path.replace(/^\/{0,4}/, ''), moduleFiles(this.world.ontology), 'javascript', excerpt);
  }

  /** Whichever object a loader is reached through, the name of the module says what it loads: `x.mainModule.require('child_process')`. */
  #loadsModule({ ref }: Value, name: Value | undefined): boolean {
    const { loading, acting_modules } = this.#words;
    return name !== undefined && loading.has(ref.slice(ref.lastIndexOf('.') + 1)) && acting_modules.test(name.text);
  }

  override bindParameters(closure: Closure, scope: Scope, args: readonly Value[]): void {
    const parameters =
      childOf(closure.node, 'ParamList')?.children ??
      closure.node.children.filter((c) => c.name === 'VariableDefinition').slice(0, 1);
    let position = 0;
    for (let i = 0; i < parameters.length; i++) {
      const p = parameters[i]!;
      if (!BINDING.test(p.name)) continue;
      const fallback = parameters[i + 1]?.name === 'Equals' ? parameters[i + 2] : undefined;
      const isRest = parameters[i - 1]?.name === 'Spread';
      this.#bind(
        p,
        isRest
          ? list(args.slice(position))
          : (args[position] ?? (fallback === undefined ? unknown() : this.evaluate(fallback, closure.scope))),
        scope,
      );
      position++;
    }
  }

  override readArguments(node: Node, scope: Scope): { args: Value[]; named: Map<string, Value> } {
    const args: Value[] = [];
    for (const c of node.children)
      if (/^[A-Z]/.test(c.name) && !/Comment$|^Spread$/.test(c.name)) args.push(this.evaluate(c, scope));
    const options =
      args.find((a, i) => i > 0 && a.entries !== undefined) ??
      (args.length === 1 && args[0]!.entries !== undefined ? args[0] : undefined);
    return { args, named: new Map(options?.entries ?? []) };
  }
}
