/** What a condition in a policy may read, and compiling one with its place in the policy. */
import {
  type Condition,
  ConditionError,
  compileCondition,
  mergeVocabularies,
  type Vocabulary,
} from '../../lang/conditions/conditions.ts';
import { EVENT_VOCABULARY } from '../../lang/conditions/event-vocabulary.ts';
import type { Json } from '../../lang/json.ts';
import { FACTS, type Fact } from '../facts/index.ts';
import type { Problem } from './problems.ts';
import { forgeries } from './relief.ts';

/**
 * How the conditions of a policy are read: strictly when it is written; leniently when it was stored, because a fact that
 * the product has since removed or made internal must not make a policy, and every event of its customer, unreadable.
 */
export type Reading = 'written' | 'stored';

/** What a condition may read, by the way its policy is read. */
export type Words = Readonly<Record<Reading, Vocabulary>>;

/** Why a condition may not read a fact; `null` if it may. */
type Refusal = (fact: Fact) => string | null;

const whenInternal: Refusal = ({ is_public, nearest }) =>
  is_public
    ? null
    : `it is internal to the built-in rules and may change between releases; read \`${nearest}\` instead (docs/facts.md lists all public facts)`;

const whenFromText: Refusal = ({ is_from_text }) =>
  is_from_text
    ? 'it depends on free text, which the judged agent can write; a condition that lowers a score reads structured fields only'
    : null;

/** The fields of an event, and every fact that no refusal meets. */
function vocabulary(...refusals: readonly Refusal[]): Vocabulary {
  const names: [string, Fact][] = [];
  const refused: [string, string][] = [];
  for (const fact of FACTS) {
    const reason = refusals.map((refusal) => refusal(fact)).find((one) => one !== null);
    if (reason === undefined) names.push([fact.name, fact]);
    else refused.push([fact.name, reason]);
  }
  const facts: Vocabulary = {
    names: new Map(
      names.map(([name, { type, about, fields }]) => [name, { type, about, ...(fields ? { fields } : {}) }]),
    ),
    functions: new Map(),
    refused: new Map(refused),
  };
  return mergeVocabularies(facts, EVENT_VOCABULARY);
}

/** For a rule that raises the score: the fields of an event and public facts. */
export const RAISING: Words = { written: vocabulary(whenInternal), stored: vocabulary() };
/** For whatever may lower the score: the same without facts that the judged party can write as text. */
export const LOWERING: Words = { written: vocabulary(whenFromText, whenInternal), stored: vocabulary(whenFromText) };

const NEVER = compileCondition('1 > 2', LOWERING.stored);

const NONE: readonly string[] = [];

/** A stored condition that no longer compiles, or that the judged party could make true: it is never true, and a flag says so. */
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
  words: Words,
  reading: Reading,
  path: string,
  problems: Problem[],
): Condition | null {
  try {
    const condition = compileCondition(source, words[reading]);
    const forged = words === LOWERING ? forgeries(condition) : NONE;
    if (forged.length === 0) return condition;
    if (reading === 'stored') return unevaluable(condition.source);
    problems.push(...forged.map((message) => ({ path, message })));
    return null;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    if (reading === 'stored' && typeof source === 'string') return unevaluable(source);
    problems.push({ path, message: error.message });
    return null;
  }
}
