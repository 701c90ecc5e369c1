/** One scoring thread: reads tasks, scores them in order, replies. It knows no store and remembers nothing that matters. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { compileStoredPolicy, NO_POLICY } from '../../scoring/policy.ts';
import type { AgentEvent, CompiledPolicy } from '../../scoring/types.ts';
import { loadKnowledge } from '../knowledge.ts';
import { createScoreCache } from '../score-cache.ts';
import { createScoreEvent, type Remembered } from '../score-event.ts';
import type { Ready, Reply, Task } from './protocol.ts';

const MAX_POLICIES = 5_000;

const port = parentPort!;
/** The task that is being scored, for whoever has to find out over which one this thread died. */
const current = new Int32Array(workerData as SharedArrayBuffer);
const knowledge = await loadKnowledge();
const scoreEvent = createScoreEvent(knowledge, createScoreCache(knowledge.version));
const policies = new LRUCache<string, CompiledPolicy>({ max: MAX_POLICIES });

function policyOf({ customer_id, policy_version, policies: sent }: Task): CompiledPolicy | null {
  const known = policies.get(customer_id);
  if (known?.version === policy_version) return known;
  if (sent === null && policy_version !== 0) return null;
  const compiled = sent === null ? NO_POLICY : compileStoredPolicy(sent, policy_version);
  policies.set(customer_id, compiled);
  return compiled;
}

function reply(task: Task): Reply {
  const { id } = task;
  const policy = policyOf(task);
  if (policy === null) return { id, kind: 'needs_policy' };
  try {
    const event = JSON.parse(task.event) as AgentEvent;
    const remembered = task.remembered === null ? null : (JSON.parse(task.remembered) as Remembered);
    const { json, cache_hit, past } = scoreEvent(task.customer_id, { event }, policy, remembered, 'whole');
    return {
      id,
      kind: 'scored',
      assessment: json.assessment.whole,
      cache_hit,
      past: past === null ? null : JSON.stringify(past),
    };
  } catch (error) {
    return { id, kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (task: Task) => {
  Atomics.store(current, 0, task.id);
  port.postMessage(reply(task));
});
port.postMessage({ ready: knowledge.version } satisfies Ready);
