/**
 * What a condition may speak about: names with their types, and functions. A vocabulary is plain data, so that the
 * documentation, the error messages and the type checker all come from the same rows.
 */

/** Type of a value. `int` and `double` are both numbers and compare freely; `dyn` is known only when the event is there. */
export type ValueType = 'bool' | 'int' | 'double' | 'string' | 'dyn' | 'list<string>' | 'list<object>' | 'object';

/** A name that conditions may read. */
export interface NameDef {
  type: ValueType;
  /** One line for people. */
  about: string;
  /** The fields of an `object`, or of each element of a `list<object>`. */
  fields?: Readonly<Record<string, ValueType>>;
  /** An `object` whose fields are not known beforehand: any path below it may be read, typed `dyn`. Default false. */
  is_open?: boolean;
  /** Depends on free text, which the judged party can write. Compiling ignores it; callers decide. Default false. */
  is_from_text?: boolean;
  /**
   * Its number in the environment, which is then asked with `at` instead of `get`. An object with a slot and `fields` has
   * these fields and no others. Default none.
   */
  slot?: number;
}

/** A function that conditions may call. It must be pure. */
export interface FunctionDef {
  name: string;
  args: readonly ValueType[];
  returns: ValueType;
  about: string;
  /** The value, or undefined when there is none for these arguments; the comparison around it is then false. */
  call: (env: Environment, ...args: readonly unknown[]) => unknown;
  /** Root names that `call` reads from the environment. Default none. */
  reads?: readonly string[];
  /** Given: every argument must be a literal, and the text returned, if any, is the reason to refuse it. */
  checkLiteral?: (text: string) => string | null;
  /** Given: what `call` gets in place of a literal argument, made once when the condition is compiled. */
  prepareLiteral?: (text: string) => unknown;
  /** Given: keys of which one holds whenever the function is true for this literal; see `Condition.keys`. */
  keysOfLiteral?: (text: string) => readonly Key[] | null;
}

export interface Vocabulary {
  names: ReadonlyMap<string, NameDef>;
  functions: ReadonlyMap<string, FunctionDef>;
  /** Names that exist but may not be read, each with the reason to show. Default none. */
  refused?: ReadonlyMap<string, string>;
}

/** Where a condition gets its values from. */
export interface Environment {
  /** Value of a root name; undefined or null when it is missing. Fields below it are walked by the condition. */
  get(name: string): unknown;
  /** The same of a name whose vocabulary gives it a slot; needed where one does. */
  at?(slot: number): unknown;
  /** Set to true, and never back, when something that the result rested on was missing or of another type. */
  unevaluable: boolean;
}

/** A fact that must hold: the root name equals `value`, or is a list that contains it. */
export interface Key {
  name: string;
  value: string | number | boolean;
}

/** A vocabulary from rows. A name or function that stands twice is an error in our own tables. */
export function makeVocabulary(
  names: Readonly<Record<string, NameDef>>,
  functions: readonly FunctionDef[] = [],
  refused: Readonly<Record<string, string>> = {},
): Vocabulary {
  const by_name = new Map(functions.map((fn) => [fn.name, fn]));
  if (by_name.size !== functions.length) throw new Error('a function stands twice in a vocabulary');
  return { names: new Map(Object.entries(names)), functions: by_name, refused: new Map(Object.entries(refused)) };
}

/**
 * Both vocabularies in one; where both define a name or function, `b` wins. A name may not change its type on the way,
 * because a condition that was accepted with one would mean something else with the other.
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

/** Names that reach into the host language wherever property access is not by own properties; refused everywhere. */
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
