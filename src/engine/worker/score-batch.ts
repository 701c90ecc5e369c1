/**
 * The worker: scores accepted events. It leases a lane (`QueueStore`), scores what is in it in order of arrival, sessions
 * side by side, and gives it back. Everything it must remember is in the database, so it may die at any moment.
 */
import { createBell } from '../../platform/bell.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Dispatch, Lane, QueueStore } from '../../storage/ports/queue.ts';
import type { Evaluate } from '../evaluate.ts';
import type { EvaluateAccepted } from '../evaluate-as.ts';
import { createScoreTaken } from './score-taken.ts';

export interface BatchWorker {
  /** Takes no more lanes, and resolves when what it has begun is scored and its lanes are given back. */
  stop(): Promise<void>;
}

export interface WorkerParts {
  queue: QueueStore;
  /** `null`: the queue itself says when there is work. */
  dispatch: Dispatch | null;
  /** An event by itself, and events of a session. */
  evaluate: Evaluate;
  evaluateInOrder: EvaluateAccepted;
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
/** A lane and who has it: another one each time, so that a lease that ended can never be taken for the next. */
interface HeldLane {
  lane: Lane;
  holder: string;
}

/** Starts a worker. It says what went wrong in the log, and never rejects. */
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

  async function run(): Promise<void> {
    while (!is_stopping) {
      const rung = bell.next();
      // Now, and not only when this worker takes events again: another may have the lane.
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
