/**
 * Parsing and type checking by the CEL library, with an environment that declares every name and function of a vocabulary.
 * The library never evaluates a condition: its evaluator throws on missing values, our conditions do not.
 */
import { type ASTNode, TypeError as CelTypeError, Environment, ParseError } from '@marcbachmann/cel-js';
import { suggest } from '../suggest.ts';
import { ConditionError } from './condition-error.ts';
import { shorten } from './tokens.ts';
import { SIZE, type Translation } from './translate.ts';
import type { ValueType, Vocabulary } from './vocabulary.ts';

/** The checked tree of a condition. Throws a {@link ConditionError} with the column and what to write instead. */
export function parseAndCheck(translation: Translation, vocabulary: Vocabulary): ASTNode {
  const environment = environmentOf(vocabulary);
  try {
    const parsed = environment.parse(translation.cel);
    const result = parsed.check();
    if (!result.valid) throw result.error;
    return parsed.ast;
  } catch (error) {
    if (error instanceof ParseError) throw syntaxError(error, translation);
    if (error instanceof CelTypeError) throw typeError(error, translation, vocabulary);
    throw error;
  }
}

const environments = new WeakMap<Vocabulary, Environment>();

function environmentOf(vocabulary: Vocabulary): Environment {
  const known = environments.get(vocabulary);
  if (known !== undefined) return known;
  const made = declare(vocabulary);
  environments.set(vocabulary, made);
  return made;
}

/** Names of the types that declare the fields of an object: a record type in CEL needs a name. */
const OBJECT_TYPE = /\bobject_[A-Za-z0-9_]+/g;

function declare(vocabulary: Vocabulary): Environment {
  const environment = new Environment();
  environment.registerOperator('double % double', never);
  for (const type of ['string', 'list<dyn>', 'map']) {
    environment.registerFunction(`${SIZE}(${type}): double`, never);
    environment.registerFunction(`${type}.${SIZE}(): double`, never);
  }
  for (const [name, def] of vocabulary.names) {
    const has_fields = def.fields !== undefined && def.is_open !== true;
    const type_name = has_fields ? `object_${name}` : '';
    if (has_fields) environment.registerType(type_name, { fields: celFields(def.fields ?? {}) });
    environment.registerVariable(name, celType(def.type, type_name));
  }
  for (const fn of vocabulary.functions.values()) {
    const args = fn.args.map((type) => celType(type)).join(', ');
    environment.registerFunction(`${fn.name}(${args}): ${celType(fn.returns)}`, never);
  }
  return environment;
}

function never(): never {
  throw new Error('conditions are not evaluated by the CEL library');
}

function celFields(fields: Readonly<Record<string, ValueType>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, celType(type)]));
}

function celType(type: ValueType, object_type = ''): string {
  if (type === 'int') return 'double';
  if (type === 'object') return object_type === '' ? 'map' : object_type;
  if (type === 'list<object>') return `list<${object_type === '' ? 'dyn' : object_type}>`;
  return type;
}

function syntaxError(error: ParseError, translation: Translation): ConditionError {
  const offset = error.range?.start ?? translation.cel.length;
  const column = translation.columnOf(offset);
  if (error.code === 'reserved_identifier')
    return new ConditionError(column, `${plain(error.summary)}; it is a word of the language`);
  if (error.code === 'limit_exceeded')
    return new ConditionError(column, 'the condition is too large; split the rule into several');
  if (/escape|surrogate/i.test(error.code))
    return new ConditionError(column, `${plain(error.summary)}; write \\\\ for a backslash`);
  const token = translation.tokenAt(offset);
  if (token === undefined)
    return new ConditionError(column, 'the condition ends too early; a value or a closing bracket is missing');
  return new ConditionError(
    column,
    `\`${shorten(token.text)}\` does not fit here; an operator, a value or a bracket is missing before it`,
  );
}

function typeError(error: CelTypeError, translation: Translation, vocabulary: Vocabulary): ConditionError {
  const column = translation.columnOf(error.range?.start ?? 0);
  return new ConditionError(column, typeReason(error, vocabulary));
}

function typeReason(error: CelTypeError, vocabulary: Vocabulary): string {
  const node = error.node;
  if (error.code === 'unknown_variable' && node?.op === 'id') return unknownName(node.args, vocabulary);
  if (error.code === 'no_such_key' && node?.op === '.') return unknownField(node.args[0], node.args[1], vocabulary);
  if (error.code === 'no_matching_overload' && node?.op === 'call') {
    const fn = vocabulary.functions.get(node.args[0]);
    if (fn !== undefined) return `\`${fn.name}\` takes (${fn.args.join(', ')}), not what is given here`;
  }
  return `the types do not fit: ${plain(error.summary)}`;
}

/** An error message of the library in the terms of our types. */
function plain(summary: string): string {
  const words = summary
    .replace(/^no such overload: /i, '')
    .replace(OBJECT_TYPE, 'object')
    .replaceAll(SIZE, 'size');
  const typed = words.replace(/\b(double|int)\b/g, 'number').replace(/\bmap<dyn, dyn>/g, 'object');
  return typed.charAt(0).toLowerCase() + typed.slice(1);
}

/** The error message for a name that the vocabulary does not have. */
export function unknownName(name: string, vocabulary: Vocabulary): string {
  const refused = vocabulary.refused?.get(name);
  if (refused !== undefined) return `\`${name}\` may not be read: ${refused}`;
  if (vocabulary.functions.has(name)) return `\`${name}\` is a function; write ${name}(…)`;
  return `unknown name \`${shorten(name)}\`${suggest(name, vocabulary.names.keys())}`;
}

function unknownField(object: ASTNode, field: string, vocabulary: Vocabulary): string {
  const fields = object.op === 'id' ? Object.keys(vocabulary.names.get(object.args)?.fields ?? {}) : [];
  const known = fields.length === 0 ? '' : `; there are ${fields.join(', ')}`;
  return `unknown field \`${shorten(field)}\`${known}`;
}
