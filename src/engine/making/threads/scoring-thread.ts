/**
 * The server's side of one scoring thread: it sends tasks and waits for the replies. When the thread dies or hangs, the event that it
 * worked on fails with `ScoringFailed`, and the other events go to a new thread.
 */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../platform/clock.ts';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { AssessmentJson } from '../../../records/texts.ts';
import type { Footprint } from '../../../scoring/history/trace.ts';
import type { CompiledPolicy } from '../../../scoring/types.ts';
import { ScoringFailed } from '../make-score.ts';
import { MAX_POLICIES, type Ready, type Reply, type Task, type ThreadData } from './protocol.ts';

/** A thread that sends no reply for so long has hung: a thousand times what the longest event takes. */
const HANG_MS = 10_000;
/** The heap of one thread. An event that needs more is hostile. */
const HEAP_MB = 512;

/** One event at a thread. */
export interface Job {
  id: number;
  customer_id: string;
  text: string;
  policy: CompiledPolicy;
  /** The event was sent to the thread. */
  is_sent: boolean;
}

interface Waiting {
  task: Task;
  job: Job;
  resolve: (reply: Done) => void;
  reject: (error: Error) => void;
}

type Done = Exclude<Reply, { kind: 'forgotten' | 'failed' }>;

export interface ThreadParts {
  /** Of the knowledge that the server scores with; a thread that loaded another version is reported in the log. */
  rule_set_version: string;
  /** Whether the structural layer takes part. */
  is_structural: boolean;
  log: Log;
  clock: Clock;
  /** For tests: the module that the thread runs, and after how long without a reply it has hung. */
  entry?: URL;
  hang_ms?: number;
}

/** `footprint` and `score` reject with `ScoringFailed` when the thread dies, hangs or throws, with `StoreUnavailable` once it is closed. */
export interface ScoringThread {
  /** Characters of the events that wait. */
  load(): number;
  /** It has not replied yet. */
  isNew(): boolean;
  footprint(job: Job): Promise<Footprint>;
  /** `history`: JSON. */
  score(job: Job, history: string): Promise<AssessmentJson>;
  close(): Promise<void>;
}

/** The environment of this process, with its compile cache if it has one: a thread is ready in two thirds of the time then. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** Starts a thread in the background; it takes tasks at once. A thread that dies is replaced until `close` is called. */
export function startThread({
  rule_set_version,
  is_structural,
  log,
  clock,
  hang_ms = HANG_MS,
  entry,
}: ThreadParts): ScoringThread {
  const file = entry ?? new URL(import.meta.url.endsWith('.ts') ? 'thread.ts' : 'thread.js', import.meta.url);
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
      workerData: { task: current.buffer, is_structural } satisfies ThreadData,
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

  /** Sends a task with all others of this turn. A thread that still starts reads them when it is ready. */
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

  /** Takes out the task that waits for this reply. */
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
      one.reject(new ScoringFailed());
    } else one.resolve(reply);
  }

  /** Starts a new thread for the one that died. The event that it worked on is the suspect; the others go to the new thread. */
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
        one.reject(new ScoringFailed());
      } else sendWhole(one);
    }
  }

  function ask(job: Job, step: Task['step'], history: string): Promise<Done> {
    // engine/turns.ts bounds how many tasks wait here.
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
      return AssessmentJson.ofTexts(reply);
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
