/**
 * Conditions of rules, customers' and built-in: CEL with AND, OR and NOT, compiled once into closures.
 *
 * text → tokens (tokens.ts) → plain CEL within limits (token-rules.ts, translate.ts) → checked tree (check.ts)
 * → closures (builder.ts), keys (keys.ts) and guards (guards.ts). No code is generated, and the CEL library parses and checks a condition but
 * never evaluates it, because its evaluator throws where a condition is merely false.
 *
 * The text is tokenized twice, by tokens.ts and by the library, which accepts text alone. Of the 28 µs that compiling one
 * of the built-in conditions takes, our tokens take 2.4 µs and the library with its type check 4.7 µs; a parser of our own
 * would save the smaller of the two, once per condition when rules or a policy are loaded.
 *
 * A missing field, null or a value of another type makes its comparison false and marks the evaluation as unevaluable.
 * `AND` and `OR` evaluate from left to right and stop when the result is certain, so an unmarked result never depends on a
 * missing value.
 */
import { Builder } from './builder.ts';
import { parseAndCheck } from './check.ts';
import { ConditionError } from './condition-error.ts';
import { type Guard, guardsOf } from './guards.ts';
import { keysOf } from './keys.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { translate } from './translate.ts';
import { type Use, usesOf } from './uses.ts';
import type { Environment, Key, Vocabulary } from './vocabulary.ts';

export { ConditionError } from './condition-error.ts';
export { type Guard, isPresent } from './guards.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type { Use } from './uses.ts';
export {
  type Environment,
  type Key,
  makeVocabulary,
  mergeVocabularies,
  type NameDef,
  type Vocabulary,
} from './vocabulary.ts';

/** A compiled condition. Immutable to its users; `test` is synchronous and not reentrant. */
export interface Condition {
  source: string;
  /** Root names that it may read, sorted. */
  reads: readonly string[];
  /** Each use of a name, and whether the condition holds when its value is high or low. */
  uses: readonly Use[];
  /** The condition can be true only if one of these holds; null if nothing is known. With an empty list it is never true. */
  keys: readonly Key[] | null;
  /** What it asks first. The condition can be true only if all of them hold. */
  guards: readonly Guard[];
  /** Whether the condition is true. Sets `env.unevaluable` if the result depends on a missing value; never throws. */
  test(env: Environment): boolean;
}

/** Compiles a condition. Throws a {@link ConditionError} with the column and what to write instead. */
export function compileCondition(source: unknown, vocabulary: Vocabulary, limits: Partial<Limits> = {}): Condition {
  if (typeof source !== 'string') throw new ConditionError(1, 'a condition is text; write it as a string');
  const all_limits = { ...DEFAULT_LIMITS, ...limits };
  const translation = translate(source, vocabulary, all_limits);
  const tree = parseAndCheck(translation, vocabulary);
  const builder = new Builder(vocabulary, translation);
  const test = builder.test(tree);
  const budget = builder.budget;
  return {
    source,
    reads: [...builder.reads].sort(),
    uses: usesOf(tree, vocabulary),
    keys: keysOf(tree, vocabulary),
    guards: guardsOf(tree, vocabulary),
    test: (env) => {
      budget.left = all_limits.steps;
      return test(env);
    },
  };
}
