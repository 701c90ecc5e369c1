/**
 * Scores events that a worker took from the queue: sessions side by side, each in its order; an event that a worker may
 * have died of alone, and in the end without its content or not at all.
 */
import { Mutex, Semaphore } from 'async-mutex';
import { contentOf, type Submission } from '../../events/submission.ts';
import { StoreUnavailable, WeirError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Dispatch, QueueStore, TakenEvent } from '../../storage/ports/queue.ts';
import { bySession } from '../by-session.ts';
import type { Evaluate } from '../evaluate.ts';
import type { EvaluateAccepted } from '../evaluate-as.ts';

export interface ScoreTakenParts {
  queue: QueueStore;
  /** Hears of events that are set aside. */
  dispatch: Dispatch | null;
  evaluate: Evaluate;
  evaluateInOrder: EvaluateAccepted;
  log: Log;
  /** Lanes that may score at a time. */
  lanes: number;
}

export interface ScoreTaken {
  /** Scores what `take` answered, in its order; `false` when the lease was lost before. Rejects with a fault of a store. */
  score(events: readonly TakenEvent[], holder: string): Promise<boolean>;
  /** Takes back deaths that were counted and did not happen; rejects while the store cannot. To be asked before a count is read. */
  settle(): Promise<void>;
}

/** Workers that may die over an event alone before it is scored without its content: the third, with the one that died over its chunk. */
const MAX_DEATHS = 2;
/** And before it is set aside: then its content is not the reason. */
const MAX_DEATHS_OF_OUTLINE = 4;

/** For one worker: what it owes is its own. */
export function createScoreTaken(parts: ScoreTakenParts): ScoreTaken {
  const { queue, dispatch, evaluate, evaluateInOrder, log, lanes } = parts;
  /** Lanes that may score at the moment; who needs to be alone takes all of them. First come, first served. */
  const room = new Semaphore(lanes);
  /**
   * Events that were begun, perhaps, and not scored for the store's fault, which this worker did not die of. Few: nothing is
   * taken as long as there are any, so each lane that was being served then leaves one at most.
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
    // Once a worker died over an event, that one is tried with nothing beside it that could die of it, or it of that.
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
      const outcomes = await evaluateInOrder(customer_id, submissions.slice(done)).catch(asErrors);
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
    try {
      await evaluate(taken.customer_id, submission);
    } catch (error) {
      await withoutContent(taken, submission, error);
    }
  }

  /** After `error`, which it rejects with where that is a fault of a store. */
  async function withoutContent(taken: TakenEvent, submission: Submission, error: unknown): Promise<void> {
    if (isStoreFault(error)) throw error;
    const { customer_id, event_id } = taken;
    log.error({ err: error, customer_id, event_id }, 'an accepted event cannot be scored; scoring its outline');
    await scoreOutline(taken, submission);
  }

  async function scoreOutline(taken: TakenEvent, submission: Submission): Promise<void> {
    const { customer_id, event_id } = taken;
    try {
      await evaluate(customer_id, submission, 'outline');
    } catch (error) {
      if (isStoreFault(error)) throw error;
      log.error({ err: error, customer_id, event_id }, 'an accepted event cannot be scored at all; it is set aside');
      await setAside(taken, error instanceof Error ? error.message : String(error));
    }
  }

  async function setAside(event: TakenEvent, reason: string): Promise<void> {
    await queue.bury(event, reason);
    await dispatch?.bury(event.customer_id, event.event_id, reason).catch(() => {});
  }

  return { score, settle };
}

/** What the door found out, or the same again; but the hash is of what was sent, from which the event may differ. */
function toSubmission(taken: TakenEvent): Submission {
  const { event, content_hash } = taken;
  return taken.deed_hash === undefined ? { ...contentOf(event), event, content_hash } : taken;
}

const asErrors = (error: unknown): Error[] => [error instanceof Error ? error : new Error(String(error))];

/** It passes by itself: nothing is wrong with the event. */
function isStoreFault(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof WeirError && error.code === 'unavailable');
}
