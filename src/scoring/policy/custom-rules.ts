/** The policy field `custom_rules`. */

import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { layerNames } from '../combine.ts';
import type { CustomRule } from '../types.ts';
import { LOWERING, RAISING, type Reading, readCondition } from './conditions.ts';
import { MAX_NAME, type Problem, pointer } from './problems.ts';

const MAX_RULES = 200;
const MAX_TEXT = 2_000;
const IMPACT = 100;
const LAYERS: ReadonlySet<string> = new Set(Object.values(layerNames));
const RULE_FIELDS = new Set(['condition', 'score_impact', 'description', 'when_mistyped']);

export function readCustomRules(
  value: Json,
  is_taken: (name: string) => boolean,
  reading: Reading,
  problems: Problem[],
): CustomRule[] {
  if (!isObject(value)) {
    problems.push({ path: '/custom_rules', message: 'must be an object from rule name to rule' });
    return [];
  }
  const names = Object.keys(value);
  if (names.length > MAX_RULES) {
    problems.push({ path: '/custom_rules', message: `has ${names.length} rules; at most ${MAX_RULES} are allowed` });
    return [];
  }
  // Sorted by name, so that the order in which the customer wrote them does not matter.
  return names.sort().flatMap((name) => readRule(name, value[name]!, is_taken, reading, problems) ?? []);
}

function readRule(
  name: string,
  rule: Json,
  is_taken: (name: string) => boolean,
  reading: Reading,
  problems: Problem[],
): CustomRule | null {
  const path = pointer('custom_rules', name);
  const before = problems.length;
  if (name.length > MAX_NAME || name.trim() === '' || /[\u0000-\u001f\u007f]/.test(name)) {
    problems.push({ path, message: `a rule's name has 1 to ${MAX_NAME} printable characters` });
  }
  if (is_taken(name)) {
    problems.push({
      path,
      message: `\`${name}\` is the name of a built-in rule; choose another, or change that rule in \`rule_overrides\``,
    });
  }
  if (LAYERS.has(name)) {
    problems.push({ path, message: `\`${name}\` is the name of a layer in \`score_components\`; choose another name` });
  }
  if (!isObject(rule)) {
    problems.push({ path, message: 'must be an object with `condition`, `score_impact` and `description`' });
    return null;
  }
  for (const key of Object.keys(rule)) {
    if (!RULE_FIELDS.has(key))
      problems.push({
        path: pointer('custom_rules', name, key),
        message:
          'is not a field of a custom rule; it has `condition`, `score_impact`, `description` and `when_mistyped`',
      });
  }
  return readFields(name, rule, reading, path, problems, before);
}

function readFields(
  name: string,
  { condition, score_impact, description, when_mistyped = 'ignore' }: JsonObject,
  reading: Reading,
  path: string,
  problems: Problem[],
  before: number,
): CustomRule | null {
  const is_impact =
    typeof score_impact === 'number' && Number.isInteger(score_impact) && Math.abs(score_impact) <= IMPACT;
  if (!is_impact)
    problems.push({ path: `${path}/score_impact`, message: `must be an integer from -${IMPACT} to ${IMPACT}` });
  if (description !== undefined && (typeof description !== 'string' || description.length > MAX_TEXT)) {
    problems.push({ path: `${path}/description`, message: `must be a string of at most ${MAX_TEXT} characters` });
  }
  if (when_mistyped !== 'count' && when_mistyped !== 'ignore') {
    problems.push({ path: `${path}/when_mistyped`, message: 'must be `count` or `ignore`' });
  } else if (when_mistyped === 'count' && is_impact && score_impact < 0) {
    const message =
      'must be `ignore` where `score_impact` is negative: a value that cannot be compared never lowers a score';
    problems.push({ path: `${path}/when_mistyped`, message });
  }
  const words = is_impact && score_impact < 0 ? LOWERING : RAISING;
  const compiled = readCondition(condition, words, reading, `${path}/condition`, problems);
  if (compiled === null || problems.length > before) return null;
  return {
    name,
    condition: compiled,
    score_impact: score_impact as number,
    description: (description as string | undefined) ?? '',
    counts_when_mistyped: when_mistyped === 'count',
  };
}
