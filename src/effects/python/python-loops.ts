/** Evaluates loops and comprehensions of Python, and notes loops that never end, or not soon, and use more with each turn. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Evaluator } from '../code/evaluate.ts';
import { callSource } from '../code/library-calls.ts';
import { childOf, type Node } from '../code/syntax.ts';
import { list, NOTHING, Scope, type Value } from '../code/values.ts';
import type { World } from '../world.ts';
import { bindAll } from './python-bindings.ts';
import { elementsOf } from './python-values.ts';

/** Iterations of a loop, and elements of a comprehension, that are evaluated. */
const MAX_TURNS = 64;
const MAX_ELEMENTS = 256;

/** In the body of a loop: `ends` finds what waits or leaves the loop, `grows` what consumes memory, files or processes. */
export const pythonLoops = perOntology((ontology) => ({
  ends: patternOf(ontology, 'python_code', 'loop_exits'),
  // linear: each repeat begins behind a sign or word of its own
  grows: new RegExp(
    `${callSource(ontology, 'python_code', 'growing_calls')}|\\*=|\\+=\\s*(?:['"[(]|\\w+\\b(?!\\s*\\d))`,
  ),
}));

/** Notes an endless or very long loop that starts processes, writes or collects, and neither waits nor exits. */
function noteGrowth(statement: string, body: string, excerpt: string, world: World): void {
  const { ends, grows } = pythonLoops(world.ontology);
  if (ends.test(body)) return;
  if (grows.test(body)) world.add('exhausts_resources', 'everything', 'endless loop', excerpt);
  else if (statement === 'WhileStatement') world.add('exhausts_resources', 'one', 'endless loop', excerpt);
}

/** Runs the body of a `for` for each known element. */
export function forLoop(evaluator: Evaluator, node: Node, scope: Scope): Value {
  const at = node.children.findIndex((c) => c.name === 'in');
  const body = childOf(node, 'Body');
  const targets = node.children.slice(0, at).filter((c) => /^[A-Z]/.test(c.name));
  const values = evaluator.evaluateAll(
    node.children.slice(at + 1).filter((c) => /^[A-Z]/.test(c.name) && c !== body),
    scope,
  );
  const over = values.length === 1 ? values[0]! : list(values);
  if (body === undefined) return NOTHING;
  if ((over.number ?? 0) >= 1e4) noteGrowth(node.name, evaluator.text(body), evaluator.excerpt(node), evaluator.world);
  for (const item of evaluator.firstOf(elementsOf(over), MAX_TURNS)) {
    bindAll(evaluator, targets, item, scope);
    evaluator.block(body, scope);
  }
  return NOTHING;
}

/** Runs the condition and the body of a `while` once. */
export function whileLoop(evaluator: Evaluator, node: Node, scope: Scope): Value {
  const body = childOf(node, 'Body');
  const test = node.children.find((c) => /^[A-Z]/.test(c.name) && c !== body);
  if (test !== undefined) evaluator.evaluate(test, scope);
  if (test !== undefined && body !== undefined && /^(?:True|1|not False)$/.test(evaluator.text(test)))
    noteGrowth(node.name, evaluator.text(body), evaluator.excerpt(node), evaluator.world);
  if (body !== undefined) evaluator.block(body, scope);
  return NOTHING;
}

/** `f(x) for x in xs`: evaluates `f(x)` for each known element. */
export function comprehension(evaluator: Evaluator, node: Node, scope: Scope): Value {
  const parts = node.children.filter((c) => !/^(?:[()[\]{},:]|Comment)$/.test(c.name));
  const start = parts.findIndex((p) => p.name === 'for');
  const inAt = parts.findIndex((p) => p.name === 'in');
  if (start < 1 || inAt < start) return NOTHING;
  const inner = new Scope(scope);
  const over = evaluator.evaluate(parts[inAt + 1] ?? node.children[0]!, scope);
  const made: Value[] = [];
  for (const item of evaluator.firstOf(elementsOf(over), MAX_ELEMENTS)) {
    bindAll(evaluator, parts.slice(start + 1, inAt), item, inner);
    for (const rest of parts.slice(inAt + 2)) if (/^[A-Z]/.test(rest.name)) evaluator.evaluate(rest, inner);
    made.push(evaluator.evaluateAll(parts.slice(0, start), inner).at(-1) ?? NOTHING);
  }
  return { ...list(made), taint: over.taint };
}
