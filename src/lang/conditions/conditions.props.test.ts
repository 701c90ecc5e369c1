/** Random conditions, compared with their definition, with their keys and with the CEL library's own evaluator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Environment as CelEnvironment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { judge, type Node, type Values, write } from '../../../test/kits/conditions/reference.ts';
import { FUNCTION_BODIES, VOCABULARY } from '../../../test/kits/conditions/vocabulary.ts';
import { compileCondition, DEFAULT_LIMITS, type Environment } from './conditions.ts';
import { SIZE, translate } from './translate.ts';

type Arb = fc.Arbitrary<Node>;
type Kind = 'bool' | 'number' | 'string' | 'dyn' | 'texts' | 'objects';
interface Element {
  name: string;
  kind: 'string' | 'object' | 'dyn';
}

// Few values, so that they meet.
const numbers = fc.constantFrom(0, 1, 2, 3, 0.5, 100);
const texts = fc.constantFrom('', 'a', 'b', 'ab', 'a AND b', "it's", '😀');
const literal = (value: string | number | boolean): Node => ({ is: 'literal', value });
const name = (text: string): Node => ({ is: 'name', name: text });
const field = (object: Node, text: string): Node => ({ is: 'field', object, field: text });
const names = (...options: string[]): Arb => fc.constantFrom(...options).map(name);

/** A path to a value of that kind, through names, fields and the elements of the quantifiers around. */
function path(kind: Kind, elements: readonly Element[]): Arb {
  const roots: Node[] = [name('o'), ...elements.filter((e) => e.kind === 'object').map((e) => name(e.name))];
  const fields = (text: string) => roots.map((root) => field(root, text));
  const dyn_roots = [name('p'), ...elements.filter((e) => e.kind === 'dyn').map((e) => name(e.name))];
  const options: Record<Kind, Node[]> = {
    bool: [name('flag'), ...fields('ok')],
    number: [name('i'), name('d'), ...fields('n')],
    string: [
      name('s'),
      name('t'),
      ...fields('kind'),
      ...elements.filter((e) => e.kind === 'string').map((e) => name(e.name)),
    ],
    texts: [name('tags'), ...fields('marks')],
    objects: [name('objects')],
    dyn: [...dyn_roots.flatMap((root) => [field(root, 'x'), field(field(root, 'y'), 'x')]), ...dyn_roots.slice(1)],
  };
  return fc.constantFrom(...options[kind]);
}

/** A value of a kind, or of unknown type. */
function value(kind: 'number' | 'string', depth: number, elements: readonly Element[]): Arb {
  const leaves = [
    kind === 'number' ? numbers.map(literal) : texts.map(literal),
    path(kind, elements),
    path('dyn', elements),
  ];
  if (depth <= 0 || kind === 'string') return fc.oneof(...leaves);
  const inner = value('number', depth - 1, elements);
  return fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...leaves) },
    fc.record<Node & { is: 'calculation' }>({
      is: fc.constant('calculation'),
      operator: fc.constantFrom('+', '-', '*', '/', '%'),
      left: inner,
      right: inner,
    }),
    inner.map((operand): Node => ({ is: 'minus', operand })),
    inner.map((arg): Node => ({ is: 'call', fn: 'half', args: [arg] })),
    fc
      .tuple(fc.oneof(path('texts', elements), path('string', elements), path('dyn', elements)), fc.boolean())
      .map(([of, as_method]): Node => ({ is: 'size', of, as_method })),
  );
}

function comparison(depth: number, elements: readonly Element[]): Arb {
  const compare = (side: Arb, operators: readonly ('==' | '!=' | '<' | '<=' | '>' | '>=')[]): Arb =>
    fc.record<Node & { is: 'comparison' }>({
      is: fc.constant('comparison'),
      operator: fc.constantFrom(...operators),
      left: side,
      right: side,
    });
  const truth = fc.oneof(
    fc.boolean().map(literal),
    path('bool', elements),
    path('dyn', elements),
    condition(depth - 1, elements),
  );
  const all = ['==', '!=', '<', '<=', '>', '>='] as const;
  return fc.oneof(
    { weight: 3, arbitrary: compare(value('number', depth, elements), all) },
    { weight: 3, arbitrary: compare(value('string', depth, elements), all) },
    { weight: 1, arbitrary: compare(truth, ['==', '!=']) },
  );
}

function membership(depth: number, elements: readonly Element[]): Arb {
  const list = (item: Arb): Arb => fc.array(item, { maxLength: 3 }).map((items): Node => ({ is: 'list', items }));
  const text = fc.oneof(texts.map(literal), path('string', elements));
  const isIn = (left: Arb, right: Arb): Arb =>
    fc.tuple(left, right).map(([l, r]): Node => ({ is: 'in', left: l, right: r }));
  const number = fc.oneof(
    numbers.map(literal),
    numbers.map((n): Node => ({ is: 'minus', operand: literal(n) })),
  );
  return fc.oneof(
    isIn(value('string', depth, elements), fc.oneof(path('texts', elements), list(text), list(texts.map(literal)))),
    isIn(value('number', depth, elements), fc.oneof(list(number), path('dyn', elements))),
    isIn(fc.oneof(text, path('dyn', elements)), path('dyn', elements)),
  );
}

function quantifier(depth: number, elements: readonly Element[]): Arb {
  const element_name = `x${elements.length}`;
  const over = (list: Arb, kind: Element['kind']): Arb =>
    fc
      .tuple(
        fc.constantFrom('exists' as const, 'all' as const),
        list,
        condition(depth - 1, [...elements, { name: element_name, kind }]),
      )
      .map(([q, of, body]): Node => ({ is: 'quantifier', quantifier: q, list: of, element: element_name, body }));
  const literals = fc
    .array(texts.map(literal), { minLength: 1, maxLength: 3 })
    .map((items): Node => ({ is: 'list', items }));
  return fc.oneof(
    over(path('texts', elements), 'string'),
    over(literals, 'string'),
    over(names('objects'), 'object'),
    over(path('dyn', elements), 'dyn'),
  );
}

/** A random condition at most so deep. */
function condition(depth: number, elements: readonly Element[] = []): Arb {
  const bare = fc.oneof(
    fc.boolean().map(literal),
    path('bool', elements),
    texts.map((text): Node => ({ is: 'call', fn: 'is_s', args: [literal(text)] })),
  );
  if (depth <= 0) return bare;
  const inner = condition(depth - 1, elements);
  const text = value('string', 0, elements);
  const method = fc.record<Node & { is: 'method' }>({
    is: fc.constant('method'),
    method: fc.constantFrom('contains', 'startsWith', 'endsWith'),
    receiver: text,
    part: text,
  });
  const join = fc.record<Node & { is: 'join' }>({
    is: fc.constant('join'),
    operator: fc.constantFrom('AND', 'OR', '&&', '||'),
    left: inner,
    right: inner,
  });
  const not = fc.record<Node & { is: 'not' }>({
    is: fc.constant('not'),
    operator: fc.constantFrom('NOT', '!'),
    operand: inner,
  });
  return fc.oneof(
    { weight: 1, arbitrary: bare },
    { weight: 4, arbitrary: comparison(depth - 1, elements) },
    { weight: 3, arbitrary: membership(depth - 1, elements) },
    { weight: 2, arbitrary: method },
    { weight: 3, arbitrary: quantifier(depth, elements) },
    { weight: 4, arbitrary: join },
    { weight: 2, arbitrary: not },
  );
}

const junk = fc.constantFrom<unknown>(null, undefined, 'a', 1, true, [], {}, ['a', 1], { x: 1 }, Number.NaN);
/** Mostly a value of the declared type, so that conditions are not all unevaluable. */
const mostly = (fitting: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 7, arbitrary: fitting }, { weight: 1, arbitrary: junk });
const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 3 });
const object = fc.record({
  kind: mostly(texts),
  n: mostly(numbers),
  ok: mostly(fc.boolean()),
  marks: mostly(list(texts)),
});
const anything = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  list(texts),
  list(numbers),
  list(mostly(texts)),
  fc.record({ x: fc.oneof(texts, numbers) }),
);

/** Random values for the names of {@link VOCABULARY}. */
const environments: fc.Arbitrary<Values> = fc.record({
  flag: mostly(fc.boolean()),
  i: mostly(numbers),
  d: mostly(numbers),
  s: mostly(texts),
  t: mostly(texts),
  tags: mostly(list(mostly(texts))),
  objects: mostly(list(mostly(object))),
  o: mostly(object),
  p: mostly(fc.record({ x: mostly(anything), y: mostly(fc.record({ x: mostly(anything) })) })),
});

const RUNS = 4_000;

function environment(values: Values): Environment {
  return { unevaluable: false, get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}

test('closures and the definition agree on the result and on `unevaluable`', () => {
  const results = { true: 0, false: 0, unevaluable: 0 };
  fc.assert(
    fc.property(condition(3), environments, (tree, values) => {
      const env = environment(values);
      const actual = { result: compileCondition(write(tree), VOCABULARY).test(env), is_unevaluable: env.unevaluable };
      assert.deepEqual(actual, judge(tree, values, FUNCTION_BODIES), write(tree));
      results[env.unevaluable ? 'unevaluable' : actual.result ? 'true' : 'false'] += 1;
    }),
    { numRuns: RUNS },
  );
  for (const [result, count] of Object.entries(results)) assert.ok(count > RUNS / 10, `${result}: only ${count}`);
});

test('of every true condition at least one key holds', () => {
  let decided = 0;
  fc.assert(
    fc.property(condition(2), environments, (tree, values) => {
      const { keys, test: holds } = compileCondition(write(tree), VOCABULARY);
      if (keys === null || !holds(environment(values))) return;
      decided += 1;
      const is_key_true = keys.some(({ name, value }) => {
        const fact = values[name];
        return Array.isArray(fact) ? fact.includes(value) : fact === value;
      });
      assert.ok(is_key_true, `${write(tree)} is true without ${JSON.stringify(keys)}`);
    }),
    { numRuns: 3 * RUNS },
  );
  assert.ok(decided > RUNS / 50, `only ${decided} conditions with keys were true`);
});

test('a condition reads only the names in `reads`', () => {
  fc.assert(
    fc.property(condition(3), environments, (tree, values) => {
      const compiled = compileCondition(write(tree), VOCABULARY);
      const asked = new Set<string>();
      compiled.test({
        unevaluable: false,
        get: (name) => {
          asked.add(name);
          return values[name];
        },
      });
      for (const name of asked) assert.ok(compiled.reads.includes(name), `${write(tree)} read ${name}`);
    }),
  );
});

test('without missing values the CEL library evaluates to the same result', () => {
  const cel = new CelEnvironment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });
  cel.registerOperator('double % double', (a: number, b: number) => a % b);
  const size = (value: string | unknown[]) => (typeof value === 'string' ? [...value].length : value.length);
  for (const type of ['string', 'list<dyn>']) {
    cel.registerFunction(`${SIZE}(${type}): double`, size);
    cel.registerFunction(`${type}.${SIZE}(): double`, size);
  }
  let compared = 0;
  fc.assert(
    fc.property(condition(3), environments, (tree, values) => {
      const source = write(tree);
      if (/half|is_s/.test(source)) return;
      const env = environment(values);
      const actual = compileCondition(source, VOCABULARY).test(env);
      if (env.unevaluable) return;
      compared += 1;
      const json = JSON.parse(JSON.stringify(values)) as Record<string, unknown>;
      assert.equal(cel.evaluate(translate(source, VOCABULARY, DEFAULT_LIMITS).cel, json), actual, source);
    }),
    { numRuns: RUNS },
  );
  assert.ok(compared > RUNS / 10, `only ${compared} conditions were compared`);
});
