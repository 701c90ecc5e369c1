/**
 * Scores in threads of their own what would keep the thread that reads requests busy: large events, and small ones
 * where several have come together. An event over which a thread dies or hangs is given up; its neighbours are scored again.
 *
 * A few small ones are scored where they were read: a message there and back takes as long as to score one.
 */

import type { Scorable } from '../../../events/submission.ts';
import type { CompiledPolicy } from '../../../scoring/types.ts';
import { type Later, whenThere } from '../later.ts';
import type { BeginHere } from '../score-here.ts';
import type { BeginScoring, Scorer } from '../scoring.ts';
import { type ScoringThread, startThread, type ThreadParts } from './scoring-thread.ts';

/** Characters of an event that is small: not even a hostile one takes more than a few milliseconds. */
const SMALL = 32_768;
/** So many small events that come together go to a thread. */
const CROWD = 4;
/**
 * How many characters of small events come together before threads for them start: more than `per_s` for so long that `surplus`
 * is left, about five hundred ordinary events a second and eight thousand beyond that. A server that meets the actions of its agents for the
 * first time needs its processors for itself: until the compiler has seen the code each event takes ten times as long, and a thread
 * that starts has all of that before it as well. Only new actions without end are worth it.
 */
const LASTING: Flood = { per_s: 500_000, surplus: 8_000_000 };
/** Characters that wait at a thread before another one is used: full messages are cheaper than idle threads. */
const BUSY = 65_536;

/** Characters of small events that come together. */
interface Flood {
  /** So many each second are no flood, however long it lasts. */
  per_s: number;
  /** What may come beyond that. */
  surplus: number;
}

export interface ScoringPool {
  begin: BeginScoring;
  close(): Promise<void>;
}

export interface PoolParts extends ThreadParts {
  /** Half of them, rounded down, are for small events: of one thread none is. */
  threads: number;
  /** Scores on this thread: few small events, all of them while the first threads start, and what no thread survives. */
  here: BeginHere;
  /** Small events that have to come together to go to a thread; by default 4. */
  crowd?: number;
  /** The flood of such crowds that the threads for them start with. */
  lasting?: Flood;
  /** For tests: characters up to which an event is small. */
  small?: number;
}

/** Threads that share one kind of work. */
interface Crew {
  /** The first that has little to do, else the least busy. The first call starts them; `null` while none is ready. */
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

/** Threads start when they are wanted: a server that is never busy has none, and one that sees no large event none for these. */
export function createScoringPool(parts: PoolParts): ScoringPool {
  const { small = SMALL, crowd = CROWD, lasting = LASTING, here, clock } = parts;
  // Nobody waits behind a large event but large ones.
  const for_small = Math.floor(parts.threads / 2);
  const small_crew = createCrew(for_small, parts);
  const large_crew = createCrew(parts.threads - for_small, parts);
  let jobs = 0;
  /** Characters of small events that came in crowds, beyond what is no flood, up to a moment. */
  let surplus = 0;
  let surplus_at = clock.ticks();
  /** Who asks where to go, in this turn of the loop, and the characters of all of them. */
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

  /** Counts a crowd. Once there are threads there are threads. */
  function isFlood(characters: number): boolean {
    if (small_crew.hasStarted()) return true;
    const now = clock.ticks();
    surplus = Math.max(0, surplus - ((now - surplus_at) / 1_000) * lasting.per_s) + characters;
    surplus_at = now;
    return surplus > lasting.surplus;
  }

  /** Where a small event goes is told after all that came with it have asked. */
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
      leave: () => null,
    };
  }

  return {
    begin(customer_id, scorable, policy, extent) {
      if (extent === 'outline') return here(customer_id, scorable, policy, extent);
      const place = (thread: ScoringThread | null): Scorer =>
        thread === null ? here(customer_id, scorable, policy, extent) : at(thread, customer_id, scorable, policy);
      const length = scorable.deed_length ?? Number.POSITIVE_INFINITY;
      // The first large events need not wait for threads that start.
      if (length > small) return place(large_crew.pick());
      if (for_small === 0) return place(null);
      let placed: Scorer | null = null;
      const scorer = (): Later<Scorer> => placed ?? crowdThread(length).then((thread) => (placed = place(thread)));
      return {
        footprint: () => whenThere(scorer(), (one) => one.footprint()),
        score: (history) => whenThere(scorer(), (one) => one.score(history)),
        leave: () => placed?.leave() ?? null,
      };
    },
    async close() {
      await Promise.all([small_crew.close(), large_crew.close()]);
    },
  };
}
