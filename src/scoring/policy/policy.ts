/**
 * A customer's policy: checked and compiled once per version. A field that is a list has a row in `LISTS`; a field with a
 * shape of its own has a file in `policy/` that reads it.
 */

import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { parseActionPattern } from '../../lang/patterns.ts';
import type { Knowledge } from '../knowledge.ts';
import type { CompiledPolicy, NamedPattern, RuleOverride } from '../types.ts';
import { readApprovals } from './approvals.ts';
import type { Reading } from './conditions.ts';
import { readCustomRules } from './custom-rules.ts';
import { readDomains } from './domains.ts';
import { actionPattern, anyName, concreteAction, type ReadField } from './fields.ts';
import { readHoldThreshold } from './hold-threshold.ts';
import { readLlmRelief } from './llm-relief.ts';
import { readMode } from './mode.ts';
import { readOverrides } from './overrides.ts';
import { PolicyError, type Problem, pointer } from './problems.ts';
import { NO_PROFILE, readProfile } from './profile.ts';

export { PolicyError, type Problem } from './problems.ts';

const LISTS: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ['sensitive_fields', anyName],
  ['allowed_tools', anyName],
  ['blocked_actions', concreteAction],
  ['allowed_action_patterns', actionPattern],
  ['blocked_action_patterns', actionPattern],
  ['sensitive_classifications', anyName],
  ['observed_agents', anyName],
  ['observed_api_keys', anyName],
]);
const FIELDS: readonly string[] = [
  ...LISTS.keys(),
  'custom_rules',
  'rule_overrides',
  'profile',
  'internal_domains',
  'hold_threshold',
  'llm_relief',
  'mode',
  'approvals',
];

const NO_OVERRIDES: ReadonlyMap<string, RuleOverride> = new Map();

/** Names that a policy may refer to: built-in rules, frameworks, sectors. */
export type PolicyTerms = Pick<Knowledge, 'rule_by_id' | 'ontology'>;

/**
 * Checks and compiles the fields of specification 2.7 and our own (`rule_overrides`, `profile`, `internal_domains`,
 * `hold_threshold`, `llm_relief`, `mode`, `observed_agents`, `observed_api_keys`, `approvals`).
 *
 * @param is_taken whether a name belongs to a built-in rule
 * @param terms rules, frameworks and sectors that exist; `null` to accept every name
 * @throws PolicyError with every problem found: unknown fields (a misspelt `blocked_action` must not pass silently), wrong
 * types, malformed actions and patterns, conditions that do not compile, rules and frameworks that do not exist
 */
export function compilePolicy(
  policies: unknown,
  version: number,
  is_taken: (name: string) => boolean,
  terms: PolicyTerms | null = null,
): CompiledPolicy {
  return compile(policies, version, is_taken, terms, 'written');
}

/**
 * Compiles a policy that was checked when it was written. Names that the product has since renamed or removed do not make
 * it unreadable: a condition that no longer compiles is unevaluable, and the override of a removed rule has no effect.
 */
export const compileStoredPolicy = (policies: JsonObject, version: number): CompiledPolicy =>
  compile(policies, version, () => false, null, 'stored');

function compile(
  policies: unknown,
  version: number,
  is_taken: (name: string) => boolean,
  terms: PolicyTerms | null,
  reading: Reading,
): CompiledPolicy {
  if (!isObject(policies)) throw new PolicyError([{ path: '', message: 'a policy is an object with policy fields' }]);
  const given = policies as JsonObject;
  const problems: Problem[] = [];
  const normal = normalForm(given, problems);
  const ontology = terms?.ontology ?? null;
  const rules = terms?.rule_by_id ?? null;
  const field = <T>(name: string, absent: T, read: (value: Json) => T): T =>
    given[name] === undefined ? absent : read(given[name]);
  const custom_rules = field('custom_rules', [], (value) => readCustomRules(value, is_taken, reading, problems));
  const rule_overrides = field('rule_overrides', NO_OVERRIDES, (value) =>
    readOverrides(value, rules, reading, problems),
  );
  const profile = field('profile', NO_PROFILE, (value) => readProfile(value, ontology, problems));
  const domains = field('internal_domains', [], (value) =>
    readDomains(value, pointer('internal_domains'), problems, ontology),
  );
  const hold_threshold = field('hold_threshold', null, (value) => readHoldThreshold(value, problems));
  const llm_relief = field('llm_relief', 0, (value) => readLlmRelief(value, problems));
  const everything = field('mode', false, (value) => readMode(value, problems) === 'observe');
  const approvals = field('approvals', [], (value) => readApprovals(value, problems));
  if (given['internal_domains'] !== undefined) normal['internal_domains'] = domains;
  if (problems.length > 0) throw new PolicyError(problems);
  return {
    version,
    policies: normal,
    custom_rules,
    rule_overrides,
    profile,
    internal_domains: new Set(domains),
    hold_threshold,
    llm_relief,
    observed: {
      everything,
      agents: new Set(normal['observed_agents'] as string[] | undefined),
      api_keys: new Set(normal['observed_api_keys'] as string[] | undefined),
    },
    approvals,
    ...compileLists(normal),
  };
}

/** Lists in normal form; all other fields as written. */
function normalForm(given: JsonObject, problems: Problem[]): JsonObject {
  const normal: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (FIELDS.includes(name)) normal[name] = LISTS.get(name)?.(value, pointer(name), problems) ?? value;
    else
      problems.push({
        path: pointer(name),
        message: `is not a policy field; the fields are ${FIELDS.join(', ')}`,
      });
  }
  return normal;
}

type Lists = Omit<
  CompiledPolicy,
  | 'version'
  | 'policies'
  | 'custom_rules'
  | 'rule_overrides'
  | 'profile'
  | 'internal_domains'
  | 'hold_threshold'
  | 'llm_relief'
  | 'observed'
  | 'approvals'
>;

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

/** The policy of a customer without one: nothing blocked, no lists, no rules. */
export const NO_POLICY: CompiledPolicy = compilePolicy({}, 0, () => false);
