/** Binds names of Python to values: targets of assignments, and parameters of functions. */
import type { Evaluator } from '../code/evaluate.ts';
import { childOf, type Node, partsOf } from '../code/syntax.ts';
import { type Closure, list, NOTHING, type Scope, unknown, type Value } from '../code/values.ts';
import { HOLE } from '../data.ts';
import { giveKnown } from '../deeds/give-variable.ts';
import { notePreload } from './python-values.ts';

/** `a = b = …`: binds each target to the value, and returns the value. */
export function assign(evaluator: Evaluator, node: Node, scope: Scope): Value {
  const segments: Node[][] = [[]];
  for (const c of node.children) {
    if (c.name === 'AssignOp') segments.push([]);
    else if (c.name !== ',' && c.name !== 'TypeDef' && c.name !== 'Comment') segments.at(-1)!.push(c);
  }
  const given = segments.pop()!;
  const values = evaluator.evaluateAll(given, scope);
  const value = values.length === 1 ? values[0]! : list(values);
  for (const targets of segments) bindAll(evaluator, targets, value, scope);
  return value;
}

/** Binds targets to the elements of a value; a single target takes the whole value. */
export function bindAll(evaluator: Evaluator, targets: readonly Node[], value: Value, scope: Scope): void {
  if (targets.length === 1) {
    bind(evaluator, targets[0]!, value, scope);
    return;
  }
  for (const [i, t] of targets.entries()) bind(evaluator, t, value.items?.[i] ?? unknown(value.taint), scope);
}

/** Binds a name, a tuple of names, an entry or an attribute. */
export function bind(evaluator: Evaluator, target: Node, value: Value, scope: Scope): void {
  if (target.name === 'VariableName') {
    scope.set(evaluator.text(target), value);
    return;
  }
  if (/^(?:Tuple|Parenthesized|Array)Expression$/.test(target.name)) {
    bindAll(evaluator, partsOf(target), value, scope);
    return;
  }
  if (target.name !== 'MemberExpression') return;
  const base = evaluator.evaluate(target.children[0]!, scope);
  const property = target.children.at(-1)!;
  const key =
    property.name === 'PropertyName'
      ? evaluator.text(property)
      : evaluator.evaluateAll(
          target.children.slice(1).filter((c) => /^[A-Z]/.test(c.name)),
          scope,
        )[0]?.text;
  if (base.entries !== undefined && key !== undefined && base.entries.size < 256) base.entries.set(key, value);
  if (base.ref === 'os.environ' && key !== undefined) {
    evaluator.world.variables.set(key, value);
    giveKnown(evaluator.world, key, value);
    notePreload(evaluator.world, key, evaluator.excerpt(target));
  }
}

/** `a += …`: binds the target to the result, and returns it. */
export function update(evaluator: Evaluator, node: Node, scope: Scope): Value {
  const [target, operator, given] = partsOf(node);
  if (target === undefined || operator === undefined || given === undefined) return NOTHING;
  const value = evaluator.operate(
    evaluator.evaluate(target, scope),
    evaluator.text(operator).slice(0, -1),
    evaluator.evaluate(given, scope),
    node,
  );
  bind(evaluator, target, value, scope);
  return value;
}

/** Binds the parameters of a function to the arguments of a call, or to their defaults. */
export function bindParameters(
  evaluator: Evaluator,
  closure: Closure,
  scope: Scope,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): void {
  const parameters = childOf(closure.node, 'ParamList')?.children ?? [];
  let position = 0;
  for (let i = 0; i < parameters.length; i++) {
    const p = parameters[i]!;
    if (p.name !== 'VariableName') continue;
    const name = evaluator.text(p);
    const star = parameters[i - 1]?.name;
    const next = parameters[i + 1]?.name === 'TypeDef' ? i + 2 : i + 1;
    const fallback = parameters[next]?.name === 'AssignOp' ? parameters[next + 1] : undefined;
    if (fallback !== undefined) i = next + 1;
    if (star === '*') scope.set(name, list(args.slice(position)));
    else if (star === '**') scope.set(name, { text: HOLE, taint: 0, ref: '', entries: new Map(named) });
    else
      scope.set(
        name,
        named.get(name) ??
          args[position] ??
          (fallback === undefined ? unknown() : evaluator.evaluate(fallback, closure.scope)),
      );
    if (star === undefined || !star.startsWith('*')) position++;
  }
}
