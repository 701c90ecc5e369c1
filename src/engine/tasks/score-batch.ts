/**
 * The worker: scores accepted events. It leases a lane (`QueueStore`), scores what is in it in order of arrival, sessions
 * side by side, and gives it back. Everything it must remember is in the database, so it may die at any moment.
 */
import { Mutex, Semaphore } from 'async-mutex';
import { WeirError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { StoreUnavailable } from '../../storage/ports.ts';
import type { Dispatch, Lane, QueueStore, TakenEvent } from '../../storage/queue-ports.ts';
import { bySession } from '../by-session.ts';
import type { Evaluate } from '../evaluate.ts';
import { contentOf, type Submission } from '../submission.ts';

export interface BatchWorker {
  /** Takes no more lanes, and resolves when what it has begun is scored and its lanes are given back. */
  stop(): Promise<void>;
}

export interface WorkerParts {
  queue: QueueStore;
  /** `null`: the queue itself says when there is work. */
  dispatch: Dispatch | null;
  evaluate: Evaluate;
  log: Log;
}

/** Lanes that one worker serves at a time. More would not be faster on one thread; fewer would wait for commits. */
const LANES_AT_ONCE = 4;
/** Events of one slice: as many as one group of the store (`GroupLimits.rows`). */
const SLICE = 256;
/** After this long a lane is given back, so that another customer's comes up. */
const TURN_MS = 1_000;
/** A worker that died is noticed after this long. */
const LEASE_MS = 10_000;
/** How often a worker looks for work that nobody told it of: lanes of a worker that died, notices that were lost. */
const POLL_MS = 1_000;
/** The same while a dispatch announces work: only what was not announced, or was forgotten. */
const FORGOTTEN_MS = 5_000;
/** Other nodes may hear that much later than this one that a dispatch is back, and announce nothing until then. */
const SETTLE_MS = 15_000;
/** Workers that may die over an event alone before it is scored without its content: the third, with the one that died over its chunk. */
const MAX_DEATHS = 2;
/** And before it is set aside: then its content is not the reason. */
const MAX_DEATHS_OF_OUTLINE = 4;

/** A lane and who has it: another one each time, so that a lease that ended can never be taken for the next. */
interface HeldLane {
  lane: Lane;
  holder: string;
}

/** Starts a worker. It says what went wrong in the log, and never rejects. */
export function startBatchWorker({ queue, dispatch, evaluate, log }: WorkerParts): BatchWorker {
  const serving = new Set<Promise<unknown>>();
  /** Lanes that may score at the moment; who needs to be alone takes all of them. First come, first served. */
  const room = new Semaphore(LANES_AT_ONCE);
  /**
   * Events that were begun, perhaps, and not scored for the store's fault, which this worker did not die of. Few: nothing is
   * taken as long as there are any, so each lane that was being served then leaves one at most.
   */
  const owed = new Set<TakenEvent>();
  const settling = new Mutex();
  let is_stopping = false;
  let wake = (): void => {};
  const ring = (): void => wake();
  const forget = dispatch === null ? queue.onWork(ring) : () => {};
  /** When the next look for forgotten lanes is due. */
  let due = 0;
  /** When all nodes announce what they accept. */
  let announced_from = 0;

  async function nextLane(): Promise<HeldLane | null> {
    if (is_stopping || serving.size >= LANES_AT_ONCE) return null;
    const now = performance.now();
    if (!dispatch?.isUp()) announced_from = now + SETTLE_MS;
    const is_announced = now >= announced_from;
    if (is_announced && now < due) return null;
    const held = await look(is_announced ? { idle_ms: FORGOTTEN_MS } : {});
    // Where one was, there may be more.
    due = held === null ? performance.now() + FORGOTTEN_MS : 0;
    return held;
  }

  function look(of: { idle_ms?: number }): Promise<HeldLane | null> {
    return lease(of).catch((error: unknown) => {
      log.warn({ err: error }, 'the queue cannot be read; trying again');
      return null;
    });
  }

  async function lease(of: { lane?: Lane; idle_ms?: number }): Promise<HeldLane | null> {
    const holder = newId();
    const lane = await queue.lease(holder, LEASE_MS, of);
    return lane && { lane, holder };
  }

  /** Until somebody rings, or the poll is due. Made before the look for work, so that no ring falls in between. */
  function nextRing(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Absolves what this worker owes; rejects while the store cannot. */
  async function settle(): Promise<void> {
    if (owed.size === 0) return;
    await settling.runExclusive(async () => {
      for (const event of owed) {
        await queue.absolve(event);
        owed.delete(event);
      }
    });
  }

  async function run(): Promise<void> {
    while (!is_stopping) {
      const rung = nextRing();
      // Now, and not only when this worker takes events again: another may have the lane.
      await settle().catch(() => {});
      const held = await nextLane();
      if (held === null) {
        await rung;
        continue;
      }
      ring();
      void track(serve(held)).then((has_more) => {
        if (has_more) void dispatch?.announce([held.lane]).catch(() => {});
        ring();
      });
    }
  }

  /** Counts it as being served until it is done. */
  function track<T>(served: Promise<T>): Promise<T> {
    const counted = served.then(() => {
      serving.delete(counted);
    });
    serving.add(counted);
    return served;
  }

  async function serveAnnounced(lane: Lane): Promise<boolean> {
    if (is_stopping) throw new Error('this worker is stopping');
    const held = await lease({ lane });
    // Without work, or another worker has it and will see what came in meanwhile.
    return held === null ? false : track(serve(held));
  }

  /** Scores what is in a leased lane, for one turn; answers whether there is more. Never rejects. */
  async function serve({ lane, holder }: HeldLane): Promise<boolean> {
    const renewal = setInterval(() => void queue.renew(lane, holder, LEASE_MS).catch(() => {}), LEASE_MS / 3);
    let is_unfinished = true;
    try {
      const end = performance.now() + TURN_MS;
      while (!is_stopping && performance.now() < end) {
        // Before the count is read that comes with an event.
        await settle();
        const events = await queue.take(lane, holder, SLICE);
        if (events.length === 0) break;
        if (!(await score(events, holder))) break;
      }
      is_unfinished = false;
    } catch (error) {
      log.warn({ err: error }, 'a store failed while accepted events were scored; they stay in the queue');
    } finally {
      clearInterval(renewal);
    }
    return queue.release(lane, holder, is_unfinished).catch(() => false);
  }

  /** Scores what `take` answered; `false` when the lease was lost before. */
  function score(events: readonly TakenEvent[], holder: string): Promise<boolean> {
    const [first] = events as [TakenEvent, ...TakenEvent[]];
    // Once a worker died over an event, that one is tried with nothing beside it that could die of it, or it of that.
    const lanes = (first.deaths ?? 0) > 0 ? LANES_AT_ONCE : 1;
    return room.runExclusive(async () => {
      if (first.deaths !== null) return scoreSuspect(first, holder);
      await Promise.all(bySession(events, ({ event }) => event).map(scoreInOrder));
      return true;
    }, lanes);
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

  async function scoreInOrder(events: TakenEvent[]): Promise<void> {
    for (const event of events) await scoreOne(event);
  }

  /** Rejects with a fault of a store only. */
  async function scoreOne(taken: TakenEvent): Promise<void> {
    const { customer_id, event_id, event, content_hash } = taken;
    const deaths = taken.deaths ?? 0;
    if (deaths >= MAX_DEATHS_OF_OUTLINE) return setAside(taken, 'workers die over it, even without its content');
    // What the door found out, or the same again; but the hash is of what was sent, from which the event may differ.
    const submission: Submission = taken.deed_hash === undefined ? { ...contentOf(event), event, content_hash } : taken;
    if (deaths < MAX_DEATHS) {
      try {
        await evaluate(customer_id, submission);
        return;
      } catch (error) {
        if (isStoreFault(error)) throw error;
        log.error({ err: error, customer_id, event_id }, 'an accepted event cannot be scored; scoring its outline');
      }
    }
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

  dispatch?.serve(LANES_AT_ONCE, serveAnnounced);
  const running = run();
  return {
    async stop() {
      is_stopping = true;
      forget();
      ring();
      await running;
      await Promise.all(serving);
      await settle().catch(() => {});
    },
  };
}

/** It passes by itself: nothing is wrong with the event. */
function isStoreFault(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof WeirError && error.code === 'unavailable');
}
