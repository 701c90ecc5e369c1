/** Which worker sends what next. An endpoint is leased like a lane of the queue, so a slow one delays only itself. */
import type pg from 'pg';
import type { ClaimedDelivery } from '../../ports/webhooks.ts';
import { inTransaction, query } from '../connection/pool.ts';
import { secretsOf } from './secrets.ts';

/**
 * Endpoints with something due, longest waiting first. `busy` skips through the index of pending deliveries from
 * endpoint to endpoint: a million messages for one receiver take one step, and endpoints without any take none.
 */
const LEASE = `with recursive busy as (
  (select webhook_id from webhook_deliveries where state = 'pending' order by webhook_id limit 1)
  union all
  select (
    select d.webhook_id from webhook_deliveries d
    where d.state = 'pending' and d.webhook_id > b.webhook_id order by d.webhook_id limit 1
  ) from busy b where b.webhook_id is not null
), due as (
  select w.webhook_id, row_number() over (partition by w.customer_id order by w.served_at) + (
      select count(*) from webhooks o where o.customer_id = w.customer_id and o.leased_until >= now()
    ) as place
  from busy join webhooks w using (webhook_id)
  where w.disabled_at is null and (w.paused_until is null or w.paused_until <= now())
    and (w.leased_until is null or w.leased_until < now())
    and exists (
      select from webhook_deliveries d
      where d.webhook_id = w.webhook_id and d.state = 'pending' and d.next_attempt_at <= now())
), next as (
  select w.webhook_id from webhooks w join due using (webhook_id)
  where due.place <= $2 and w.disabled_at is null and (w.leased_until is null or w.leased_until < now())
  order by w.served_at limit $1 for no key update of w skip locked
)
update webhooks w
set leased_by = gen_random_uuid(), leased_until = now() + $3 * interval '1 ms', served_at = clock_timestamp()
from next where w.webhook_id = next.webhook_id returning w.webhook_id`;

/** A separate statement: its snapshot is from after the lease, so it sees the result of the previous attempt. */
const NEXT = `select w.leased_by as claim_id, extract(epoch from clock_timestamp())::float8 * 1000 as claimed_at_ms, w.webhook_id, w.customer_id, w.endpoint_url, w.format, w.failures,
  d.delivery_id, d.message_id, d.attempts, m.body::text as body
from webhooks w
cross join lateral (
  select * from webhook_deliveries
  where webhook_id = w.webhook_id and state = 'pending' and next_attempt_at <= now()
  order by next_attempt_at, delivery_id limit 1
) d
join webhook_messages m using (message_id)
where w.webhook_id = any ($1)`;

export function claim(
  pool: pg.Pool,
  limit: number,
  per_customer: number,
  lease_ms: number,
): Promise<ClaimedDelivery[]> {
  return inTransaction(pool, async (client) => {
    const leased = await client.query<{ webhook_id: string }>(LEASE, [limit, per_customer, lease_ms]);
    if (leased.rows.length === 0) return [];
    const webhook_ids = leased.rows.map((row) => row.webhook_id);
    const { rows } = await client.query<Omit<ClaimedDelivery, 'secrets'>>(NEXT, [webhook_ids]);
    const secrets = await secretsOf(client, webhook_ids);
    const idle = webhook_ids.filter((id) => !rows.some((row) => row.webhook_id === id));
    if (idle.length > 0) {
      await client.query('update webhooks set leased_by = null, leased_until = null where webhook_id = any ($1)', [
        idle,
      ]);
    }
    return rows.map((row) => ({ ...row, secrets: secrets.get(row.webhook_id) ?? [] }));
  });
}

export async function release(pool: pg.Pool, { webhook_id, claim_id }: ClaimedDelivery, pause_s: number) {
  await query(
    pool,
    `update webhooks set leased_by = null, leased_until = null, paused_until = now() + $3 * interval '1 s'
     where webhook_id = $1 and leased_by = $2`,
    [webhook_id, claim_id, pause_s],
  );
}
