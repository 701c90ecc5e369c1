/**
 * Conditions of rules, customers' and built-in: CEL with AND, OR and NOT, compiled once into closures.
 *
 * text → tokens (tokens.ts) → plain CEL within limits (token-rules.ts, translate.ts) → checked tree (check.ts)
 * → closures (builder.ts) and keys (keys.ts). Nothing is generated as code, and nothing a condition says is ever run by
 * the CEL library, whose evaluator throws where a condition is merely false.
 *
 * A missing field, null or a value of another type makes its comparison false and marks the evaluation; `AND` and `OR`
 * go from left to right and stop when the result is certain, so an unmarked result never rested on what was missing.
 */
import { Builder } from './builder.ts';
import { parseAndCheck } from './check.ts';
import { ConditionError } from './condition-error.ts';
import { keysOf } from './keys.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { translate } from './translate.ts';
import type { Environment, Key, Vocabulary } from './vocabulary.ts';

export { ConditionError } from './condition-error.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export {
  type Environment,
  type Key,
  makeVocabulary,
  mergeVocabularies,
  type NameDef,
  type Vocabulary,
} from './vocabulary.ts';

/** A condition ready to be tested. Immutable to its users; `test` is synchronous and does not call itself. */
export interface Condition {
  source: string;
  /** Root names it may read, sorted. */
  reads: readonly string[];
  /** It can be true only if one of these holds; null when nothing is known. An empty list: it is never true. */
  keys: readonly Key[] | null;
  /** Whether it is true. Sets `env.unevaluable` when the result rested on something missing; never throws. */
  test(env: Environment): boolean;
}

/** Compiles a condition, or throws a {@link ConditionError} that names the column and what to write instead. */
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
    keys: keysOf(tree, vocabulary),
    test: (env) => {
      budget.left = all_limits.steps;
      return test(env);
    },
  };
}
