/** A scoring thread: it takes tasks and replies with footprints and scores. It uses no store, and what it caches can be lost. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../../events/event.ts';
import { AssessmentJson } from '../../../records/texts.ts';
import { compileStoredPolicy, NO_POLICY } from '../../../scoring/policy/policy.ts';
import { type EventReading, read } from '../../../scoring/score.ts';
import type { CompiledPolicy, History } from '../../../scoring/types.ts';
import { loadKnowledge } from '../../knowledge/knowledge.ts';
import { MAX_POLICIES, type Ready, type Reply, type Task, type ThreadData } from './protocol.ts';

/** Events whose footprint was sent and whose score was not asked for yet: more than a server has in work. */
const MAX_JOBS = 256;
/** Replies of one message: the server can go on with these while others are made. */
const REPLIES = 16;

const port = parentPort!;
const { task, is_structural } = workerData as ThreadData;
/** The task that is being worked on; the server reads it when this thread has died. */
const current = new Int32Array(task);
const knowledge = await loadKnowledge({ is_structural });
const policies = new LRUCache<string, CompiledPolicy>({ max: MAX_POLICIES });
const jobs = new LRUCache<number, EventReading>({ max: MAX_JOBS });

function policyOf({ customer_id, policy_version, policies: sent }: Task): CompiledPolicy | null {
  const known = policies.get(customer_id);
  if (known?.version === policy_version) return known;
  if (sent === null && policy_version !== 0) return null;
  const compiled = sent === null ? NO_POLICY : compileStoredPolicy(sent, policy_version);
  policies.set(customer_id, compiled);
  return compiled;
}

function readingOf(task: Task): EventReading | null {
  const known = jobs.get(task.job);
  if (known !== undefined) return known;
  const policy = policyOf(task);
  if (task.event === null || policy === null) return null;
  return read(JSON.parse(task.event) as AgentEvent, policy, knowledge);
}

function reply(task: Task): Reply {
  const { id, job, step } = task;
  try {
    const reading = readingOf(task);
    if (reading === null) return { id, kind: 'forgotten' };
    if (step === 'footprint') {
      jobs.set(job, reading);
      return { id, kind: 'footprint', footprint: JSON.stringify(reading.footprint()) };
    }
    jobs.delete(job);
    const { shown, hidden } = new AssessmentJson(reading.score(JSON.parse(task.history) as History | null));
    return { id, kind: 'scored', shown, hidden };
  } catch (error) {
    return { id, kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (tasks: Task[]) => {
  let replies: Reply[] = [];
  for (const task of tasks) {
    Atomics.store(current, 0, task.id);
    replies.push(reply(task));
    if (replies.length < REPLIES) continue;
    port.postMessage(replies);
    replies = [];
  }
  if (replies.length > 0) port.postMessage(replies);
});
port.postMessage({ ready: knowledge.version } satisfies Ready);
