/**
 * Keys marked as scored whose event is missing: an operator deleted it, detached its partition, or did not restore it.
 * To every reader such an event is unknown; a writer that uses its id again frees the key first.
 */
import type pg from 'pg';
import { query } from '../connection/pool.ts';

/**
 * A key and its event are committed together and looked up in one snapshot, so a key that is being written now is not
 * mistaken for one without an event. The claiming statement itself cannot check this: a conflicting key may be newer
 * than its snapshot, and scanning all partitions would slow every group. A key that was written again since has another
 * time, and stays. Locked in the order in which keys are claimed. A hold under the id is removed with it.
 */
const FREE = {
  name: 'free-lost-keys',
  text: `with lost as materialized (
  select k.customer_id, k.event_id, k.scored_at
  from unnest($1::uuid[], $2::text[]) as r (customer_id, event_id) join event_keys k using (customer_id, event_id)
  where k.scored_at is not null and (select true from events e
    where e.customer_id = k.customer_id and e.scored_at = k.scored_at and e.event_id = k.event_id) is null
), locked as materialized (
  select k.ctid from lost l
    join event_keys k on k.customer_id = l.customer_id and k.event_id = l.event_id and k.scored_at = l.scored_at
  order by k.customer_id, k.event_id for update of k
), freed as (
  delete from event_keys where ctid = any (array(select ctid from locked)) returning customer_id, event_id
), let_go as (
  delete from holds h using freed f where h.customer_id = f.customer_id and h.event_id = f.event_id
)
select customer_id, event_id from freed`,
};

interface Key {
  customer_id: string;
  event_id: string;
}

const valuesOf = (keys: readonly Key[]) => [
  keys.map(({ customer_id }) => customer_id),
  keys.map(({ event_id }) => event_id),
];

/** Frees those keys that have lost their events, and returns them. */
export async function freeLost(pool: pg.Pool, keys: readonly Key[]): Promise<Key[]> {
  return keys.length === 0 ? [] : query<Key>(pool, FREE, valuesOf(keys));
}

/** The same in a transaction that has locked the keys. */
export async function freeLostOf(client: pg.PoolClient, keys: readonly Key[]): Promise<Key[]> {
  return (await client.query<Key>({ ...FREE, values: valuesOf(keys) })).rows;
}
