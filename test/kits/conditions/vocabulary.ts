/** A small vocabulary with something of everything, for random conditions. */
import { type FunctionDef, makeVocabulary, type ValueType } from '../../../src/lang/conditions/vocabulary.ts';
import type { Functions } from './reference.ts';

const FIELDS: Readonly<Record<string, ValueType>> = { kind: 'string', n: 'int', ok: 'bool', marks: 'list<string>' };

/** What the functions do, for the reference. */
export const FUNCTION_BODIES: Functions = {
  half: (_values, x) => (typeof x === 'number' && x >= 0 ? x / 2 : undefined),
  is_s: (values, text) => (typeof values['s'] === 'string' ? values['s'] === text : undefined),
};

const FUNCTIONS: FunctionDef[] = [
  {
    name: 'half',
    args: ['double'],
    returns: 'double',
    about: 'half of a number',
    call: (_env, x) => FUNCTION_BODIES['half']!({}, x),
  },
  {
    name: 'is_s',
    args: ['string'],
    returns: 'bool',
    about: 'whether s is this text',
    reads: ['s'],
    checkLiteral: () => null,
    call: (env, text) => FUNCTION_BODIES['is_s']!({ s: env.get('s') }, text),
    keysOfLiteral: (text) => [{ name: 's', value: text }],
  },
];

/** Names of every type, and two functions: one that is not always defined, one with keys. */
export const VOCABULARY = makeVocabulary(
  {
    flag: { type: 'bool', about: 'a truth value' },
    i: { type: 'int', about: 'a whole number' },
    d: { type: 'double', about: 'a number' },
    s: { type: 'string', about: 'a text' },
    t: { type: 'string', about: 'another text' },
    tags: { type: 'list<string>', about: 'texts' },
    objects: { type: 'list<object>', about: 'objects', fields: FIELDS },
    o: { type: 'object', about: 'an object', fields: FIELDS },
    p: { type: 'object', about: 'anything', is_open: true },
  },
  FUNCTIONS,
);
