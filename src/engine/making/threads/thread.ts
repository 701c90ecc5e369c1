/** A scoring thread: tasks in, footprints and scores out. It knows no store and remembers nothing that matters. */
import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../../events/event.ts';
import { keepingOf, WHOLE } from '../../../records/kept-assessment.ts';
import { compileStoredPolicy, NO_POLICY } from '../../../scoring/policy/policy.ts';
import type { CompiledPolicy, History } from '../../../scoring/types.ts';
import { loadKnowledge } from '../../knowledge/knowledge.ts';
import { type ScorerHere, scoreHere } from '../score-here.ts';
import { MAX_POLICIES, type Ready, type Reply, type Task, type ThreadData } from './protocol.ts';

/** Events whose footprint is known and whose score was not asked for yet: more than a server has in work. */
const MAX_JOBS = 256;
/** Replies that go together: the server can go on with some while others are made. */
const REPLIES = 16;

const port = parentPort!;
const { task, rule_set_version, texts } = workerData as ThreadData;
/** The task that is being worked on, for whoever has to find out over which one this thread died. */
const current = new Int32Array(task);
const knowledge = await loadKnowledge();
// Where files have changed since the server started, it has other texts: assessments are kept whole then.
const begin = scoreHere(knowledge, knowledge.version === rule_set_version ? keepingOf(texts) : WHOLE);
const policies = new LRUCache<string, CompiledPolicy>({ max: MAX_POLICIES });
const jobs = new LRUCache<number, ScorerHere>({ max: MAX_JOBS });

function policyOf({ customer_id, policy_version, policies: sent }: Task): CompiledPolicy | null {
  const known = policies.get(customer_id);
  if (known?.version === policy_version) return known;
  if (sent === null && policy_version !== 0) return null;
  const compiled = sent === null ? NO_POLICY : compileStoredPolicy(sent, policy_version);
  policies.set(customer_id, compiled);
  return compiled;
}

function jobOf(task: Task): ScorerHere | null {
  const known = jobs.get(task.job);
  if (known !== undefined) return known;
  const policy = policyOf(task);
  if (task.event === null || policy === null) return null;
  return begin(task.customer_id, { event: JSON.parse(task.event) as AgentEvent }, policy, 'whole');
}

function reply(task: Task): Reply {
  const { id, job, step } = task;
  try {
    const scorer = jobOf(task);
    if (scorer === null) return { id, kind: 'forgotten' };
    if (step === 'footprint') {
      jobs.set(job, scorer);
      return { id, kind: 'footprint', footprint: JSON.stringify(scorer.footprint()) };
    }
    jobs.delete(job);
    const { kept, shown } = scorer.score(JSON.parse(task.history) as History | null);
    return { id, kind: 'scored', kept, shown };
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
