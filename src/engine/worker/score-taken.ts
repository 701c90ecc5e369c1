/**
 * Scores events that a worker took from the queue: sessions side by side, each in its order. An event that a worker may have died
 * over is scored alone; after further deaths by its outline, and at last it is set aside unscored.
 */
import { Mutex, Semaphore } from 'async-mutex';
import { contentOf, type Submission } from '../../events/submission.ts';
import { StoreUnavailable, WeirError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Dispatch, QueueStore, TakenEvent } from '../../storage/ports/queue.ts';
import { asErrors, bySession, type EvaluateAccepted } from '../callers.ts';

export interface ScoreTakenParts {
  queue: QueueStore;
  /** Told of events that are set aside. */
  dispatch: Dispatch | null;
  evaluate: EvaluateAccepted;
  log: Log;
  /** Lanes that may score at a time. */
  lanes: number;
}

export interface ScoreTaken {
  /** Scores what `take` answered, in its order; `false` when the lease was lost before. Rejects with a fault of a store. */
  score(events: readonly TakenEvent[], holder: string): Promise<boolean>;
  /** Takes back deaths that were counted and did not happen; rejects while the store cannot. Call it before a count is read. */
  settle(): Promise<void>;
}

/** Workers that may die over an event alone before it is scored by its outline: with the one that died over its chunk, three. */
const MAX_DEATHS = 2;
/** Workers that may die before the event is set aside: its content is not the reason then. */
const MAX_DEATHS_OF_OUTLINE = 4;

/** For one worker: each takes back its own counts. */
export function createScoreTaken(parts: ScoreTakenParts): ScoreTaken {
  const { queue, dispatch, evaluate, log, lanes } = parts;
  /** Lanes that may score at the moment; an event that must be alone takes all of them. First come, first served. */
  const room = new Semaphore(lanes);
  /**
   * Events whose begin may have been counted as a death, and that a fault of the store, not a death, kept from being scored. Few:
   * nothing is taken as long as there are any, so each lane that was being served leaves one at most.
   */
  const owed = new Set<TakenEvent>();
  const settling = new Mutex();

  async function settle(): Promise<void> {
    if (owed.size === 0) return;
    await settling.runExclusive(async () => {
      for (const event of owed) {
        await queue.absolve(event);
        owed.delete(event);
      }
    });
  }

  function score(events: readonly TakenEvent[], holder: string): Promise<boolean> {
    const [first] = events as [TakenEvent, ...TakenEvent[]];
    // After a worker died over an event, it is scored with no other event beside it, so that neither can kill the other.
    const room_needed = (first.deaths ?? 0) > 0 ? lanes : 1;
    return room.runExclusive(async () => {
      if (first.deaths !== null) return scoreSuspect(first, holder);
      await Promise.all(bySession(events, ({ event }) => event).map(scoreInOrder));
      return true;
    }, room_needed);
  }

  async function scoreSuspect(event: TakenEvent, holder: string): Promise<boolean> {
    try {
      if (!(await queue.begin(event, holder))) return false;
      await scoreOne(event);
    } catch (error) {
      owed.add(event);
      await settle().catch(() => {});
      throw error;
    }
    return true;
  }

  /** Events of one session, as many to a commit as there is room for. Rejects with a fault of a store only. */
  async function scoreInOrder(events: TakenEvent[]): Promise<void> {
    const submissions = events.map(toSubmission);
    const { customer_id } = events[0]!;
    for (let done = 0; done < events.length; ) {
      const outcomes = await evaluate(customer_id, submissions.slice(done)).catch(asErrors);
      for (const outcome of outcomes) {
        if (outcome instanceof Error) await withoutContent(events[done]!, submissions[done]!, outcome);
        done += 1;
      }
    }
  }

  /** An event by itself. Rejects with a fault of a store only. */
  async function scoreOne(taken: TakenEvent): Promise<void> {
    const deaths = taken.deaths ?? 0;
    if (deaths >= MAX_DEATHS_OF_OUTLINE) return setAside(taken, 'workers die over it, even without its content');
    const submission = toSubmission(taken);
    if (deaths >= MAX_DEATHS) return scoreOutline(taken, submission);
    const [outcome] = await evaluate(taken.customer_id, [submission]).catch(asErrors);
    if (outcome instanceof Error) await withoutContent(taken, submission, outcome);
  }

  /** Scores the outline of an event that failed with `error`; rejects with it if it is a fault of a store. */
  async function withoutContent(taken: TakenEvent, submission: Submission, error: Error): Promise<void> {
    if (isStoreFault(error)) throw error;
    const { customer_id, event_id } = taken;
    log.error({ err: error, customer_id, event_id }, 'an accepted event cannot be scored; scoring its outline');
    await scoreOutline(taken, submission);
  }

  async function scoreOutline(taken: TakenEvent, submission: Submission): Promise<void> {
    const { customer_id, event_id } = taken;
    const [outcome] = await evaluate(customer_id, [submission], { extent: 'outline' }).catch(asErrors);
    if (!(outcome instanceof Error)) return;
    if (isStoreFault(outcome)) throw outcome;
    log.error({ err: outcome, customer_id, event_id }, 'an accepted event cannot be scored at all; it is set aside');
    await setAside(taken, outcome.message);
  }

  async function setAside(event: TakenEvent, reason: string): Promise<void> {
    await queue.bury(event, reason);
    await dispatch?.bury(event.customer_id, event.event_id, reason).catch(() => {});
  }

  return { score, settle };
}

/** The event with the hashes that the door made, or made again; the hash of the content is of what was sent, which may differ from the event. */
function toSubmission(taken: TakenEvent): Submission {
  const { event, content_hash, key_id } = taken;
  if (taken.scored_hash !== undefined) return taken;
  return { ...contentOf(event), event, content_hash, ...(key_id !== undefined && { key_id }) };
}

/** A fault that passes by itself: nothing is wrong with the event. */
function isStoreFault(error: Error): boolean {
  return error instanceof StoreUnavailable || (error instanceof WeirError && error.code === 'unavailable');
}
