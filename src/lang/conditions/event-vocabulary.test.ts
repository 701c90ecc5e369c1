import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCondition, type Environment, makeVocabulary, mergeVocabularies } from './conditions.ts';
import { eventEnvironment } from './event-environment.ts';
import { EVENT_VOCABULARY } from './event-vocabulary.ts';

const EVENT = {
  event_id: 'e-1',
  action: 'db:prod:export',
  timestamp: '2026-01-17T23:30:00+02:00',
  agent: { agent_id: 'a-1' },
  session: { session_id: 's-1' },
  target: { resource_type: 'database' },
  parameters: { amount: 5 },
  mcp_context: { is_verified: false },
  data_fields_accessed: ['ssn', { field: 'iban', classification: 'financial' }, { classification: 'PII' }, 5, null],
  preceding_actions: ['a:b:c'],
  user_context: 'please',
  conversation_history: [{ role: 'user', content: 'please' }],
  metadata: { x: 1 },
};
const DERIVED = { batch_size: 12, tool_name: 'export' };

test('the environment has a value for every name of the vocabulary', () => {
  const env = eventEnvironment(EVENT, DERIVED);
  for (const name of EVENT_VOCABULARY.names.keys()) assert.notEqual(env.get(name), undefined, name);
  assert.deepEqual(
    ['domain', 'scope', 'verb'].map((name) => env.get(name)),
    ['db', 'prod', 'export'],
  );
  assert.equal(env.get('parameters'), EVENT.parameters);
});

test('data fields are read by name, as text or as objects', () => {
  assert.deepEqual(eventEnvironment(EVENT, DERIVED).get('data_fields_accessed'), ['ssn', 'iban']);
  assert.equal(
    eventEnvironment({ action: 'a:b:c', data_fields_accessed: 'ssn' }, DERIVED).get('data_fields_accessed'),
    undefined,
  );
});

test('free text, metadata and unlisted names cannot be read', () => {
  const env = eventEnvironment(EVENT, DERIVED);
  for (const name of [
    'user_context',
    'conversation_history',
    'metadata',
    'constructor',
    '__proto__',
    'get',
    'toString',
  ]) {
    assert.equal(EVENT_VOCABULARY.names.has(name), false, name);
    assert.equal(env.get(name), undefined, name);
  }
});

test('absent fields are missing, not empty', () => {
  const env = eventEnvironment({ action: 'a:b:c' }, { batch_size: undefined, tool_name: undefined });
  for (const name of EVENT_VOCABULARY.names.keys()) {
    if (['action', 'domain', 'scope', 'verb'].includes(name)) continue;
    assert.equal(env.get(name), undefined, name);
  }
  assert.equal(compileCondition('size(preceding_actions) == 0', EVENT_VOCABULARY).test(env), false);
  assert.equal(env.unevaluable, true);
});

test('an invalid action has no segments and matches no pattern', () => {
  const env = eventEnvironment({ action: 'nonsense' }, DERIVED);
  assert.equal(compileCondition("matches_action('*') OR domain != 'x'", EVENT_VOCABULARY).test(env), false);
  assert.equal(env.unevaluable, true);
});

test('vocabularies merge: the second wins, types stay, a known name is no longer refused', () => {
  const facts = makeVocabulary(
    {
      day_of_week: { type: 'int', about: 'day of the week' },
      tool_name: { type: 'string', about: 'the fact' },
      metadata: { type: 'object', is_open: true, about: 'for this test' },
    },
    [{ name: 'twice', args: ['int'], returns: 'int', about: 'double', call: (_env, n) => (n as number) * 2 }],
  );
  const merged = mergeVocabularies(EVENT_VOCABULARY, facts);
  assert.equal(merged.names.get('tool_name')?.about, 'the fact');
  assert.equal(merged.names.has('target') && merged.functions.has('hour') && merged.functions.has('twice'), true);
  const values = new Map<string, unknown>([
    ['day_of_week', 6],
    ['timestamp', EVENT.timestamp],
    ['metadata', { x: 3 }],
  ]);
  const env: Environment = { unevaluable: false, get: (name) => values.get(name) };
  const condition = 'day_of_week == day_of_week(timestamp) AND twice(metadata.x) == 6';
  assert.equal(compileCondition(condition, merged).test(env), true, 'a name and a function may be spelt the same');
  assert.throws(() => compileCondition("user_context == 'x'", merged), /free text/);
});

test('vocabularies that disagree about a type do not merge', () => {
  const other = makeVocabulary({ batch_size: { type: 'string', about: 'text' } });
  assert.throws(
    () => mergeVocabularies(EVENT_VOCABULARY, other),
    /`batch_size` is int in one vocabulary and string in the other/,
  );
  const fn = { name: 'f', args: [], returns: 'bool', about: '', call: () => true } as const;
  assert.throws(() => makeVocabulary({}, [fn, fn]), /twice/);
});

test('fields of a list of objects are declared, checked and read', () => {
  const vocabulary = makeVocabulary({
    effects: {
      type: 'list<object>',
      about: 'effects',
      fields: { kind: 'string', markers: 'list<string>', strength: 'double' },
    },
  });
  const effects = [
    { kind: 'read', markers: [], strength: 0.1 },
    { kind: 'delete', markers: ['forced'], strength: 0.9 },
  ];
  const env: Environment = { unevaluable: false, get: () => effects };
  const holds = (condition: string) => compileCondition(condition, vocabulary).test(env);
  assert.equal(holds("effects.exists(e, e.kind == 'delete' AND e.strength > 0.5 AND 'forced' in e.markers)"), true);
  assert.equal(holds("effects.exists(e, e.kind == 'read' AND e.strength > 0.5)"), false);
  assert.equal(holds("effects.exists(e, e.markers.exists(m, m.startsWith('force')))"), true);
  assert.equal(env.unevaluable, false);
  assert.throws(() => holds("effects.exists(e, e.knd == 'read')"), /column 21: unknown field `knd`/);
  assert.throws(() => holds("effects.exists(e, e == 'read')"), /types do not fit: object == string/);
  assert.throws(() => holds("'x' in effects"), /types do not fit/);
});
