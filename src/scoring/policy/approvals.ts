/** The policy field `approvals`: who may decide about held events of which level, and how many of them it takes. */

import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { suggest } from '../../lang/suggest.ts';
import { LEVELS } from '../level.ts';
import type { ApprovalGroup, ApprovalRule, RiskLevel } from '../types.ts';
import { type Problem, pointer } from './problems.ts';

const FIELDS = ['levels', 'by', 'people', 'not_own', 'needs_reason', 'escalate'];
/** Roles of people who decide (`people/roles.ts`); anything else in a group is an email. */
const DECIDING_ROLES = ['approver', 'admin'];
const MAX_RULES = 20;
const MAX_GROUP = 100;
const MAX_PEOPLE = 5;
/** A year. */
const MAX_MINUTES = 525_600;

/** The rules in their order: the first that has the level of an event applies to it. Pushes what is wrong. */
export function readApprovals(value: Json, problems: Problem[]): ApprovalRule[] {
  if (!Array.isArray(value) || value.length > MAX_RULES) {
    problems.push({ path: pointer('approvals'), message: `must be a list of at most ${MAX_RULES} rules` });
    return [];
  }
  return value.map((one, at) => readRule(one, String(at), problems));
}

function readRule(value: Json, at: string, problems: Problem[]): ApprovalRule {
  const rule: JsonObject = isObject(value) ? value : {};
  const problem = (message: string, ...names: string[]): void =>
    void problems.push({ path: pointer('approvals', at, ...names), message });
  if (!isObject(value)) problem(`must be an object with any of ${FIELDS.join(', ')}`);
  for (const name of Object.keys(rule))
    if (!FIELDS.includes(name))
      problem(`is not a field of a rule${suggest(name, FIELDS)}; it has ${FIELDS.join(', ')}`, name);
  const { levels, by, people = 1, not_own = false, needs_reason = false, escalate } = rule;
  if (!isWhole(people, 1, MAX_PEOPLE)) problem(`must be a whole number from 1 to ${MAX_PEOPLE}`, 'people');
  if (typeof not_own !== 'boolean') problem('must be true or false', 'not_own');
  if (typeof needs_reason !== 'boolean') problem('must be true or false', 'needs_reason');
  return {
    levels: readLevels(levels, at, problems),
    by: by === undefined ? null : readGroup(by, [at, 'by'], problems),
    people: people as number,
    not_own: not_own === true,
    needs_reason: needs_reason === true,
    escalation: escalate === undefined ? null : readEscalation(escalate, at, problems),
  };
}

function readLevels(value: Json | undefined, at: string, problems: Problem[]): ReadonlySet<RiskLevel> {
  const known = LEVELS.filter((level) => level !== 'none');
  const levels = known.filter((level) => Array.isArray(value) && value.includes(level));
  if (!Array.isArray(value) || value.length === 0 || levels.length !== new Set(value).size)
    problems.push({
      path: pointer('approvals', at, 'levels'),
      message: `must be a list with any of ${known.join(', ')}`,
    });
  return new Set(levels);
}

function readGroup(value: Json, at: readonly string[], problems: Problem[]): ApprovalGroup {
  const is_list = Array.isArray(value) && value.length > 0 && value.length <= MAX_GROUP;
  const texts = is_list ? value.filter((one) => typeof one === 'string') : [];
  const isKnown = (text: string): boolean => DECIDING_ROLES.includes(text) || text.includes('@');
  if (!is_list || texts.length !== value.length || !texts.every(isKnown)) {
    const message = `must be a list of ${DECIDING_ROLES.join(', ')} and emails of people, of at most ${MAX_GROUP}`;
    problems.push({ path: pointer('approvals', ...at), message });
  }
  return {
    roles: new Set(texts.filter((text) => DECIDING_ROLES.includes(text))),
    emails: new Set(texts.filter((text) => text.includes('@')).map((text) => text.toLowerCase())),
  };
}

function readEscalation(value: Json, at: string, problems: Problem[]): ApprovalRule['escalation'] {
  const { after_minutes, by, ...more } = isObject(value) ? value : ({} as JsonObject);
  if (!isWhole(after_minutes, 1, MAX_MINUTES) || by === undefined || Object.keys(more).length > 0) {
    const message = `must be {after_minutes, by}, with a whole number of minutes from 1 to ${MAX_MINUTES}`;
    problems.push({ path: pointer('approvals', at, 'escalate'), message });
    return null;
  }
  return { after_minutes: after_minutes as number, by: readGroup(by, [at, 'escalate', 'by'], problems) };
}

function isWhole(value: Json | undefined, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}
