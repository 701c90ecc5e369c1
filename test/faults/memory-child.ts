/**
 * A node that dies between a commit and the cache: `memory-child.ts <database url> <redis url> <customer_id> <agent_id>`. It
 * scores nothing, records one event that it remembers, and one that it does not come to remember.
 */
import { createMemories, ownersOf } from '../../src/engine/memories/memories.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { redisCache } from '../../src/storage/redis/cache.ts';
import { makeRecord, makeTrace } from '../contract/start.ts';
import { memory_key } from '../support/redis.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

const [url, redis_url, customer_id, agent_id] = process.argv.slice(2) as [string, string, string, string];
const storage = await openPostgres(url, WIDE_LIMITS);
const memories = createMemories({ storage, cache: redisCache(redis_url, { memory_key }), clock: systemClock });
const owners = ownersOf(customer_id, { agent: { agent_id } })!;
const { trace } = makeTrace('');

async function record() {
  await memories.recall(owners);
  const past = { agent_key: owners.agent!.key, session_key: null, trace, history: null };
  const made = makeRecord(customer_id, { past });
  const outcome = await storage.scores.record(made);
  if (outcome.kind !== 'stored') throw new Error(`the event is ${outcome.kind}`);
  return { event_id: made.event_id, scored_at: outcome.scored_at, trace };
}

memories.learn(owners, await record());
await memories.drain();
await record();
process.kill(process.pid, 'SIGKILL');
