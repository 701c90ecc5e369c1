import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedFile } from '../../../test/support/shared.ts';
import {
  ConditionError,
  compileCondition,
  DEFAULT_LIMITS,
  type Environment,
  type Limits,
  makeVocabulary,
} from './conditions.ts';
import { EVENT_VOCABULARY } from './event-vocabulary.ts';

const compile = (source: unknown, limits?: Partial<Limits>) => compileCondition(source, EVENT_VOCABULARY, limits);

function environment(values: Readonly<Record<string, unknown>>): Environment {
  return { unevaluable: false, get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}

test('a condition lists the names that it and its functions read, the same each time', () => {
  const condition = compile("verb == 'x' AND target.resource_type == domain OR matches_action('a:*') AND verb == 'y'");
  assert.deepEqual(condition.reads, ['action', 'domain', 'target', 'verb']);
  assert.equal(compile('preceding_actions.exists(a, a == verb)').reads.join(), 'preceding_actions,verb');
  const env = environment({ verb: 'x', domain: 'd', target: { resource_type: 'd' } });
  for (let i = 0; i < 3; i++) assert.equal(condition.test(env), true);
});

test('a name with a slot is read by its slot and gives the same result', () => {
  const fields = { role: 'string', count: 'int' } as const;
  const plain = { who: { type: 'object', about: '', fields }, size: { type: 'int', about: '' } } as const;
  const slotted = { who: { ...plain.who, slot: 0 }, size: { ...plain.size, slot: 1 } };
  const values = { who: { role: 'x' }, size: 3 };
  const bySlot = (slots: readonly unknown[]): Environment => ({
    unevaluable: false,
    get: (name) => assert.fail(`\`${name}\` was asked by its name`),
    at: (slot) => slots[slot],
  });
  for (const source of [
    "who.role == 'x' AND size > 2",
    'who.count > 1',
    'who.count > 1 OR size == 3',
    'NOT size < 3',
  ]) {
    const named = environment(values);
    const numbered = bySlot([values.who, values.size]);
    const expected = compileCondition(source, makeVocabulary(plain)).test(named);
    assert.equal(compileCondition(source, makeVocabulary(slotted)).test(numbered), expected, source);
    assert.equal(numbered.unevaluable, named.unevaluable, source);
  }
  const nobody = bySlot([null, undefined]);
  assert.equal(compileCondition("who.role != 'x' OR size != 1", makeVocabulary(slotted)).test(nobody), false);
  assert.equal(nobody.unevaluable, true);
});

test('a condition that is not a string is refused', () => {
  for (const source of [null, undefined, 1, true, {}, { $gt: 1 }, ['true'], () => true]) {
    assert.throws(() => compile(source), { name: 'ConditionError', position: 1 });
  }
});

test('`unevaluable` is set and never reset', () => {
  const env = environment({});
  assert.equal(compile('batch_size > 1').test(env), false);
  assert.equal(env.unevaluable, true);
  assert.equal(compile('true').test(env), true);
  assert.equal(env.unevaluable, true);
});

test('fields are read from own properties only', () => {
  const inherited = Object.create({ resource_type: 'database' }) as object;
  const env = environment({ target: inherited });
  assert.equal(compile("target.resource_type == 'database'").test(env), false);
  assert.equal(env.unevaluable, true);
  for (const parameters of ['text', 5, true, ['x'], null, () => true]) {
    assert.equal(compile('parameters.length == 4 OR parameters.name.x == 1').test(environment({ parameters })), false);
  }
});

test('NaN is unevaluable', () => {
  for (const condition of [
    'batch_size != 5',
    'batch_size < 5',
    'batch_size != -batch_size',
    'batch_size >= batch_size',
  ]) {
    const env = environment({ batch_size: Number.NaN });
    assert.equal(compile(condition).test(env), false, condition);
    assert.equal(env.unevaluable, true, condition);
  }
});

const repeat = (count: number, part: (i: number) => string, joint = '') =>
  Array.from({ length: count }, (_, i) => part(i)).join(joint);
const parens = (depth: number) => `${'('.repeat(depth)}batch_size > 1${')'.repeat(depth)}`;
const terms = (count: number) =>
  repeat(count, (i) => `batch_size > ${i}${i === count - 1 ? '' : i % 2 ? ' OR ' : ' AND '}`);
const path = (names: number) => `parameters${'.a'.repeat(names - 1)} == 1`;
const plus = (count: number) => `${'1 + '.repeat(count)}1 > 0`;

test('the limits are exact', () => {
  const { depth, comparisons, length } = DEFAULT_LIMITS;
  const accepted = [
    parens(depth),
    path(depth),
    `${'NOT '.repeat(depth)}batch_size > 1`,
    `${'!'.repeat(depth)}true`,
    `${'-'.repeat(depth)}1 > 0`,
    terms(comparisons),
    plus(comparisons),
    `batch_size > 1${' '.repeat(length - 14)}`,
  ];
  for (const condition of accepted) assert.doesNotThrow(() => compile(condition), condition.slice(0, 60));
  const refused = [
    parens(depth + 1),
    path(depth + 1),
    `${'NOT '.repeat(depth + 1)}batch_size > 1`,
    `${'-'.repeat(depth + 1)}1 > 0`,
    `${'!'.repeat(depth + 1)}true`,
    terms(comparisons + 1),
    plus(comparisons + 1),
    repeat(comparisons + 2, () => 'true', ' OR '),
    repeat(comparisons + 1, () => 'size("")', ' - ').concat(' == 0'),
    `batch_size > 1${' '.repeat(length - 13)}`,
    `preceding_actions.exists(x, ${parens(depth)})`,
  ];
  for (const condition of refused) assert.throws(() => compile(condition), ConditionError, condition.slice(0, 60));
});

const BOMBS: [string, string][] = [
  ['10,000 brackets', parens(10_000)],
  ['100,000 open brackets', '('.repeat(100_000)],
  ['100,000 closing brackets', ')'.repeat(100_000)],
  ['100,000 lists in lists', '['.repeat(100_000)],
  ['5,000 terms', terms(5_000)],
  ['a path of 10,000 names', path(10_000)],
  ['1,000,000 spaces', ' '.repeat(1_000_000)],
  ['100,000 signs', `${'!'.repeat(100_000)}true`],
  ['100,000 minuses', `${'-'.repeat(100_000)}1 > 0`],
  ['100,000 NOTs', `${'NOT '.repeat(100_000)}true`],
  ['50,000 sums', plus(50_000)],
  ['an open string of 1,000,000 characters', `verb == '${'a'.repeat(1_000_000)}`],
  ['an open string of 1,000,000 backslashes', `verb == '${'\\'.repeat(1_000_000)}`],
  ['50,000 nested quantifiers', 'preceding_actions.exists(x, '.repeat(50_000)],
  ['50,000 nested calls', 'size('.repeat(50_000)],
  ['50,000 chained calls', `verb${'.contains("a")'.repeat(50_000)}`],
];

for (const [name, condition] of BOMBS) {
  test(`${name} are refused, with a message that fits on a line`, () => {
    assert.throws(
      () => compile(condition),
      (error) => error instanceof ConditionError && error.message.length < 300,
    );
  });

  test(`${name} are refused by the other limits too, when length has none`, () => {
    assert.throws(() => compile(condition, { length: Number.MAX_SAFE_INTEGER }), ConditionError);
  });
}

test('an evaluation over lists that are too long ends and is marked as unevaluable', () => {
  const items = Array.from({ length: 300 }, (_, i) => ({ list: Array.from({ length: 300 }, (_, j) => i * j) }));
  const condition = (limits?: Partial<Limits>) =>
    compile('parameters.items.exists(a, parameters.items.exists(b, b.list.exists(x, x == -1)))', limits);
  const env = environment({ parameters: { items } });
  assert.equal(condition().test(env), false);
  assert.equal(env.unevaluable, true);
  const small = environment({ parameters: { items: items.slice(0, 10) } });
  assert.equal(condition().test(small), false);
  assert.equal(small.unevaluable, false, 'each evaluation begins with the whole budget');
  const tight = environment({ preceding_actions: ['a:b:c', 'd:e:f', 'g:h:i'] });
  assert.equal(compile("preceding_actions.all(x, x != 'z')", { steps: 3 }).test(tight), false);
  assert.equal(tight.unevaluable, true);
});

test('the examples of the documentation compile', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/conditions.md'), 'utf8');
  const examples = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap((block) => block[1]!.trim().split('\n'));
  assert.ok(examples.length >= 8, `${examples.length} examples found`);
  for (const example of examples) assert.doesNotThrow(() => compile(example), example);
  for (const name of [...EVENT_VOCABULARY.names.keys(), ...EVENT_VOCABULARY.functions.keys()]) {
    assert.ok(page.includes(`\`${name}`), `${name} is not documented`);
  }
});

test('searching a very long text spends the same budget', () => {
  const env = environment({ verb: 'a'.repeat(100_000) });
  assert.equal(compile("verb.contains('b')").test(env), false);
  assert.equal(env.unevaluable, false);
  assert.equal(compile("verb.contains('a')", { steps: 100 }).test(env), false);
  assert.equal(env.unevaluable, true);
});

test('an element that is itself a list gives no key on the outer list', () => {
  const vocabulary = makeVocabulary({ rows: { type: 'dyn', about: 'lists of texts' } });
  const condition = compileCondition("rows.exists(row, 'x' in row)", vocabulary);
  assert.equal(condition.test(environment({ rows: [['y'], ['x']] })), true);
  assert.equal(condition.keys, null);
});

interface Vector {
  id: string;
  class: string;
  condition?: unknown;
  generate?: { kind: string; depth?: number; terms?: number; segments?: number; count?: number };
  expected: boolean | 'refuse_at_policy_write' | 'refuse_or_document' | 'refuse_or_plain_data';
  env?: Record<string, unknown>;
}

/** Conditions only; rules as a whole are the policy compiler's. */
function conditionOf(vector: Vector): unknown {
  const { kind, depth = 0, terms: count = 0, segments = 0, count: spaces = 0 } = vector.generate ?? { kind: '' };
  if (kind === 'paren') return parens(depth);
  if (kind === 'and_or_alternate') return terms(count);
  if (kind === 'long_path') return path(segments);
  if (kind === 'spaces') return ' '.repeat(spaces);
  return vector.condition;
}

test('shared vectors: rule-expressions', (t) => {
  const file = sharedFile('vectors/rule-expressions.json');
  if (file === null) return t.skip('../shared is not there: the vectors of rule-expressions were not run');
  const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: Vector[] };
  const vectors = tests.filter(
    (vector) => 'condition' in vector || (vector.generate && vector.generate.kind !== 'rules'),
  );
  assert.ok(vectors.length > 0);
  for (const vector of vectors) {
    const condition = conditionOf(vector);
    const where = `${vector.id}: ${JSON.stringify(condition)?.slice(0, 80)}`;
    if (vector.expected === 'refuse_at_policy_write') assert.throws(() => compile(condition), ConditionError, where);
    if (typeof vector.expected !== 'boolean') continue;
    const env = environment(vector.env ?? {});
    assert.equal(compile(condition).test(env), vector.expected, where);
    if (vector.class === 'valid') assert.equal(env.unevaluable, false, where);
  }
});
