/** The policy field `rule_overrides`: changes to built-in rules. */
import type { Condition } from '../../lang/conditions/conditions.ts';
import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { suggest } from '../../lang/suggest.ts';
import type { Rule } from '../rules/rules.ts';
import type { RuleOverride } from '../types.ts';
import { LOWERING, type Reading, readCondition } from './conditions.ts';
import { type Problem, pointer } from './problems.ts';

const MAX_OVERRIDES = 500;
const MAX_EXCEPTIONS = 20;
/** Most exceptions in one policy: each is compiled when the policy is written and when it is loaded. */
const MAX_ALL_EXCEPTIONS = 400;
const MAX_REASON = 2_000;
const OVERRIDE_FIELDS = ['enabled', 'contribution', 'floor', 'exceptions', 'reason'];

export type BuiltInRules = ReadonlyMap<string, Rule>;

/**
 * Whether a rule enforces the customer's own policy. Such a rule cannot be overridden: one field of a policy must not
 * silently undo another.
 */
export const isFixed = ({ family, floor }: { family: string; floor: number }): boolean =>
  family === 'policy' && floor > 0;

/**
 * Overrides by rule id.
 *
 * @param rules all built-in rules; `null` to accept every id, because the override of a removed rule has no effect
 */
export function readOverrides(
  value: Json,
  rules: BuiltInRules | null,
  reading: Reading,
  problems: Problem[],
): ReadonlyMap<string, RuleOverride> {
  const overrides = new Map<string, RuleOverride>();
  const path = pointer('rule_overrides');
  if (!isObject(value)) {
    problems.push({ path, message: 'must be an object from rule id to what changes about the rule' });
    return overrides;
  }
  const ids = Object.keys(value);
  if (ids.length > MAX_OVERRIDES) {
    problems.push({ path, message: `has ${ids.length} entries; at most ${MAX_OVERRIDES} are allowed` });
    return overrides;
  }
  if (ids.reduce((sum, id) => sum + exceptionsIn(value[id]!), 0) > MAX_ALL_EXCEPTIONS) {
    problems.push({ path, message: `has more than ${MAX_ALL_EXCEPTIONS} exceptions in total` });
    return overrides;
  }
  for (const id of ids) {
    if (rules !== null) checkRule(id, rules, problems);
    const override = readOverride(pointer('rule_overrides', id), value[id]!, reading, problems);
    if (override !== null) overrides.set(id, override);
  }
  return overrides;
}

function exceptionsIn(override: Json): number {
  const list = isObject(override) ? override['exceptions'] : undefined;
  return Array.isArray(list) ? list.length : 0;
}

function checkRule(id: string, rules: BuiltInRules, problems: Problem[]): void {
  const path = pointer('rule_overrides', id);
  const rule = rules.get(id);
  if (rule === undefined) {
    const message = `\`${id.slice(0, 100)}\` is not a built-in rule${nearest(id, rules)}; \`weir rules list\` lists all of them`;
    problems.push({ path, message });
  } else if (isFixed({ family: rule.document.family, floor: rule.floor })) {
    problems.push({
      path,
      message: `\`${id}\` enforces this policy's own lists and cannot be overridden; change the lists`,
    });
  }
}

/** Suggests a rule by its code in the catalogue (`INJ-01`), otherwise by spelling. */
function nearest(id: string, rules: BuiltInRules): string {
  const by_code = [...rules.values()].find((rule) => rule.document.code.toLowerCase() === id.toLowerCase());
  return by_code === undefined ? suggest(id, rules.keys()) : `; did you mean \`${by_code.id}\`?`;
}

function readOverride(path: string, value: Json, reading: Reading, problems: Problem[]): RuleOverride | null {
  if (!isObject(value) || Object.keys(value).length === 0) {
    problems.push({ path, message: `must be an object with one or more of ${OVERRIDE_FIELDS.join(', ')}` });
    return null;
  }
  for (const key of Object.keys(value)) {
    if (OVERRIDE_FIELDS.includes(key)) continue;
    const message = `is not a field of an override${suggest(key, OVERRIDE_FIELDS)}; it has ${OVERRIDE_FIELDS.join(', ')}`;
    problems.push({ path: `${path}${pointer(key)}`, message });
  }
  const { enabled, reason } = value;
  if (enabled !== undefined && typeof enabled !== 'boolean')
    problems.push({ path: `${path}/enabled`, message: 'must be true or false' });
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MAX_REASON))
    problems.push({ path: `${path}/reason`, message: `must be a string of at most ${MAX_REASON} characters` });
  return {
    is_enabled: enabled !== false,
    contribution: readPoints(value, 'contribution', path, problems),
    floor: readPoints(value, 'floor', path, problems),
    exceptions: readExceptions(value['exceptions'], `${path}/exceptions`, reading, problems),
  };
}

/** `null` if the rule's own number stays in force. */
function readPoints(
  value: JsonObject,
  field: 'contribution' | 'floor',
  path: string,
  problems: Problem[],
): number | null {
  const points = value[field];
  if (points === undefined) return null;
  if (typeof points === 'number' && Number.isInteger(points) && points >= 0 && points <= 100) return points;
  problems.push({ path: `${path}/${field}`, message: 'must be an integer from 0 to 100' });
  return null;
}

function readExceptions(value: Json | undefined, path: string, reading: Reading, problems: Problem[]): Condition[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_EXCEPTIONS) {
    problems.push({ path, message: `must be a list of at most ${MAX_EXCEPTIONS} conditions` });
    return [];
  }
  return value.flatMap((source, i) => readCondition(source, LOWERING, reading, `${path}/${i}`, problems) ?? []);
}
