/** What a refusal says about each fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { FieldError, WeirError } from '../errors.ts';
import { compileValidator } from './validate.ts';

const message = Type.Object({ role: Type.Optional(Type.String()) });
const validate = compileValidator(
  Type.Object({
    fields: Type.Optional(
      Type.Array(Type.Union([Type.String({ minLength: 1 }), Type.Object({ field: Type.String() })])),
    ),
    messages: Type.Optional(Type.Array(Type.Intersect([message, Type.Record(Type.String(), Type.Unknown())]))),
  }),
  'the value',
);

function errorsOf(value: unknown): FieldError[] {
  try {
    validate(value);
  } catch (error) {
    return (error as WeirError).errors!;
  }
  return [];
}

test('a value of a wrong type is answered with the allowed types', () => {
  for (const [wrong, name] of [
    [5, 'a number'],
    [null, 'null'],
    [[], 'an array'],
  ] as const) {
    assert.deepEqual(errorsOf({ fields: ['x', wrong] }), [
      { path: '/fields/1', message: `must be a string or an object, not ${name}` },
    ]);
  }
});

test('a value of an allowed type is answered with its own faults only', () => {
  assert.deepEqual(errorsOf({ fields: [{}] }), [{ path: '/fields/0/field', message: 'is required' }]);
  assert.deepEqual(errorsOf({ fields: [{ field: 1 }] }), [
    { path: '/fields/0/field', message: 'must be a string, not a number' },
  ]);
  assert.deepEqual(
    errorsOf({ fields: [''] }).map(({ path }) => path),
    ['/fields/0'],
  );
});

test('a list that is too short or too long is answered with how many items it may have', () => {
  const list = compileValidator(Type.Object({ x: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 }) }), 'it');
  assert.throws(() => list({ x: [] }), { detail: 'it is not valid: `/x` must have at least 1 item' });
  assert.throws(() => list({ x: [1, 2, 3] }), { detail: 'it is not valid: `/x` must have at most 2 items' });
});

test('a fault that two parts of a schema find is reported once', () => {
  assert.deepEqual(errorsOf({ messages: ['x'] }), [
    { path: '/messages/0', message: 'must be an object, not a string' },
  ]);
});
