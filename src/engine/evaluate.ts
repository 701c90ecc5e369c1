/**
 * From an event to its recorded score: gather the policy in force and what is remembered of agent and session, score, record,
 * remember. The second of the three files (door, evaluate, score). Every door and the batch worker come through here, with one
 * event or with several events of a session.
 */

import type { AgentEvent } from '../events/event.ts';
import type { Submission } from '../events/submission.ts';
import type { Waiter } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { StoreUnavailable, WeirError } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { HoldTerms } from '../records/hold.ts';
import type { ScoreRecord, StoredScore } from '../records/record.ts';
import { AssessmentJson } from '../records/texts.ts';
import { isHeldAt, levelOf } from '../scoring/level.ts';
import type { Extent } from '../scoring/outline.ts';
import { isObserved } from '../scoring/policy/mode.ts';
import type { CompiledPolicy, RiskLevel } from '../scoring/types.ts';
import { MOST_IN_ORDER, type RecordOutcome, type Storage } from '../storage/ports/storage.ts';
import { conflictOf } from './conflict.ts';
import type { Reviewer } from './llm/review.ts';
import type { MadeScore, MakeScore, Remembered } from './making/make-score.ts';
import { type Memories, ownersOf } from './memories/memories.ts';
import { createMemoriesAhead, type MemoriesAhead } from './memories/memories-ahead.ts';
import type { Policies } from './policies.ts';
import { createEndOfTurn } from './turns.ts';

export interface Outcome {
  record: StoredScore;
  /** The event was recorded before with the same content: this is its stored result, and nothing was written. */
  is_replay: boolean;
}

export interface EvaluateOptions {
  /** `whole` by default. */
  extent?: Extent;
  /** Told how many events could be scored with the first one; answers how many may. None by default. */
  takeMore?: (wanted: number) => number;
  /** Runs a wait in which this process has nothing to do for these events. Awaited as it is by default. */
  aside?: <T>(waiting: () => Promise<T>) => Promise<T>;
  /** Nobody waits for the answer. */
  is_later?: boolean;
  /** The caller; one who does not leave by default. */
  waiter?: Waiter;
}

/**
 * Scores and durably records some of the events of one session, from the first on, in one commit: each is scored with what the
 * events before it leave behind, though none of them is durable yet. One by one, each would wait for the commit of the one before.
 *
 * Answers after the commit, for each event that it took, at least one, in order: its outcome, or why it was not recorded, such as
 * `event_conflict` when its event_id was used for other content, or `StoreUnavailable`. Rejects with nothing recorded when the
 * first event cannot be scored, or its policy or memories cannot be read.
 */
export type Evaluate = (
  customer_id: string,
  submissions: readonly Submission[],
  options?: EvaluateOptions,
) => Promise<(Outcome | Error)[]>;

export interface EvaluateParts {
  storage: Pick<Storage, 'scores'>;
  policies: Policies;
  memories: Memories;
  makeScore: MakeScore;
  holding: Holding;
  clock: Pick<Clock, 'ticks'>;
  /** Null or absent: no language model is asked. */
  reviewer?: Reviewer | null;
}

/** When events wait for a person, and for how long. */
export interface Holding {
  /** `HOLD_THRESHOLD`: the lowest level that is held, for customers whose policy does not set one; `none` holds nothing. */
  threshold: RiskLevel;
  /** `HOLD_TTL_MINUTES`. */
  ttl_minutes: number;
  /** The page where people decide, for links in messages. Absent: unknown. */
  page?: () => string;
}

/** A score before it is stored. */
interface Scored {
  submission: Submission;
  made: MadeScore;
  remembered: Remembered | null;
}

/** A score as it is stored. */
interface Recorded {
  record: ScoreRecord;
  remembered: Remembered | null;
}

/** Policy changes that may overtake one event before it is refused as unavailable; two in a row are already rare. */
const MAX_ATTEMPTS = 5;
/** JSON text of events that are recorded together; the event that exceeds it is the last. */
const MAX_LENGTH = 2 ** 20;

export function createEvaluate(parts: EvaluateParts): Evaluate {
  const { storage, policies, memories, makeScore, holding, clock, reviewer = null } = parts;
  const endOfTurn = createEndOfTurn(clock);

  /** Null for an event that names neither agent nor session. `from`: the memories, or those with events that are not durable yet. */
  async function recall(
    customer_id: string,
    event: AgentEvent,
    from: Pick<Memories, 'recall'> | MemoriesAhead,
  ): Promise<Remembered | null> {
    const owners = ownersOf(customer_id, event);
    if (owners === null) return null;
    return { owners, memories: await from.recall(owners), now: memories.now() };
  }

  async function scoreInOrder(
    customer_id: string,
    submissions: readonly Submission[],
    policy: CompiledPolicy,
    extent: Extent,
  ): Promise<Scored[]> {
    let ahead = submissions.length === 1 ? null : createMemoriesAhead(memories.recall);
    /** Ids that are recorded, or that came before in this row. Read once there is a second event to score. */
    let used: Set<string> | null = null;
    const scored: Scored[] = [];
    let length = 0;
    for (const submission of submissions) {
      const { event, json } = submission;
      try {
        const remembered = await recall(customer_id, event, ahead ?? memories);
        const made = await makeScore(customer_id, submission, policy, remembered, extent);
        scored.push({ submission, made, remembered });
      } catch (error) {
        // It comes first the next time.
        if (scored.length === 0) throw error;
        break;
      }
      length += json?.length ?? MAX_LENGTH;
      if (ahead === null || scored.length === submissions.length || length >= MAX_LENGTH) break;
      if (used === null) {
        used = await storage.scores.usedIds(customer_id, submissions.map(sentId));
        if (used.size > 0) {
          // The memories may have learnt of events that were stored since they were read, so read them again.
          ahead = createMemoriesAhead(memories.recall);
          await recall(customer_id, event, ahead);
        }
      }
      if (!used.has(event.event_id)) learnAhead(ahead, scored.at(-1)!);
      used.add(event.event_id);
      // Requests that came in meanwhile begin beside the rest of this row, instead of waiting for all of it.
      await endOfTurn();
    }
    return scored;
  }

  /** Asks the language model about all events of which the rules are unsure and where its answer can matter, side by side, unless they are stored already. */
  async function reviewed(
    customer_id: string,
    scored: Scored[],
    policy: CompiledPolicy,
    { aside = (waiting) => waiting(), is_later = false, waiter = undefined }: EvaluateOptions,
  ): Promise<Scored[]> {
    const unsure = scored.filter(({ made }) => reviewer?.isAsked(made.assessment, policy));
    if (reviewer === null || unsure.length === 0) return scored;
    const sent = unsure.map(({ submission }) => sentId(submission));
    // While the turn lasts, which bounds the queries at a time. It only saves calls, so its failure fails no event.
    const used = await storage.scores.usedIds(customer_id, sent).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return new Set<string>();
      throw error;
    });
    const asked = new Set(unsure.filter(({ submission }) => !used.has(submission.event.event_id)));
    if (asked.size === 0) return scored;
    const waiting = is_later ? 'later' : (waiter ?? 'patient');
    const review = async (one: Scored): Promise<Scored> => {
      const { submission, made } = one;
      const assessment = await reviewer.review(customer_id, submission.event, made.assessment, policy, waiting);
      const json = { ...made.json, assessment: new AssessmentJson(assessment) };
      const cache_hit = made.cache_hit && assessment.llm?.was_cached === true;
      return { ...one, made: { ...made, assessment, json, cache_hit } };
    };
    return aside(() => Promise.all(scored.map((one) => (asked.has(one) ? review(one) : one))));
  }

  /** The outcome of an event, or why it was not recorded; null when its policy has changed. Stored events are remembered. */
  function settle({ record, remembered }: Recorded, outcome: RecordOutcome | Error): Outcome | Error | null {
    if (outcome instanceof Error) return outcome;
    const { event_id, past } = record;
    switch (outcome.kind) {
      case 'stored': {
        const { scored_at, hold } = outcome;
        // Only the call that stored the event adds it to the memories, so a retry adds nothing.
        if (past !== null && remembered !== null)
          memories.learn(remembered.owners, { event_id, scored_at, trace: past.trace });
        return { record: { ...record, scored_at, hold }, is_replay: false };
      }
      case 'exists':
        return conflictOf(event_id, record, outcome.record) ?? { record: outcome.record, is_replay: true };
      case 'queued':
        // An event that waits in the queue with equal content can be recorded, so the policy was the reason.
        return conflictOf(event_id, record, outcome);
      case 'policy_changed':
        return null;
    }
  }

  return async (customer_id, all, options = {}) => {
    const { extent = 'whole', takeMore = () => 0 } = options;
    // Requests that came together have turns by then.
    await endOfTurn();
    const wanted = Math.min(all.length, MOST_IN_ORDER) - 1;
    const submissions = all.slice(0, 1 + (wanted === 0 ? 0 : takeMore(wanted)));
    let policy = await policies.inForce(customer_id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const ruled = await scoreInOrder(customer_id, submissions, policy, extent);
      // The content of an outline is not to be read again.
      const scored = extent === 'outline' ? ruled : await reviewed(customer_id, ruled, policy, options);
      const records = scored.map(({ submission, made, remembered }) => ({
        record: recordOf(customer_id, submission, made, policy, holding),
        remembered,
      }));
      const recorded = await storage.scores.recordInOrder(records.map(({ record }) => record));
      const settled = records.map((one, index) => settle(one, recorded[index]!));
      // A policy change that stopped one event stopped all events behind it.
      const changed_at = settled.indexOf(null);
      if (changed_at !== 0) return settled.slice(0, changed_at === -1 ? undefined : changed_at) as (Outcome | Error)[];
      policy = await policies.refresh(customer_id);
    }
    throw new WeirError('unavailable', {
      detail: 'the policy changed several times while this event was scored; try again',
      retry_after_s: 1,
    });
  };
}

function recordOf(
  customer_id: string,
  { event, content_hash, json: event_json, key_id }: Submission,
  { assessment, cache_hit, past, json, actionHash }: MadeScore,
  policy: CompiledPolicy,
  holding: Holding,
): ScoreRecord {
  const risk_level = levelOf(assessment.score);
  const hold = holdOf(actionHash, risk_level, policy, holding, { customer_id, event_id: event.event_id });
  const would_hold = hold !== null && isObserved(policy.observed, event, key_id);
  return {
    customer_id,
    event_id: event.event_id,
    content_hash,
    event,
    assessment,
    risk_level,
    cache_hit,
    past,
    hold: would_hold ? null : hold,
    would_hold,
    json: event_json === undefined ? json : { ...json, event: event_json },
  };
}

/** By the policy that the score was made with, so a changed threshold is in force when the change is answered. */
function holdOf(
  actionHash: () => string | null,
  risk_level: RiskLevel,
  { hold_threshold }: CompiledPolicy,
  { threshold, ttl_minutes, page }: Holding,
  name: { customer_id: string; event_id: string },
): HoldTerms | null {
  if (!isHeldAt(risk_level, hold_threshold ?? threshold)) return null;
  const action_hash = actionHash();
  // Doors refuse every event whose action has no hash.
  if (action_hash === null)
    throw new WeirError('invalid', { detail: 'the event has keys that cannot be told apart once they are stored' });
  const link = page === undefined ? {} : { link: `${page()}?${new URLSearchParams(name)}` };
  return { ttl_minutes, action_hash, ...link };
}

const sentId = ({ event, content_hash }: Submission) => ({ event_id: event.event_id, content_hash });

/** Dated by the time at which the memories were read, the nearest time that is known before the commit. */
function learnAhead(ahead: MemoriesAhead, { submission, made, remembered }: Scored): void {
  const { event_id } = submission.event;
  const { past } = made;
  if (past === null || remembered === null) return;
  const scored_at = new Date(remembered.now).toISOString();
  ahead.learn(remembered.owners, { event_id, scored_at, trace: past.trace });
}

/** The same with its outcomes counted, through whatever door they came: by level, with the time that they took. */
export function countOutcomes(
  evaluate: Evaluate,
  { scored, scoring, replayed, held }: Pick<Metrics, 'scored' | 'scoring' | 'replayed' | 'held'>,
  clock: Clock,
): Evaluate {
  return async (...events) => {
    const started = clock.ticks();
    const outcomes = await evaluate(...events);
    for (const outcome of outcomes) {
      if (outcome instanceof Error) continue;
      scoring.observe((clock.ticks() - started) / 1_000);
      if (outcome.is_replay) replayed.inc();
      else {
        scored.inc({ risk_level: outcome.record.risk_level });
        if (outcome.record.hold !== null) held.inc();
      }
    }
    return outcomes;
  };
}
