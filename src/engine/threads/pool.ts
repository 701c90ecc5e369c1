/**
 * Scores large events in threads of their own, so that the thread that reads requests is never busy with one for long,
 * however hostile. An event over which a thread dies or hangs is scored by its outline; its neighbours are scored again.
 *
 * Small ones are scored where they were read: to bring an event and its memories to a thread and its score back takes
 * several times as long as to score it.
 */
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { actionHash } from '../../holds/action-hash.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AssessmentJson } from '../../scoring/assessment-json.ts';
import type { AgentEvent, Assessment, CompiledPolicy } from '../../scoring/types.ts';
import { type Past, StoreUnavailable } from '../../storage/ports.ts';
import type { ScoredEvent } from '../score-event.ts';
import type { Scoring } from '../scoring.ts';
import type { Ready, Reply, Task } from './protocol.ts';

/** A thread that does not reply for so long has hung: a thousand times what the longest event takes. */
const HANG_MS = 10_000;
/** Characters of an event that is small: not even a hostile one takes more than a few milliseconds. */
const SMALL = 32_768;
/** The heap of one thread. What needs more is hostile. */
const HEAP_MB = 512;
const MAX_POLICIES = 5_000;

interface Waiting {
  task: Task;
  event: AgentEvent;
  policy: CompiledPolicy;
  resolve: (scored: ScoredEvent | null) => void;
  reject: (error: Error) => void;
}

export interface ScoringPool {
  score: Scoring;
  close(): Promise<void>;
}

export interface PoolParts {
  threads: number;
  /** Scores on this thread: small events, large ones while the first threads start, and what no thread survives. */
  inline: Scoring;
  /** Of the knowledge that `inline` scores with. */
  rule_set_version: string;
  log: Log;
  clock: Clock;
  /** For tests. */
  entry?: URL;
  hang_ms?: number;
  /** Characters up to which an event is small. */
  small?: number;
}

/** Threads start at the first large event: a server that gets none has none. */
export function createScoringPool(parts: PoolParts): ScoringPool {
  const { small = SMALL } = parts;
  const threads: ScoringThread[] = [];
  let next = 0;

  /** The least busy of those that have started, in turn where several are; `null` while none has. */
  function pick(): ScoringThread | null {
    while (threads.length < parts.threads) threads.push(startThread(parts));
    next += 1;
    let best: ScoringThread | null = null;
    for (let i = 0; i < threads.length; i += 1) {
      const thread = threads[(next + i) % threads.length]!;
      if (!thread.isNew() && (best === null || thread.load() < best.load())) best = thread;
    }
    return best;
  }

  return {
    score(customer_id, scorable, policy, remembered, extent) {
      const is_harmless = extent === 'outline' || (scorable.deed_length ?? Number.POSITIVE_INFINITY) <= small;
      // The first large events need not wait for threads that start.
      const thread = is_harmless ? null : pick();
      if (thread === null) return parts.inline(customer_id, scorable, policy, remembered, extent);
      return thread
        .score(customer_id, scorable, policy, remembered)
        .then((scored) => scored ?? parts.inline(customer_id, scorable, policy, remembered, 'outline'));
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface ScoringThread {
  /** Tasks that wait. */
  load(): number;
  /** It never replied yet. */
  isNew(): boolean;
  /** `null`: the thread did not survive this event. */
  score(...args: Parameters<Scoring> extends [...infer Args, unknown] ? Args : never): Promise<ScoredEvent | null>;
  close(): Promise<void>;
}

function startThread({ rule_set_version, log, clock, hang_ms = HANG_MS, entry }: PoolParts): ScoringThread {
  const file = entry ?? new URL('thread.ts', import.meta.url);
  /** In the order in which they were sent. */
  let waiting = new Map<number, Waiting>();
  let known = new LRUCache<string, number>({ max: MAX_POLICIES });
  let next_id = 1;
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
    });
    started.unref();
    started.on('message', (message: Reply | Ready) => {
      if ('ready' in message) ready(message);
      else take(message);
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

  /** To a thread that still starts as well: what comes before it listens waits for it. */
  function send(one: Waiting): void {
    if (waiting.size === 0) progress_at = clock.ticks();
    waiting.set(one.task.id, one);
    worker.postMessage(one.task);
  }

  function take(reply: Reply): void {
    progress_at = clock.ticks();
    const one = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if (reply.kind === 'needs_policy') send({ ...one, task: { ...one.task, policies: one.policy.policies } });
    else if (reply.kind === 'failed') {
      log.error({ reason: reply.reason, customer_id: one.task.customer_id }, 'an event could not be scored whole');
      one.resolve(null);
    } else one.resolve(toScored(reply, one));
  }

  /** A thread died: the event that it was at is the suspect, the others go to its successor. */
  function replace(): void {
    const suspect = Atomics.load(current, 0);
    const left = waiting;
    waiting = new Map();
    known = new LRUCache({ max: MAX_POLICIES });
    is_ready = false;
    worker = start();
    for (const one of left.values()) {
      if (one.task.id === suspect) {
        log.error({ customer_id: one.task.customer_id }, 'a scoring thread died over an event; scoring its outline');
        one.resolve(null);
      } else send({ ...one, task: { ...one.task, policies: one.policy.policies } });
    }
  }

  return {
    load: () => waiting.size,
    isNew: () => is_new,
    score(customer_id, { event }, policy, remembered) {
      // How many may wait is settled before an event comes here (engine/turns.ts).
      if (is_closed) return Promise.reject(new StoreUnavailable('the service is stopping'));
      const is_known = known.get(customer_id) === policy.version;
      if (!is_known) known.set(customer_id, policy.version);
      // A wrap-around after two thousand million events does no harm: nothing waits that long.
      next_id = next_id === 0x7fffffff ? 1 : next_id + 1;
      const task: Task = {
        id: next_id,
        customer_id,
        event: JSON.stringify(event),
        policy_version: policy.version,
        policies: is_known || policy.version === 0 ? null : policy.policies,
        remembered: remembered === null ? null : JSON.stringify(remembered),
      };
      return new Promise((resolve, reject) => send({ task, event, policy, resolve, reject }));
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

function toScored(reply: Extract<Reply, { kind: 'scored' }>, { task, event }: Waiting): ScoredEvent {
  const assessment = JSON.parse(reply.assessment) as Assessment;
  return {
    assessment,
    cache_hit: reply.cache_hit,
    past: reply.past === null ? null : (JSON.parse(reply.past) as Past),
    json: { event: task.event, assessment: new AssessmentJson(assessment, reply.assessment), past: reply.past },
    actionHash: () => actionHash(event),
  };
}
