/**
 * Scores in threads of their own what would keep the thread that reads requests busy: large events, and small ones
 * where several have come together. An event over which a thread dies or hangs is given up; its neighbours are scored again.
 *
 * A few small ones are scored where they were read: a message there and back takes as long as to score one.
 */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AssessmentJson } from '../../scoring/assessment-json.ts';
import type { Footprint } from '../../scoring/history/trace.ts';
import type { CompiledPolicy } from '../../scoring/types.ts';
import { StoreUnavailable } from '../../storage/ports.ts';
import { type Later, whenThere } from '../later.ts';
import type { BeginHere } from '../score-here.ts';
import { type BeginScoring, NotSurvived, type Scorer } from '../scoring.ts';
import type { Scorable } from '../submission.ts';
import type { Ready, Reply, Task } from './protocol.ts';

/** A thread that does not reply for so long has hung: a thousand times what the longest event takes. */
const HANG_MS = 10_000;
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
/** The heap of one thread. What needs more is hostile. */
const HEAP_MB = 512;
const MAX_POLICIES = 5_000;

/** Characters of small events that come together. */
interface Flood {
  /** So many each second are no flood, however long it lasts. */
  per_s: number;
  /** What may come beyond that. */
  surplus: number;
}

/** One event at a thread. */
interface Job {
  id: number;
  customer_id: string;
  text: string;
  policy: CompiledPolicy;
  /** The thread has seen the event. */
  is_sent: boolean;
}

interface Waiting {
  task: Task;
  job: Job;
  resolve: (reply: Done) => void;
  reject: (error: Error) => void;
}

type Done = Exclude<Reply, { kind: 'forgotten' | 'failed' }>;

export interface ScoringPool {
  begin: BeginScoring;
  close(): Promise<void>;
}

export interface PoolParts {
  /** Half of them, rounded down, are for small events: of one thread none is. */
  threads: number;
  /** Scores on this thread: few small events, all of them while the first threads start, and what no thread survives. */
  here: BeginHere;
  /** Of the knowledge that `here` scores with. */
  rule_set_version: string;
  log: Log;
  clock: Clock;
  /** Small events that have to come together to go to a thread; by default 4. */
  crowd?: number;
  /** The flood of such crowds that the threads for them start with. */
  lasting?: Flood;
  /** For tests. */
  entry?: URL;
  hang_ms?: number;
  /** Characters up to which an event is small. */
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

/** Both reject with `NotSurvived` when the thread does not survive the event, with `StoreUnavailable` when it is closed. */
interface ScoringThread {
  /** Characters of the events that wait. */
  load(): number;
  /** It never replied yet. */
  isNew(): boolean;
  footprint(job: Job): Promise<Footprint>;
  /** `history`: JSON. */
  score(job: Job, history: string): Promise<AssessmentJson>;
  close(): Promise<void>;
}

/** Ours, with our compile cache if there is one: a thread is ready in two thirds of the time. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

function startThread({ rule_set_version, log, clock, hang_ms = HANG_MS, entry }: PoolParts): ScoringThread {
  const file = entry ?? new URL('thread.ts', import.meta.url);
  /** In the order in which they were sent. */
  let waiting = new Map<number, Waiting>();
  let known = new LRUCache<string, number>({ max: MAX_POLICIES });
  let outbox: Task[] = [];
  let next_id = 1;
  let load = 0;
  let is_new = true;
  let is_ready = false;
  let is_closed = false;
  let progress_at = clock.ticks();
  let current = new Int32Array(new SharedArrayBuffer(4));
  let worker = start();
  const watch = setInterval(
    () => {
      const is_hung = is_ready && waiting.size > 0 && clock.ticks() - progress_at > hang_ms;
      if (is_hung) void worker.terminate();
    },
    Math.min(1_000, hang_ms / 2),
  ).unref();

  function start(): Worker {
    current = new Int32Array(new SharedArrayBuffer(4));
    const started = new Worker(file, {
      workerData: current.buffer,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      env: environment(),
    });
    started.unref();
    started.on('message', (message: Reply[] | Ready) => {
      if ('ready' in message) ready(message);
      else for (const reply of message) take(reply);
    });
    started.on('error', (error) => log.error({ err: error }, 'a scoring thread failed'));
    started.on('exit', () => {
      if (!is_closed) replace();
    });
    return started;
  }

  function ready({ ready: version }: Ready): void {
    if (version !== rule_set_version)
      log.warn({ version }, 'the ontology on disk has changed since the start; restart to use it');
    is_ready = true;
    is_new = false;
    progress_at = clock.ticks();
  }

  /** With all that is sent in this turn. To a thread that still starts as well: what comes before it listens waits for it. */
  function send(one: Waiting): void {
    if (waiting.size === 0) progress_at = clock.ticks();
    waiting.set(one.task.id, one);
    load += one.job.text.length;
    if (outbox.length === 0) process.nextTick(post);
    outbox.push(one.task);
  }

  function post(): void {
    const tasks = outbox;
    outbox = [];
    if (!is_closed) worker.postMessage(tasks);
  }

  function sendWhole(one: Waiting): void {
    const { text, policy } = one.job;
    send({ ...one, task: { ...one.task, event: text, policies: policy.policies } });
  }

  /** The one that waits for this reply, which waits no longer. */
  function done(id: number): Waiting {
    const one = waiting.get(id)!;
    waiting.delete(id);
    load -= one.job.text.length;
    return one;
  }

  function take(reply: Reply): void {
    progress_at = clock.ticks();
    const one = done(reply.id);
    if (reply.kind === 'forgotten') sendWhole(one);
    else if (reply.kind === 'failed') {
      log.error({ reason: reply.reason, customer_id: one.job.customer_id }, 'an event could not be scored whole');
      one.reject(new NotSurvived());
    } else one.resolve(reply);
  }

  /** A thread died: the event that it was at is the suspect, the others go to its successor. */
  function replace(): void {
    const suspect = Atomics.load(current, 0);
    const left = waiting;
    waiting = new Map();
    outbox = [];
    load = 0;
    known = new LRUCache({ max: MAX_POLICIES });
    is_ready = false;
    worker = start();
    for (const one of left.values()) {
      if (one.task.id === suspect) {
        log.error({ customer_id: one.job.customer_id }, 'a scoring thread died over an event; scoring its outline');
        one.reject(new NotSurvived());
      } else sendWhole(one);
    }
  }

  function ask(job: Job, step: Task['step'], history: string): Promise<Done> {
    // How many may wait is settled before an event comes here (engine/turns.ts).
    if (is_closed) return Promise.reject(new StoreUnavailable('the service is stopping'));
    const { id, customer_id, text, policy } = job;
    const is_known = known.get(customer_id) === policy.version;
    if (!is_known) known.set(customer_id, policy.version);
    // A wrap-around after two thousand million tasks does no harm: nothing waits that long.
    next_id = next_id === 0x7fffffff ? 1 : next_id + 1;
    const task: Task = {
      id: next_id,
      job: id,
      step,
      customer_id,
      event: job.is_sent ? null : text,
      policy_version: policy.version,
      policies: is_known || policy.version === 0 ? null : policy.policies,
      history,
    };
    job.is_sent = true;
    return new Promise((resolve, reject) => send({ task, job, resolve, reject }));
  }

  return {
    load: () => load,
    isNew: () => is_new,
    async footprint(job) {
      const { footprint } = (await ask(job, 'footprint', '')) as Extract<Reply, { kind: 'footprint' }>;
      return JSON.parse(footprint) as Footprint;
    },
    async score(job, history) {
      const reply = (await ask(job, 'score', history)) as Extract<Reply, { kind: 'scored' }>;
      return AssessmentJson.ofText(reply.assessment, reply.shown_length);
    },
    async close() {
      is_closed = true;
      clearInterval(watch);
      await worker.terminate();
      for (const { reject } of waiting.values()) reject(new StoreUnavailable('the service is stopping'));
      waiting.clear();
    },
  };
}
