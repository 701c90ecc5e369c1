/**
 * The worker: scores accepted events. It leases a lane (`QueueStore`), scores its events in order of arrival, sessions side by side,
 * and releases it. All its state is in the database, so it may die at any moment.
 */
import { createBell } from '../../platform/bell.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Dispatch, Lane, QueueStore } from '../../storage/ports/queue.ts';
import type { EvaluateAccepted } from '../callers.ts';
import { createScoreTaken } from './score-taken.ts';

export interface BatchWorker {
  /** Takes no more lanes, and resolves when events in work are scored and its lanes are released. */
  stop(): Promise<void>;
}

export interface WorkerParts {
  queue: QueueStore;
  /** `null`: the queue itself says when there is work. */
  dispatch: Dispatch | null;
  evaluate: EvaluateAccepted;
  log: Log;
}

/** Lanes that one worker serves at a time. More would not be faster on one thread; fewer would wait for commits. */
const LANES_AT_ONCE = 4;
/** Events that are taken from a lane at a time: as many as one group of the store (`GroupLimits.rows`). */
const SLICE = 256;
/** A lane is released after this long, so that another customer's lane gets its turn. */
const TURN_MS = 1_000;
/** A worker that died is noticed after this long. */
const LEASE_MS = 10_000;
/** How often a worker looks for work without a notice: lanes of a worker that died, notices that were lost. */
const POLL_MS = 1_000;
/** The same while a dispatch announces work: for lanes that were not announced, or whose notice was lost. */
const FORGOTTEN_MS = 5_000;
/** Other nodes may notice so much later than this one that a dispatch is back, and announce nothing until then. */
const SETTLE_MS = 15_000;

/** A leased lane. The holder is a new id for each lease, so that a lease that ended is never mistaken for the next one. */
interface HeldLane {
  lane: Lane;
  holder: string;
}

/** Starts a worker. It reports faults in the log, and never rejects. */
export function startBatchWorker(parts: WorkerParts): BatchWorker {
  const serving = new Set<Promise<unknown>>();
  const { queue, dispatch, log } = parts;
  const taken = createScoreTaken({ ...parts, lanes: LANES_AT_ONCE });
  const bell = createBell(POLL_MS);
  let is_stopping = false;
  const forget = dispatch === null ? queue.onWork(bell.ring) : () => {};
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
    // There may be more work where there was some.
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

  async function run(): Promise<void> {
    while (!is_stopping) {
      const rung = bell.next();
      // Not only when this worker takes events again, because another worker may lease the lane.
      await taken.settle().catch(() => {});
      const held = await nextLane();
      if (held === null) {
        await rung;
        continue;
      }
      bell.ring();
      void track(serve(held)).then((has_more) => {
        if (has_more) void dispatch?.announce([held.lane]).catch(() => {});
        bell.ring();
      });
    }
  }

  /** Counts a lane as being served until it is done. */
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
    // Null: it has no work, or another worker leases it and will see the new events.
    return held === null ? false : track(serve(held));
  }

  /** Scores the events of a leased lane for `TURN_MS`; answers whether there are more. Never rejects. */
  async function serve({ lane, holder }: HeldLane): Promise<boolean> {
    const renewal = setInterval(() => void queue.renew(lane, holder, LEASE_MS).catch(() => {}), LEASE_MS / 3);
    let is_unfinished = true;
    try {
      const end = performance.now() + TURN_MS;
      while (!is_stopping && performance.now() < end) {
        // Before `take` reads the counted deaths of each event.
        await taken.settle();
        const events = await queue.take(lane, holder, SLICE);
        if (events.length === 0) break;
        if (!(await taken.score(events, holder))) break;
      }
      is_unfinished = false;
    } catch (error) {
      log.warn({ err: error }, 'a store failed while accepted events were scored; they stay in the queue');
    } finally {
      clearInterval(renewal);
    }
    return queue.release(lane, holder, is_unfinished).catch(() => false);
  }

  dispatch?.serve(LANES_AT_ONCE, serveAnnounced);
  const running = run();
  return {
    async stop() {
      is_stopping = true;
      forget();
      bell.ring();
      await running;
      await Promise.all(serving);
      await taken.settle().catch(() => {});
    },
  };
}
