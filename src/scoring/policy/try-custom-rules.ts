/** Evaluates the customer's own rules on one event. */
import type { Environment } from '../../lang/conditions/conditions.ts';
import { eventEnvironment } from '../../lang/conditions/event-environment.ts';
import { EVENT_VOCABULARY } from '../../lang/conditions/event-vocabulary.ts';
import { Facts } from '../facts/fact-table.ts';
import { batchSizeOf } from '../read/action/target.ts';
import { Readings } from '../read/readings.ts';
import { show } from '../show.ts';
import type { Evidence, Finding } from '../types.ts';

/** Articles that custom rules cite: enforcing an own policy is itself a control. */
export const CUSTOM_RULE_CITATIONS: readonly string[] = ['NIST_AI_RMF:GOVERN-1.4', 'ISO_42001:A.2.2'];

export interface CustomFindings {
  findings: readonly Finding[];
  /** `rule_unevaluable:<rule>` if an operand was missing or of another type. */
  flags: readonly string[];
}

const NONE: CustomFindings = { findings: [], flags: [] };

/** A value as text, with the keys of objects sorted, so that the order in which they were sent does not matter. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${name}: ${plain(inner)}`).join(', ')}}`;
}

/**
 * The environment of conditions that may lower a score: the event without its free text. Facts that depend on text are
 * refused when a policy is written. Removing the text also covers facts that text reaches indirectly, such as a secret
 * found in the output of a tool.
 */
export function environmentWithoutText(evidence: Evidence, facts: Facts): Environment {
  const { user_context: _request, conversation_history: _messages, ...event } = evidence.event;
  const silent = { ...evidence, event };
  return environmentOf(silent, new Facts(new Readings(silent, facts.readings.ontology)));
}

/** The environment of a customer's condition: fields of the event first, facts for every other name. */
function environmentOf(evidence: Evidence, facts: Facts): Environment {
  const tool_name = evidence.event.mcp_context?.tool_name;
  const event = eventEnvironment(evidence.event, {
    tool_name,
    batch_size: batchSizeOf(facts.readings.event, facts.readings.ontology),
  });
  return {
    unevaluable: false,
    get: (name) => (EVENT_VOCABULARY.names.has(name) ? event.get(name) : facts.get(name)),
  };
}

/**
 * Findings of the customer's rules whose condition holds, in order of their names. A rule that cannot be evaluated sets
 * its flag; if it would lower the score it then does nothing, because the missing value may be the decisive one.
 */
export function customFindings(evidence: Evidence, facts: Facts): CustomFindings {
  const rules = evidence.policy.custom_rules;
  if (rules.length === 0) return NONE;
  const findings: Finding[] = [];
  const flags: string[] = [];
  const all = environmentOf(evidence, facts);
  let silent: Environment | undefined;
  for (const rule of rules) {
    const env = rule.score_impact < 0 ? (silent ??= environmentWithoutText(evidence, facts)) : all;
    env.unevaluable = false;
    env.is_mistyped = false;
    const holds = rule.condition.test(env) || (rule.counts_when_mistyped && env.is_mistyped);
    if (env.unevaluable) flags.push(`rule_unevaluable:${rule.name}`);
    if (!holds || (env.unevaluable && rule.score_impact < 0)) continue;
    findings.push({
      rule: rule.name,
      family: 'custom',
      contribution: rule.score_impact,
      floor: 0,
      confidence: 0.95,
      flag: `custom_rule:${rule.name}`,
      violation: rule.description === '' ? `The customer's rule \`${rule.name}\` holds.` : rule.description,
      citations: rule.score_impact > 0 ? [...CUSTOM_RULE_CITATIONS] : [],
      premises: rule.condition.reads.map((name) => ({
        fact: name,
        value: show(plain(env.get(name)), facts.readings.ontology),
      })),
      evidence: rule.name,
      is_custom: true,
    });
  }
  return { findings, flags };
}
