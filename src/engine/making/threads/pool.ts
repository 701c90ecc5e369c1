/**
 * Scores events in threads, where they would keep the thread that reads requests busy: large events, and small events that come in
 * crowds. An event over which a thread dies or hangs fails with `ScoringFailed`; events beside it are scored again.
 *
 * Single small events are scored in the thread that read them: a message there and back takes as long as scoring one.
 */

import type { Scorable } from '../../../events/submission.ts';
import type { CompiledPolicy } from '../../../scoring/types.ts';
import { type BeginScoring, type Later, type Scorer, whenThere } from '../make-score.ts';
import { type ScoringThread, startThread, type ThreadParts } from './scoring-thread.ts';
import { isMoreWork } from './work.ts';

/** Work up to which an event is small (work.ts): even a hostile one takes no more than a few milliseconds then. */
const SMALL = 48_000;
/** Small events of one turn of the event loop that make a crowd, which goes to a thread. */
const CROWD = 4;
/**
 * Threads for small events start after a flood of crowds: more than `per_s` characters a second for so long that `surplus`
 * characters are left over, about five hundred ordinary events a second and eight thousand beyond that. A new server needs its
 * processors for itself: until the code is compiled, each event takes ten times as long, and a thread that starts has to compile
 * it again. Only an endless stream of new actions is worth that (docs/decisions/0013-scoring-threads.md).
 */
const LASTING: Flood = { per_s: 500_000, surplus: 8_000_000 };
/** Characters that wait at a thread before another thread is used: few full messages cost less than many small ones. */
const BUSY = 65_536;

/** A rate of characters of small events that come in crowds. */
interface Flood {
  /** A rate that is not a flood, however long it lasts. */
  per_s: number;
  /** Characters that may come beyond that rate. */
  surplus: number;
}

export interface ScoringPool {
  begin: BeginScoring;
  close(): Promise<void>;
}

export interface PoolParts extends ThreadParts {
  /** Half of them, rounded down, are for small events; a single thread is for large events. */
  threads: number;
  /** Scores in this thread: single small events, all events while the first threads start, and outlines. */
  here: BeginScoring;
  /** Small events that make a crowd; by default 4. */
  crowd?: number;
  /** The flood after which threads for crowds start. */
  lasting?: Flood;
  /** For tests: work up to which an event is small. */
  small?: number;
}

/** Threads for one kind of work. */
interface Crew {
  /** The first thread that has little to do, else the least busy one. The first call starts them; `null` while none is ready. */
  pick(): ScoringThread | null;
  hasStarted(): boolean;
  close(): Promise<unknown>;
}

function createCrew(size: number, parts: PoolParts): Crew {
  const threads: ScoringThread[] = [];
  return {
    pick() {
      while (threads.length < size) threads.push(startThread(parts));
      const ready = threads.filter((thread) => !thread.isNew());
      const idle = ready.find((thread) => thread.load() < BUSY);
      if (idle !== undefined || ready.length === 0) return idle ?? null;
      return ready.reduce((best, thread) => (thread.load() < best.load() ? thread : best));
    },
    hasStarted: () => threads.length > 0,
    close: () => Promise.all(threads.map((thread) => thread.close())),
  };
}

/** Threads start when they are needed: a server that is never busy has none, and one that sees no large event has none for large events. */
export function createScoringPool(parts: PoolParts): ScoringPool {
  const { small = SMALL, crowd = CROWD, lasting = LASTING, here, clock } = parts;
  // Only large events wait behind a large event.
  const for_small = Math.floor(parts.threads / 2);
  const small_crew = createCrew(for_small, parts);
  const large_crew = createCrew(parts.threads - for_small, parts);
  let jobs = 0;
  /** Characters of crowds beyond the rate that is not a flood, as of `surplus_at`. */
  let surplus = 0;
  let surplus_at = clock.ticks();
  /** The small events of this turn of the event loop, which ask where they are scored, and their characters. */
  let asking: ((thread: ScoringThread | null) => void)[] = [];
  let asked_for = 0;

  function answerAll(): void {
    const all = asking;
    const is_crowd = all.length >= crowd;
    const thread = is_crowd && isFlood(asked_for) ? small_crew.pick() : null;
    asking = [];
    asked_for = 0;
    for (const answer of all) answer(thread);
  }

  /** Adds a crowd to the count. Threads that were started stay. */
  function isFlood(characters: number): boolean {
    if (small_crew.hasStarted()) return true;
    const now = clock.ticks();
    surplus = Math.max(0, surplus - ((now - surplus_at) / 1_000) * lasting.per_s) + characters;
    surplus_at = now;
    return surplus > lasting.surplus;
  }

  /** The thread for a small event, known after all events of this turn have asked. */
  function crowdThread(length: number): Promise<ScoringThread | null> {
    return new Promise((resolve) => {
      if (asking.length === 0) process.nextTick(answerAll);
      asking.push(resolve);
      asked_for += length;
    });
  }

  function at(thread: ScoringThread, customer_id: string, { event, json }: Scorable, policy: CompiledPolicy): Scorer {
    jobs += 1;
    const job = { id: jobs, customer_id, text: json ?? JSON.stringify(event), policy, is_sent: false };
    return {
      footprint: () => thread.footprint(job),
      score: (history) => thread.score(job, JSON.stringify(history)),
      reading: () => null,
    };
  }

  return {
    begin(customer_id, scorable, policy, extent) {
      if (extent === 'outline') return here(customer_id, scorable, policy, extent);
      const place = (thread: ScoringThread | null): Scorer =>
        thread === null ? here(customer_id, scorable, policy, extent) : at(thread, customer_id, scorable, policy);
      const length = scorable.scored_length ?? Number.POSITIVE_INFINITY;
      // The first large events are scored here: they do not wait for threads that start.
      if (isMoreWork(scorable.event, length, small)) return place(large_crew.pick());
      if (for_small === 0) return place(null);
      let placed: Scorer | null = null;
      const scorer = (): Later<Scorer> => placed ?? crowdThread(length).then((thread) => (placed = place(thread)));
      return {
        footprint: () => whenThere(scorer(), (one) => one.footprint()),
        score: (history) => whenThere(scorer(), (one) => one.score(history)),
        reading: () => placed?.reading() ?? null,
      };
    },
    async close() {
      await Promise.all([small_crew.close(), large_crew.close()]);
    },
  };
}
