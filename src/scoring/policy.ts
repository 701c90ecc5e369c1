/**
 * A customer's policy: checked and compiled once per version. One row per field; to add a field, add a row to `FIELDS`
 * and a fact that reads it.
 */
import {
  type Condition,
  ConditionError,
  compileCondition,
  mergeVocabularies,
  type Vocabulary,
} from '../lang/conditions.ts';
import { EVENT_VOCABULARY } from '../lang/event-vocabulary.ts';
import { normaliseAction, normaliseActionPattern, parseActionPattern } from '../lang/patterns.ts';
import { FACTS } from './facts.ts';
import type { CompiledPolicy, CustomRule, Json, JsonObject, NamedPattern } from './types.ts';

const MAX_ENTRIES = 1_000;
const MAX_RULES = 200;
const MAX_NAME = 128;
const MAX_TEXT = 2_000;
const IMPACT = 100;

export interface Problem {
  /** JSON pointer into the policy: `/custom_rules/night_delete/condition`. */
  path: string;
  message: string;
}

/** A policy that does not compile; the one in force stays. */
export class PolicyError extends Error {
  override name = 'PolicyError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '));
    this.problems = problems;
  }
}

/** RFC 6901. */
const pointer = (...segments: string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Reads one field: pushes problems, returns the normal form. */
type ReadField = (value: Json, path: string, problems: Problem[]) => Json;

function strings(one: (text: string) => string | { problem: string }): ReadField {
  return (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ path, message: 'must be a list of strings' });
      return [];
    }
    if (value.length > MAX_ENTRIES) {
      problems.push({ path, message: `has ${value.length} entries; at most ${MAX_ENTRIES} are allowed` });
      return [];
    }
    return value.flatMap((entry, i) => {
      const at = `${path}/${i}`;
      const read =
        typeof entry === 'string' && entry.length <= MAX_NAME * 2
          ? one(entry)
          : { problem: `must be a string of at most ${MAX_NAME * 2} characters` };
      if (typeof read === 'string') return [read];
      problems.push({ path: at, message: read.problem });
      return [];
    });
  };
}

const anyName = strings((text) => (text.trim() === '' ? { problem: 'must not be empty' } : text));

const concreteAction = strings((text) => {
  const action = normaliseAction(text);
  if (action !== null) return action;
  const hint = text.includes('*') ? 'put patterns into `blocked_action_patterns`' : 'write `domain:scope:verb`';
  return { problem: `\`${text}\` is not an action; ${hint}` };
});

const actionPattern = strings((text) => {
  if (normaliseActionPattern(text) !== null) return text.toLowerCase();
  return {
    problem: `\`${text}\` is not an action pattern; write three segments, each a name or \`*\`, such as \`github:*:read\``,
  };
});

const FIELDS: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ['sensitive_fields', anyName],
  ['allowed_tools', anyName],
  ['blocked_actions', concreteAction],
  ['allowed_action_patterns', actionPattern],
  ['blocked_action_patterns', actionPattern],
  ['sensitive_classifications', anyName],
]);
const RULE_FIELDS = new Set(['condition', 'score_impact', 'description']);

/** What a customer's condition may read; text-dependent facts only where the rule raises the score. */
function vocabularies(): { any: Vocabulary; without_text: Vocabulary } {
  const build = (with_text: boolean): Vocabulary => ({
    names: new Map(
      FACTS.filter((fact) => with_text || !fact.is_from_text).map(({ name, type, about, fields }) => [
        name,
        { type, about, ...(fields ? { fields } : {}) },
      ]),
    ),
    functions: new Map(),
  });
  return {
    any: mergeVocabularies(build(true), EVENT_VOCABULARY),
    without_text: mergeVocabularies(build(false), EVENT_VOCABULARY),
  };
}
const VOCABULARY = vocabularies();

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readRule(
  name: string,
  rule: Json,
  is_taken: (name: string) => boolean,
  problems: Problem[],
): CustomRule | null {
  const path = pointer('custom_rules', name.slice(0, MAX_NAME));
  const before = problems.length;
  if (name.length > MAX_NAME || name.trim() === '' || /[\u0000-\u001f\u007f]/.test(name)) {
    problems.push({ path, message: `a rule's name has 1 to ${MAX_NAME} printable characters` });
  }
  if (is_taken(name)) problems.push({ path, message: `\`${name}\` is the name of a built-in rule; choose another` });
  if (!isObject(rule)) {
    problems.push({ path, message: 'must be an object with `condition`, `score_impact` and `description`' });
    return null;
  }
  for (const key of Object.keys(rule)) {
    if (!RULE_FIELDS.has(key))
      problems.push({
        path: pointer('custom_rules', name.slice(0, MAX_NAME), key),
        message: 'is not a field of a custom rule; it has `condition`, `score_impact` and `description`',
      });
  }
  const { condition, score_impact, description } = rule;
  const is_impact =
    typeof score_impact === 'number' && Number.isInteger(score_impact) && Math.abs(score_impact) <= IMPACT;
  if (!is_impact)
    problems.push({ path: `${path}/score_impact`, message: `must be an integer from -${IMPACT} to ${IMPACT}` });
  if (description !== undefined && (typeof description !== 'string' || description.length > MAX_TEXT)) {
    problems.push({ path: `${path}/description`, message: `must be a string of at most ${MAX_TEXT} characters` });
  }
  const compiled = readCondition(condition, is_impact && score_impact < 0, `${path}/condition`, problems);
  if (compiled === null || problems.length > before) return null;
  return {
    name,
    condition: compiled,
    score_impact: score_impact as number,
    description: (description as string | undefined) ?? '',
  };
}

function readCondition(
  source: Json | undefined,
  is_lowering: boolean,
  path: string,
  problems: Problem[],
): Condition | null {
  try {
    return compileCondition(source, is_lowering ? VOCABULARY.without_text : VOCABULARY.any);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    problems.push({ path, message: error.message });
    return null;
  }
}

function readRules(value: Json, is_taken: (name: string) => boolean, problems: Problem[]): CustomRule[] {
  if (!isObject(value)) {
    problems.push({ path: '/custom_rules', message: 'must be an object from rule name to rule' });
    return [];
  }
  const names = Object.keys(value);
  if (names.length > MAX_RULES) {
    problems.push({ path: '/custom_rules', message: `has ${names.length} rules; at most ${MAX_RULES} are allowed` });
    return [];
  }
  // Sorted by name, so that the order in which a customer wrote them cannot show.
  return names.sort().flatMap((name) => readRule(name, value[name]!, is_taken, problems) ?? []);
}

/**
 * Checks and compiles the policy fields of specification 2.7. Throws `PolicyError` with every problem found: unknown
 * fields (a misspelt `blocked_action` must not pass silently), wrong types, malformed actions and patterns, rules whose
 * condition does not compile.
 *
 * @param is_taken tells whether a name belongs to a built-in rule.
 */
export function compilePolicy(policies: unknown, version: number, is_taken: (name: string) => boolean): CompiledPolicy {
  const problems: Problem[] = [];
  if (!isObject(policies as Json))
    throw new PolicyError([{ path: '', message: 'a policy is an object with policy fields' }]);
  const given = policies as JsonObject;
  const normal: JsonObject = {};
  let custom_rules: CustomRule[] = [];
  for (const [name, value] of Object.entries(given)) {
    const read = FIELDS.get(name);
    if (read !== undefined) normal[name] = read(value, pointer(name), problems);
    else if (name === 'custom_rules') {
      custom_rules = readRules(value, is_taken, problems);
      normal[name] = value;
    } else
      problems.push({
        path: pointer(name),
        message: `is not a policy field; the fields are ${[...FIELDS.keys(), 'custom_rules'].join(', ')}`,
      });
  }
  if (problems.length > 0) throw new PolicyError(problems);
  return { version, policies: normal, custom_rules, ...compileLists(normal) };
}

type Lists = Omit<CompiledPolicy, 'version' | 'policies' | 'custom_rules'>;

function compileLists(policies: JsonObject): Lists {
  const list = (name: string): string[] => (policies[name] as string[] | undefined) ?? [];
  const lower = (name: string): Set<string> => new Set(list(name).map((text) => text.toLowerCase()));
  const patterns = (name: string): NamedPattern[] =>
    list(name).map((text) => ({ text, pattern: parseActionPattern(text)! }));
  return {
    blocked_actions: new Set(list('blocked_actions')),
    blocked_patterns: patterns('blocked_action_patterns'),
    allowed_patterns: patterns('allowed_action_patterns'),
    allowed_tools: new Set(list('allowed_tools')),
    sensitive_fields: lower('sensitive_fields'),
    sensitive_classifications: lower('sensitive_classifications'),
  };
}

/** The policy of a customer who never wrote one: nothing blocked, nothing listed, no rules. */
export const NO_POLICY: CompiledPolicy = compilePolicy({}, 0, () => false);
