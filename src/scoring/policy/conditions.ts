/** What a condition in a policy may read, and compiling one with its place in the policy. */
import {
  type Condition,
  ConditionError,
  compileCondition,
  mergeVocabularies,
  type Vocabulary,
} from '../../lang/conditions.ts';
import { EVENT_VOCABULARY } from '../../lang/event-vocabulary.ts';
import type { Json } from '../../lang/json.ts';
import { FACTS } from '../facts/index.ts';
import type { Problem } from './problems.ts';

function vocabulary(with_text: boolean): Vocabulary {
  const facts: Vocabulary = {
    names: new Map(
      FACTS.filter((fact) => with_text || !fact.is_from_text).map(({ name, type, about, fields }) => [
        name,
        { type, about, ...(fields ? { fields } : {}) },
      ]),
    ),
    functions: new Map(),
    refused: new Map(
      FACTS.filter((fact) => !with_text && fact.is_from_text).map((fact) => [
        fact.name,
        'it depends on free text, which the judged agent can write; what lowers a score reads structured fields only',
      ]),
    ),
  };
  return mergeVocabularies(facts, EVENT_VOCABULARY);
}

/** For a rule that raises the score: event fields and all facts. */
export const RAISING: Vocabulary = vocabulary(true);
/** For whatever may lower it: nothing that the judged party can write as text. */
export const LOWERING: Vocabulary = vocabulary(false);

/**
 * How the conditions of a policy are read: strictly when it is written; leniently when it was stored, because a name that
 * has gone since must not make a policy, and every event of its customer, unreadable.
 */
export type Reading = 'written' | 'stored';

const NEVER = compileCondition('1 > 2', LOWERING);

/** What a stored condition means once it no longer compiles: never true, and said to be so by a flag. */
const unevaluable = (source: string): Condition => ({
  ...NEVER,
  source,
  test: (env) => {
    env.unevaluable = true;
    return false;
  },
});

/** The compiled condition, or `null` and a problem. */
export function readCondition(
  source: Json | undefined,
  words: Vocabulary,
  reading: Reading,
  path: string,
  problems: Problem[],
): Condition | null {
  try {
    return compileCondition(source, words);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (reading === 'stored' && typeof source === 'string') return unevaluable(source);
    problems.push({ path, message: error.message });
    return null;
  }
}
