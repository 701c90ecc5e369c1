/**
 * The names and functions that a condition may use, with their types. A vocabulary is plain data: documentation, error
 * messages and the type checker use the same rows.
 */

/** Type of a value. `int` and `double` are both numbers and compare freely; the type of `dyn` is known only at evaluation. */
export type ValueType = 'bool' | 'int' | 'double' | 'string' | 'dyn' | 'list<string>' | 'list<object>' | 'object';

/** A name that conditions may read. */
export interface NameDef {
  type: ValueType;
  /** The meaning, in one line. */
  about: string;
  /** The fields of an `object`, or of each element of a `list<object>`. */
  fields?: Readonly<Record<string, ValueType>>;
  /** The fields of the `object` are not declared: any path below it may be read, typed `dyn`. Default false. */
  is_open?: boolean;
  /** The value depends on free text, which the judged party can write. The compiler ignores this; callers use it. Default false. */
  is_from_text?: boolean;
  /**
   * Index of the name in the environment, which is then read with `at` instead of `get`. An object with a slot and `fields`
   * has exactly these fields. Default none.
   */
  slot?: number;
}

/** A function that conditions may call. It must be pure. */
export interface FunctionDef {
  name: string;
  args: readonly ValueType[];
  returns: ValueType;
  about: string;
  /** The value; undefined if there is none for these arguments, which makes the surrounding comparison false. */
  call: (env: Environment, ...args: readonly unknown[]) => unknown;
  /** Root names that `call` reads from the environment. Default none. */
  reads?: readonly string[];
  /** If given, every argument must be a literal; the returned text, if any, is the reason to refuse it. */
  checkLiteral?: (text: string) => string | null;
  /** If given, converts a literal argument at compile time; `call` gets the result. */
  prepareLiteral?: (text: string) => unknown;
  /** If given, returns keys of which one holds whenever the function is true for this literal; see `Condition.keys`. */
  keysOfLiteral?: (text: string) => readonly Key[] | null;
}

export interface Vocabulary {
  names: ReadonlyMap<string, NameDef>;
  functions: ReadonlyMap<string, FunctionDef>;
  /** Names that exist but may not be read, each with the reason for the error message. Default none. */
  refused?: ReadonlyMap<string, string>;
}

/** The source of a condition's values. */
export interface Environment {
  /** Value of a root name; undefined or null if it is missing. The condition itself reads the fields below it. */
  get(name: string): unknown;
  /** Value of the name with this slot; required if the vocabulary has slots. */
  at?(slot: number): unknown;
  /** Set to true, and never reset, if the result depends on a value that is missing or of another type. */
  unevaluable: boolean;
  /** Set to true, and never reset, if one of these values is there and of another type. */
  is_mistyped?: boolean;
}

/** A fact that must hold: the root name equals `value`, or is a list that contains it. */
export interface Key {
  name: string;
  value: string | number | boolean;
}

/** A vocabulary from rows. Throws if a function occurs twice. */
export function makeVocabulary(
  names: Readonly<Record<string, NameDef>>,
  functions: readonly FunctionDef[] = [],
  refused: Readonly<Record<string, string>> = {},
): Vocabulary {
  const by_name = new Map(functions.map((fn) => [fn.name, fn]));
  if (by_name.size !== functions.length) throw new Error('a function occurs twice in a vocabulary');
  return { names: new Map(Object.entries(names)), functions: by_name, refused: new Map(Object.entries(refused)) };
}

/**
 * Both vocabularies in one; if both define a name or function, `b` wins. Throws if a name has different types in the two,
 * because the same condition would have two meanings.
 */
export function mergeVocabularies(a: Vocabulary, b: Vocabulary): Vocabulary {
  for (const [name, def] of b.names) {
    const other = a.names.get(name);
    if (other !== undefined && other.type !== def.type) {
      throw new Error(`\`${name}\` is ${other.type} in one vocabulary and ${def.type} in the other; give it one type`);
    }
  }
  const refused = new Map([...(a.refused ?? []), ...(b.refused ?? [])]);
  for (const name of [...a.names.keys(), ...b.names.keys()]) refused.delete(name);
  return {
    names: new Map([...a.names, ...b.names]),
    functions: new Map([...a.functions, ...b.functions]),
    refused,
  };
}

/** Names of JavaScript's inherited properties; refused everywhere, so that no condition reaches into the host language. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'prototype',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
]);
