/** Deliveries as an operator sees them: listed with their attempts, replayed, and removed when they are old. */
import type pg from 'pg';
import type { AuditEntry } from '../../ports/auth.ts';
import type {
  DeliveryFilter,
  DeliveryState,
  OutboxStats,
  ReplayOutcome,
  StoredDelivery,
  WebhookKey,
} from '../../ports/webhooks.ts';
import { appendAudit } from '../auth/audit.ts';
import { inTransaction, isoText, query, withClient } from '../connection/pool.ts';
import { hold } from './hold.ts';
import { ringWorkers } from './publish.ts';

/** Dead deliveries of one call, so that no statement is long. */
const REPLAY_AT_ONCE = 1_000;
/** Messages that one statement removes. */
const DROP_AT_ONCE = 1_000;

const LIST = `select d.delivery_id, d.message_id, m.type, d.state, d.attempts, ${isoText('m.created_at')} as created_at,
  case when d.state = 'pending' then ${isoText('d.next_attempt_at')} end as next_attempt_at,
  d.last_status, d.last_reason, coalesce((
    select json_agg(a) from (
      select ${isoText('attempted_at')} as attempted_at, duration_ms, status, reason from webhook_attempts t
      where t.delivery_id = d.delivery_id order by t.attempted_at desc limit 50
    ) a
  ), '[]') as attempt_log
from webhook_deliveries d join webhook_messages m using (message_id)
where d.webhook_id = $1 and d.delivery_id < $2 and ($3::text is null or d.state = $3)
order by d.delivery_id desc limit $4`;

export function deliveries(
  pool: pg.Pool,
  { webhook_id, customer_id }: WebhookKey,
  { state, before, limit }: DeliveryFilter,
): Promise<StoredDelivery[] | null> {
  return withClient(pool, async (client) => {
    const known = await client.query('select from webhooks where webhook_id = $1 and customer_id = $2', [
      webhook_id,
      customer_id,
    ]);
    if (known.rowCount === 0) return null;
    return (await client.query<StoredDelivery>(LIST, [webhook_id, before, state ?? null, limit])).rows;
  });
}

const REVIVE = `update webhook_deliveries set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp()
where delivery_id in (
  select delivery_id from webhook_deliveries
  where webhook_id = $1 and state = 'dead' and ($2::text is null or message_id = $2)
  order by delivery_id limit ${REPLAY_AT_ONCE}
)`;

export function replay(
  pool: pg.Pool,
  webhook: WebhookKey,
  message_id: string | null,
  audit: AuditEntry,
): Promise<ReplayOutcome> {
  const { webhook_id } = webhook;
  return inTransaction(pool, async (client): Promise<ReplayOutcome> => {
    if (!(await hold(client, webhook))) return { kind: 'unknown' };
    const { rowCount } = await client.query(REVIVE, [webhook_id, message_id]);
    const count = rowCount ?? 0;
    if (count === 0 && message_id !== null) return whyNot(client, webhook_id, message_id);
    await ringWorkers(client);
    await appendAudit(client, { ...audit, details: { ...audit.details, count } });
    const { rows } = await client.query<{ left: number }>(
      `select count(*) as left from webhook_deliveries where webhook_id = $1 and state = 'dead'`,
      [webhook_id],
    );
    return { kind: 'replayed', count, left: rows[0]!.left };
  });
}

async function whyNot(client: pg.PoolClient, webhook_id: string, message_id: string): Promise<ReplayOutcome> {
  const { rows } = await client.query<{ state: DeliveryState }>(
    'select state from webhook_deliveries where webhook_id = $1 and message_id = $2',
    [webhook_id, message_id],
  );
  return rows[0] === undefined ? { kind: 'unknown' } : { kind: 'not_dead', state: rows[0].state };
}

const STATS = `select count(*) as pending,
  greatest(coalesce(extract(epoch from
    clock_timestamp() - min(d.next_attempt_at) filter (where w.disabled_at is null)), 0), 0)::float8 as overdue_s,
  (select count(*) from webhook_deliveries where state = 'dead') as dead
from webhook_deliveries d join webhooks w using (webhook_id) where d.state = 'pending'`;

export async function stats(pool: pg.Pool): Promise<OutboxStats> {
  return (await query<OutboxStats>(pool, STATS))[0]!;
}

/** A pending delivery for an enabled endpoint is never removed. */
const DROP = `delete from webhook_messages where message_id in (
  select m.message_id from webhook_messages m
  where m.created_at < now() - $1 * interval '1 day' and not exists (
    select from webhook_deliveries d join webhooks w using (webhook_id)
    where d.message_id = m.message_id and d.state = 'pending' and w.disabled_at is null)
  order by m.created_at limit ${DROP_AT_ONCE}
) returning 1`;

export async function dropOld(pool: pg.Pool, days: number): Promise<void> {
  await query(pool, 'delete from webhook_secrets where valid_until < now()');
  for (;;) {
    if ((await query(pool, DROP, [days])).length < DROP_AT_ONCE) return;
  }
}
