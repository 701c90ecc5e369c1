/** Accepts a batch: registers its ids, counts and queues its new events, in one transaction. */
import type pg from 'pg';
import type { AcceptOutcome, QueuedEvent } from '../../ports/queue.ts';
import { countClaimed } from '../auth/session-counts.ts';
import { bulkQuery, type Parameter } from '../connection/bulk-query.ts';
import { withClient } from '../connection/pool.ts';
import { freeLostOf } from '../events/lost-keys.ts';
import { isGone } from '../partitions/partitions.ts';
import { type Chunk, enqueue, toChunks } from './queue-chunks.ts';

/**
 * In the order of the keys, so that two batches with the same events cannot deadlock. A key whose event is gone is used
 * again. If that event was set aside before a door scored it, the new one is not.
 */
const CLAIM = {
  name: 'claim-events',
  text: `with claimed as (
  insert into event_keys as k (customer_id, event_id, content_hash)
  select $1, event_id, content_hash from unnest($2::text[], $3::text[]) as r (event_id, content_hash) order by event_id collate "C"
  on conflict (customer_id, event_id) do update set content_hash = excluded.content_hash, scored_at = null
    where ${isGone('k.scored_at')}
  returning event_id
), forgotten as (
  delete from queue_dead d using claimed c where d.customer_id = $1 and d.event_id = c.event_id
)
select case when (select count(*) from claimed) < cardinality($2::text[]) then array(select event_id from claimed) end as event_ids`,
};

const CONFLICT = `select r.nr::int - 1 as index
from unnest($2::text[], $3::text[]) with ordinality as r (event_id, content_hash, nr)
  join event_keys k on k.customer_id = $1 and k.event_id = r.event_id
where k.content_hash <> r.content_hash order by r.nr limit 1`;

type Accepted =
  | Exclude<AcceptOutcome, { kind: 'accepted' }>
  | { kind: 'accepted'; event_ids: string[]; chunks: Map<string, Chunk> };

/**
 * A session is counted after the keys are claimed: a transaction that holds its row waits for no key, so no deadlock
 * occurs. A transaction that waits for the same keys finds them known, and counts nothing.
 */
export function accept(
  pool: pg.Pool,
  customer_id: string,
  events: readonly QueuedEvent[],
  session_jti: string | null,
): Promise<Accepted> {
  return withClient(pool, async (client): Promise<Accepted> => {
    await client.query('begin');
    try {
      const claimed = await claim(client, customer_id, events);
      if (typeof claimed === 'number') {
        await client.query('rollback');
        return { kind: 'conflict', index: claimed };
      }
      const no_room = session_jti === null ? null : await countClaimed(client, session_jti, claimed);
      if (no_room !== null) {
        await client.query('rollback');
        return no_room;
      }
      const chunks = await enqueue(client, toChunks(customer_id, claimed));
      await client.query('commit');
      return { kind: 'accepted', event_ids: claimed.map(({ event_id }) => event_id), chunks };
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/** Registers the ids: the new events, or the index of the first whose id was used for other content. */
async function claim(
  client: pg.PoolClient,
  customer_id: string,
  events: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[] | number> {
  const is_new = await claimKeys(client, customer_id, events);
  if (is_new.size === events.length) return events;
  // Their keys were locked when the conflict was found, so no deadlock can occur, and no other transaction can
  // intervene.
  const known = events.filter(({ event_id }) => !is_new.has(event_id));
  const freed = await freeLostOf(
    client,
    known.map(({ event_id }) => ({ customer_id, event_id })),
  );
  if (freed.length > 0) {
    const is_free = new Set(freed.map(({ event_id }) => event_id));
    const again = known.filter(({ event_id }) => is_free.has(event_id));
    for (const event_id of await claimKeys(client, customer_id, again)) is_new.add(event_id);
  }
  const [ids, hashes] = columnsOf(events);
  const conflict = await client.query<{ index: number }>(CONFLICT, [customer_id, ids, hashes]);
  if (conflict.rows[0] !== undefined) return conflict.rows[0].index;
  return events.filter(({ event_id }) => is_new.has(event_id));
}

/** Ids of the events whose keys were free. */
async function claimKeys(
  client: pg.PoolClient,
  customer_id: string,
  events: readonly QueuedEvent[],
): Promise<Set<string>> {
  const [ids, hashes] = columnsOf(events);
  const columns: Parameter[] = [customer_id, { type: 'text', items: ids }, { type: 'text', items: hashes }];
  const [claimed] = await bulkQuery<{ event_ids: string[] | null }>(client, CLAIM, columns);
  return new Set(claimed!.event_ids ?? ids);
}

function columnsOf(events: readonly QueuedEvent[]): [ids: string[], hashes: string[]] {
  return [events.map(({ event_id }) => event_id), events.map(({ content_hash }) => content_hash)];
}
