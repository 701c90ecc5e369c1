/**
 * What was held, and what would have been held, in the last days: by reason and action, with those that look like false alarms,
 * and for each the smallest change of the policy that lets it pass. Every change is tried: the engine scores the stored evidence
 * again under the changed policy.
 */

import { setImmediate } from 'node:timers/promises';
import { counted } from '../lang/english.ts';
import type { JsonObject } from '../lang/json.ts';
import { matchesAction, parseAction, parseActionPattern } from '../lang/patterns.ts';
import { type HoldState, holdStates } from '../records/hold.ts';
import type { StoredScore } from '../records/record.ts';
import { outlineOf } from '../records/views.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { isHeldAt, LEVELS, levelOf } from '../scoring/level.ts';
import { extentOf } from '../scoring/outline.ts';
import { compilePolicy, PolicyError } from '../scoring/policy/policy.ts';
import { score } from '../scoring/score.ts';
import type { CompiledPolicy, RiskLevel } from '../scoring/types.ts';
import type { ScoreSearch, ScoreStore } from '../storage/ports/storage.ts';

export interface Report {
  customer_id: string;
  /** ISO 8601, UTC. */
  from: string;
  to: string;
  /** Events of each level, lowest first. */
  levels: { level: RiskLevel; count: number }[];
  total: number;
  /** Events that would have been held and were only observed. */
  would_have_held: number;
  /** Events that were held, by their state now. */
  held: Record<HoldState, number>;
  /** Largest first. */
  groups: ReportGroup[];
  /** Held or observed events that were looked at; the newest `MOST_EVENTS`. */
  looked_at: number;
}

/** Events with the same first reason and the same action. */
export interface ReportGroup {
  rule: string;
  /** The sentence of the newest event. */
  reason: string;
  action: string;
  events: number;
  observed: number;
  approved: number;
  rejected: number;
  highest_score: number;
  agents: string[];
  users: string[];
  sessions: number;
  example: string;
  /** Why it looks like a false alarm; null: it does not. */
  false_alarm: string | null;
  /** Null: no change that was tried lets it pass. */
  change: PolicyChange | null;
}

export interface PolicyChange {
  text: string;
  /** Fields to merge into the policy. */
  policy: JsonObject;
  /** The highest score of the tried events, before and after. */
  before: number;
  after: number;
}

export interface ReportParts {
  scores: Pick<ScoreStore, 'search'>;
  knowledge: Knowledge;
  policy: CompiledPolicy;
  /** `HOLD_THRESHOLD`. */
  threshold: RiskLevel;
}

const MOST_EVENTS = 5_000;
const PAGE = 100;
/** Groups for which changes are tried: each run scores events again. */
const MOST_TRIED = 40;
/** Events of a group that a change must let pass: the newest, which differ most in what came before. */
const SAMPLES = 3;
const MOST_NAMES = 5;
/** From so many events of several sessions on, nobody having objected, a group is routine. */
const ROUTINE_EVENTS = 5;
const ROUTINE_SESSIONS = 3;

export async function makeReport(parts: ReportParts, customer_id: string, from: string, to: string): Promise<Report> {
  const { scores } = parts;
  const dates = { from_date: from, to_date: to };
  const count = async (filter: ScoreSearch['filter']): Promise<number> =>
    (
      await scores.search(customer_id, {
        filter: { ...dates, ...filter },
        order: 'newest',
        from: { page: 1 },
        limit: 1,
      })
    ).total;
  const levels = [];
  for (const level of LEVELS) levels.push({ level, count: await count({ risk_level: level }) });
  const held = {} as Record<HoldState, number>;
  for (const state of holdStates) held[state] = await count({ hold: state });
  const records = await readFlagged(scores, customer_id, dates);
  const groups = groupsOf(records);
  let tried = 0;
  for (const group of groups) {
    if (tried >= MOST_TRIED) break;
    tried += 1;
    group.change = await smallestChange(parts, group);
  }
  return {
    customer_id,
    from,
    to,
    levels,
    total: levels.reduce((sum, one) => sum + one.count, 0),
    would_have_held: await count({ would_hold: true }),
    held,
    groups: groups.map(({ records: _, ...group }) => group),
    looked_at: records.length,
  };
}

/** Observed and held events, newest first in each kind. */
async function readFlagged(
  scores: ReportParts['scores'],
  customer_id: string,
  dates: { from_date: string; to_date: string },
): Promise<StoredScore[]> {
  const records: StoredScore[] = [];
  for (const filter of [{ would_hold: true }, ...holdStates.map((hold) => ({ hold }))]) {
    let from: ScoreSearch['from'] = { page: 1 };
    while (records.length < MOST_EVENTS) {
      const page = await scores.search(customer_id, {
        filter: { ...dates, ...filter },
        order: 'newest',
        from,
        limit: PAGE,
      });
      records.push(...page.records);
      if (page.next === null) break;
      from = { after: page.next };
    }
  }
  return records.slice(0, MOST_EVENTS);
}

type OpenGroup = ReportGroup & { records: StoredScore[] };

function groupsOf(records: readonly StoredScore[]): OpenGroup[] {
  const groups = Map.groupBy(records, (record) => `${record.assessment.violations[0] ?? ''}\n${record.event.action}`);
  return [...groups.values()].map(groupOf).sort((a, b) => b.events - a.events || b.highest_score - a.highest_score);
}

function groupOf(records: readonly StoredScore[]): OpenGroup {
  const newest = records[0]!;
  const outlines = records.map(outlineOf);
  const names = (of: 'agent_id' | 'user_id' | 'session_id') => [
    ...new Set(outlines.map((outline) => outline[of]).filter((name) => name !== null)),
  ];
  const inState = (state: HoldState): number => records.filter(({ hold }) => hold?.state === state).length;
  const { action, first_reason } = outlines[0]!;
  const group = {
    rule: first_reason?.rule ?? '',
    reason: first_reason?.text ?? newest.assessment.reasoning,
    action,
    events: records.length,
    observed: records.filter(({ would_hold }) => would_hold).length,
    approved: inState('approved'),
    rejected: inState('rejected'),
    highest_score: Math.max(...records.map(({ assessment }) => assessment.score)),
    agents: names('agent_id').slice(0, MOST_NAMES),
    users: names('user_id').slice(0, MOST_NAMES),
    sessions: names('session_id').length,
    example: newest.event_id,
    change: null,
    records: [...records],
  };
  return { ...group, false_alarm: falseAlarm(group) };
}

/** Signs that people would let it pass. None of them says that it is harmless. */
function falseAlarm(group: Omit<OpenGroup, 'false_alarm'>): string | null {
  const { approved, rejected, events, sessions, highest_score } = group;
  if (rejected > 0) return null;
  if (approved > 0) return `${approved} of ${events} ${approved === 1 ? 'was' : 'were'} approved, none rejected`;
  const is_routine = events >= ROUTINE_EVENTS && sessions >= ROUTINE_SESSIONS;
  if (is_routine && levelOf(highest_score) !== 'critical')
    return `routine: ${events} times in ${counted(sessions, 'session')}, never critical`;
  return null;
}

type Proposal = Pick<PolicyChange, 'text' | 'policy'>;

/** Smallest first: what blocks the action, one action out of some rules, a rule, the threshold. */
function proposalsFor(parts: ReportParts, group: OpenGroup): Proposal[] {
  const { policies } = parts.policy;
  const { action } = group;
  const unblocked = unblock(policies, action);
  const and = ({ text, policy }: Proposal): Proposal =>
    unblocked === null
      ? { text, policy }
      : { text: `${unblocked.text} and ${text}`, policy: { ...unblocked.policy, ...policy } };
  const overrides = (policies['rule_overrides'] ?? {}) as JsonObject;
  const changed = (names: readonly string[], override: (known: JsonObject) => JsonObject): JsonObject => ({
    rule_overrides: {
      ...overrides,
      ...Object.fromEntries(names.map((name) => [name, override((overrides[name] ?? {}) as JsonObject)])),
    },
  });
  const except = (known: JsonObject): JsonObject => ({
    ...known,
    exceptions: [...((known['exceptions'] as string[] | undefined) ?? []), `action == "${action}"`],
  });
  const violated = [...new Set(group.records.slice(0, SAMPLES).flatMap(({ assessment }) => assessment.violations))];
  const rules = violated.filter((rule) => compiled(parts, changed([rule], except)) !== null).slice(0, MOST_RULES);
  const exceptions = rules.map((_, index): Proposal => {
    const names = rules.slice(0, index + 1);
    return {
      text: `except \`${action}\` from ${names.map((name) => `\`${name}\``).join(', ')}`,
      policy: changed(names, except),
    };
  });
  const threshold: Proposal = { text: 'hold from `critical` on only', policy: { hold_threshold: 'critical' } };
  const off = rules.slice(0, 1).map(
    (rule): Proposal => ({
      text: `switch \`${rule}\` off`,
      policy: changed([rule], (known) => ({ ...known, enabled: false })),
    }),
  );
  return [...(unblocked === null ? [] : [unblocked]), ...[...exceptions, ...off, threshold].map(and)];
}

/** Rules of one change: more are no small change. */
const MOST_RULES = 4;

/** Null where the policy does not block the action. */
function unblock(policies: JsonObject, action: string): Proposal | null {
  const list = (name: string): string[] => (policies[name] as string[] | undefined) ?? [];
  const parsed = parseAction(action)!;
  const blocking = {
    blocked_actions: list('blocked_actions').filter((one) => one === action),
    blocked_action_patterns: list('blocked_action_patterns').filter((one) =>
      matchesAction(parseActionPattern(one)!, parsed),
    ),
  };
  const used = Object.entries(blocking).filter(([, found]) => found.length > 0);
  if (used.length === 0) return null;
  return {
    text: used
      .map(([name, found]) => `take ${found.map((one) => `\`${one}\``).join(' and ')} out of \`${name}\``)
      .join(' and '),
    policy: Object.fromEntries(used.map(([name, found]) => [name, list(name).filter((one) => !found.includes(one))])),
  };
}

/** The policy with these fields, as the service would accept it; null where it would not. */
function compiled({ policy, knowledge }: ReportParts, fields: JsonObject): CompiledPolicy | null {
  try {
    return compilePolicy(
      { ...policy.policies, ...fields },
      policy.version,
      (name) => knowledge.rule_by_id.has(name),
      knowledge,
    );
  } catch (error) {
    if (error instanceof PolicyError) return null;
    throw error;
  }
}

async function smallestChange(parts: ReportParts, group: OpenGroup): Promise<PolicyChange | null> {
  const { policy, threshold } = parts;
  const samples = group.records.filter(({ lost }) => lost === undefined).slice(0, SAMPLES);
  if (samples.length === 0) return null;
  const highest = (under: CompiledPolicy): number =>
    Math.max(...samples.map((record) => scoreUnder(parts, record, under)));
  const isHeld = (points: number, under: CompiledPolicy): boolean =>
    isHeldAt(levelOf(points), under.hold_threshold ?? threshold);
  const before = highest(policy);
  if (!isHeld(before, policy)) {
    return { text: 'none: by the rules and the policy in force now it passes', policy: {}, before, after: before };
  }
  for (const proposal of proposalsFor(parts, group)) {
    await setImmediate();
    const changed = compiled(parts, proposal.policy);
    if (changed === null) continue;
    const after = highest(changed);
    if (!isHeld(after, changed)) return { ...proposal, before, after };
  }
  return null;
}

const scoreUnder = (
  { knowledge }: ReportParts,
  { event, past, assessment }: StoredScore,
  policy: CompiledPolicy,
): number => score(event, past?.history ?? null, policy, knowledge, extentOf(assessment)).score;
