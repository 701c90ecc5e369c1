/** Turns the memories of agent and session into the history of one event. */

import type { AgentEvent } from '../../events/event.ts';
import { distinct, inOrder } from '../../lang/in-order.ts';
import { remembering } from '../../lang/remember.ts';
import { parseTimestamp, type Timestamp } from '../../lang/timestamp.ts';
import { HIGH } from '../level.ts';
import { timestampOf } from '../read/action/time.ts';
import type { History, Novelty } from '../types.ts';
import { type Bag, entryOf, LEAST_WAYS } from './bag.ts';
import { elsewhere } from './elsewhere.ts';
import { habitAt, hourOfWeekAt, isOffHours } from './hours.ts';
import type { Actor } from './marks.ts';
import { domainAspect, effectAspect, type Memory } from './memory.ts';
import { rateAt } from './pace.ts';
import { saysSomething } from './says.ts';
import { type ClaimedTime, claimedTimeOf, type Footprint } from './trace.ts';

/** What is remembered; null for what the event does not name. */
export interface Memories {
  agent: Memory | null;
  session: Memory | null;
  /** Of the customer: what its agents left for each other. */
  shared?: Memory | null;
}

/** The event's own time, read once. */
interface Claim extends ClaimedTime {
  time: Timestamp | null;
}

/** With fewer actions the history holds nothing but the earlier actions of the session. */
const LEAST_PAST = 5;
/** Above this share of new things novelty says nothing, as for an agent that opens another record each time. */
const MOST_NOVELTY = 0.5;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;
/** Rule catalogue, VOL-07. */
const LONGEST_LEAD_MS = 300_000;
const LONGEST_SESSION_MS = MS_PER_DAY;
/** A mean over fewer minutes is not the usual pace; fewer actions than these are no burst. */
const LEAST_MINUTES = 5;
const LEAST_BURST = 20;
const LEAST_DRIFT = 8;
const DRIFT_WINDOW = 4;
/** Overlap (Jaccard) at or below which a session has left what it began with. */
const FAR_OVERLAP = 0.25;
const REPEAT_WINDOW = 10;
const NOTHING: readonly string[] = [];
const NOBODY: Actor = { agent: '', session: '', parent: '' };
/** Up to here a search costs less than a set. */
const FEW = 24;
/** A steady past needs days as well as actions, so that an attacker cannot build it quickly. */
const STEADY_ACTIONS = 200;
const STEADY_DAYS = 7;
const STEADY_PEACE_MS = 7 * MS_PER_DAY;

/** The highest step that `value` reaches, 0 below the first. */
const step = (value: number, low: number, high: number): number => (value >= high ? high : value >= low ? low : 0);

/** First seen less than an hour ago, or never: using a thing twice in a row does not make it familiar. */
function isNew(bag: Bag, name: string, now: number): boolean {
  if (bag.entries.length > 0 && bag.novelty >= MOST_NOVELTY) return false;
  const entry = entryOf(bag, name);
  return entry === undefined || (entry[1] > LEAST_WAYS && now - entry[2] < MS_PER_HOUR);
}

function firstSeen(agent: Memory | null, footprint: Footprint, now: number): Novelty[] {
  if (agent === null || agent.n < LEAST_WAYS) return [];
  const found: Novelty[] = [];
  if (isNew(agent.actions, footprint.action, now)) found.push('action');
  if (footprint.resource !== '' && isNew(agent.resources, footprint.resource, now)) found.push('resource');
  if (footprint.places.some((place) => isNew(agent.places, place, now))) found.push('destination');
  return found;
}

function burstOf({ pace }: Memory, actions: number): number {
  if (pace.minutes < LEAST_MINUTES || actions < LEAST_BURST) return 0;
  return step(actions / Math.max(1, pace.usual), 5, 20);
}

/**
 * Compares with the agent's habit by the server's clock where there is one, because no client can choose that clock; else
 * with nights and weekends, by the worse of the claimed time and UTC now, so that no claim can improve the result.
 */
function offHours(known: Memory, footprint: Footprint, claim: Claim, now: number): History['off_hours'] {
  const received = hourOfWeekAt(now);
  if (!footprint.is_high_impact || known.n < LEAST_PAST || habitAt(known.hours, received) === 'usual') return '';
  const is_claimed = isOffHours(claim.claimed_hour);
  if (is_claimed && (claim.time?.offset_minutes ?? 0) !== 0) return 'local';
  return is_claimed || isOffHours(received) ? 'utc' : '';
}

function isUnusualHour(known: Memory, { claimed_hour }: Claim, now: number): boolean {
  return (
    habitAt(known.hours, hourOfWeekAt(now)) === 'unusual' || habitAt(known.claimed_hours, claimed_hour) === 'unusual'
  );
}

/** Memoized, because every action of a session carries the same text. */
const startOf = remembering((text): Timestamp | null => parseTimestamp(text));

function clockOf(known: Memory, event: AgentEvent, { time }: Claim, now: number): History['clock'] {
  const claimed = time?.epoch_ms;
  if (known.n < LEAST_PAST || claimed === undefined) return '';
  if (claimed - now > LONGEST_LEAD_MS) return 'from_the_future';
  const started = startOf(event.session?.started_at ?? '')?.epoch_ms ?? claimed;
  if (claimed < started) return 'before_its_session';
  return claimed - started > LONGEST_SESSION_MS ? 'session_too_long' : '';
}

function driftOf(session: Memory | null, footprint: Footprint): History['drift'] {
  if (session === null || session.n < LEAST_DRIFT) return 0;
  // A step within the first domain is not a drift, whatever the steps around it were.
  if (session.task.includes(domainAspect(footprint.domain))) return 0;
  const now: string[] = [];
  for (const { domain, group } of [footprint, ...session.last.slice(-DRIFT_WINDOW)])
    now.push(domainAspect(domain), effectAspect(group));
  const aspects = distinct(now);
  const common = session.task.filter((aspect) => aspects.includes(aspect)).length;
  if (common === 0) return 2;
  return common / (aspects.length + session.task.length - common) <= FAR_OVERLAP ? 1 : 0;
}

interface Trouble {
  refused: number;
  high: number;
}

function troubleOf(memories: readonly Memory[], now: number): Trouble {
  const most = { refused: 0, high: 0 };
  for (const { last, trouble_at } of memories) {
    if (now - trouble_at >= MS_PER_HOUR) continue;
    let refused = 0;
    let high = 0;
    for (const { at, is_refused, score } of last) {
      if (now - at >= MS_PER_HOUR) continue;
      if (is_refused) refused += 1;
      if (score >= HIGH) high += 1;
    }
    most.refused = Math.max(most.refused, refused);
    most.high = Math.max(most.high, high);
  }
  return { refused: step(most.refused, 2, 4), high: step(most.high, 3, 8) };
}

/**
 * The session's actions that the event does not name itself; without a session, the agent's of the last hour: its last ones, and
 * those that were new to it, which many repetitions of others do not push out.
 */
function earlierActions({ agent, session }: Memories, footprint: Footprint, event: AgentEvent, now: number): string[] {
  const others: string[] = [];
  const note = (name: string): void => {
    if (name !== footprint.action) others.push(name);
  };
  if (session !== null) for (const entry of session.actions.entries) note(entry[0]);
  else if (agent !== null) {
    for (const { at, action } of agent.last) if (now - at < MS_PER_HOUR) note(action);
    for (const [name, , first_at] of agent.actions.entries) if (now - first_at < MS_PER_HOUR) note(name);
  }
  const claimed = event.preceding_actions ?? NOTHING;
  if (claimed.length <= FEW) return inOrder(others.filter((name) => !claimed.includes(name)));
  // The event may name thousands, the memory a few dozen.
  const named = new Set(claimed);
  return inOrder(others.filter((name) => !named.has(name)));
}

/**
 * Without a session, what the agent read in the last hour. A read of the same classes again adds nothing to what the session has
 * seen.
 */
function seenClasses({ agent, session }: Memories, { is_change, classes }: Footprint, now: number): string[] {
  const seen = session !== null ? session.classes : agent === null ? [] : readLately(agent, now);
  return is_change ? seen : seen.filter((data_class) => !classes.includes(data_class));
}

const readLately = ({ read_at }: Memory, now: number): string[] =>
  read_at.filter(([, at]) => now - at < MS_PER_HOUR).map(([data_class]) => data_class);

/** What this action runs of the files that earlier ones wrote as an attack. A name without a folder stands for any. */
function runsWritten(known: readonly Memory[], { runs }: Footprint): string[] {
  if (runs === undefined) return [];
  const found: string[] = [];
  for (const { wrote } of known)
    for (const entry of wrote) {
      const file = entry.slice(entry.indexOf(' ') + 1);
      if (runs.some((run) => isSameFile(run, file)) && !found.includes(entry)) found.push(entry);
    }
  return inOrder(found);
}

function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

function isSteady(agent: Memory | null, footprint: Footprint, now: number): boolean {
  if (agent === null || footprint.is_high_impact || agent.n < STEADY_ACTIONS) return false;
  return agent.hours.days >= STEADY_DAYS && now - agent.trouble_at > STEADY_PEACE_MS;
}

/**
 * What the past says about this event, null when it says nothing.
 *
 * @param now milliseconds since 1970 by the database's clock
 * @param actor by which the customer's memory tells others from this one
 */
export function historyOf(
  memories: Memories,
  footprint: Footprint,
  event: AgentEvent,
  now: number,
  actor: Actor = NOBODY,
): History | null {
  const { agent, session, shared = null } = memories;
  const known: Memory[] = [];
  if (agent !== null && agent.n > 0) known.push(agent);
  if (session !== null && session.n > 0) known.push(session);
  if (known.length === 0 && (shared === null || shared.notes.length === 0)) return null;
  const time = timestampOf(event);
  const { claimed_hour, claimed_day } = claimedTimeOf(time);
  const claim = { time, claimed_hour, claimed_day };
  let actions = 0;
  let changes = 0;
  for (const { pace } of known) {
    const rate = rateAt(pace, now);
    actions = Math.max(actions, rate.actions);
    changes = Math.max(changes, rate.changes);
  }
  // Habits belong to the agent; to the session where the event names no agent.
  const whose = agent ?? session!;
  const { refused, high } = troubleOf(known, now);
  const history: History = {
    first_seen: firstSeen(agent, footprint, now),
    changes_per_minute: step(changes, 30, 120),
    actions_per_minute: step(actions, 120, 600),
    burst: agent === null ? 0 : burstOf(agent, actions),
    is_unusual_hour: isUnusualHour(whose, claim, now),
    off_hours: offHours(whose, footprint, claim, now),
    clock: clockOf(whose, event, claim, now),
    drift: driftOf(session, footprint),
    refused,
    high,
    earlier_actions: earlierActions(memories, footprint, event, now),
    seen_classes: seenClasses(memories, footprint, now),
    runs_written: runsWritten(known, footprint),
    repeats: step(repeatsIn(session ?? whose, footprint.action), 5, 10),
    is_steady: isSteady(agent, footprint, now),
    ...elsewhere(shared, memories, footprint, actor, now),
  };
  return saysSomething(history) ? history : null;
}

/** How often this action stands among the last ones. */
function repeatsIn({ last }: Memory, action: string): number {
  let repeats = 0;
  for (let i = Math.max(0, last.length - REPEAT_WINDOW); i < last.length; i++)
    if (last[i]!.action === action) repeats += 1;
  return repeats;
}
