/**
 * Keys that say «scored» and have no event: somebody deleted it by hand, took its partition out, or did not restore it. To
 * every reader such an event is unknown; who uses its id again frees the key first.
 */
import type pg from 'pg';
import { query } from '../connection/pool.ts';

/**
 * A key and its event come in one commit and are looked for in one snapshot, so a key that another writes at this moment is
 * not taken for one without an event. A statement that claims keys cannot ask this: what it finds in its way may be younger
 * than its snapshot; and to have all partitions in it would cost every group. A key that was written again since has another
 * time, and stays. Locked in the order in which keys are claimed. What was held under the id goes with it.
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

/** Frees those of the keys that have lost their events, and answers which those were. */
export async function freeLost(pool: pg.Pool, keys: readonly Key[]): Promise<Key[]> {
  return keys.length === 0 ? [] : query<Key>(pool, FREE, valuesOf(keys));
}

/** The same in a transaction that has locked the keys. */
export async function freeLostOf(client: pg.PoolClient, keys: readonly Key[]): Promise<Key[]> {
  return (await client.query<Key>({ ...FREE, values: valuesOf(keys) })).rows;
}
