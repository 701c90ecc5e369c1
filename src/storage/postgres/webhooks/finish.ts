/** The end of an attempt: its effect on the message and on its endpoint, in one transaction. */
import type pg from 'pg';
import type { AttemptOutcome, ClaimedDelivery } from '../../ports/webhooks.ts';
import { appendAudit } from '../auth/audit.ts';
import { inTransaction } from '../connection/pool.ts';

const WORKS = `update webhooks set leased_by = null, leased_until = null, failing_since = null, failures = 0,
  paused_until = null
where webhook_id = $1 and leased_by = $2 returning null as disabled_reason`;

/** Returns the reason only when this call disables it. */
const FAILS = `with before as (
  select webhook_id, disabled_at, case
    when disabled_at is not null then null
    when $4::text is not null then $4
    when failing_since < now() - $5 * interval '1 s' then $6::text
  end as reason
  from webhooks where webhook_id = $1 and leased_by = $2 for no key update
)
update webhooks w set leased_by = null, leased_until = null, failing_since = coalesce(w.failing_since, now()),
  failures = w.failures + 1, paused_until = now() + $3 * interval '1 s',
  disabled_at = case when b.reason is null then w.disabled_at else now() end,
  disabled_reason = coalesce(b.reason, w.disabled_reason)
from before b where w.webhook_id = b.webhook_id returning b.reason as disabled_reason`;

/** An accepted message is delivered, even if the lease ended meanwhile and another attempt is in progress. */
const DELIVERED = `update webhook_deliveries set state = 'delivered', attempts = attempts + 1, last_status = $2,
  last_reason = null
where delivery_id = $1 and state <> 'delivered'`;

const FAILED = `update webhook_deliveries set state = $2, attempts = attempts + 1, last_status = $3, last_reason = $4,
  next_attempt_at = clock_timestamp() + $5 * interval '1 s'
where delivery_id = $1 and state = 'pending'`;

export function finish(pool: pg.Pool, claim: ClaimedDelivery, outcome: AttemptOutcome): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    const endpoint = await updateEndpoint(client, claim, outcome);
    const is_ours = endpoint !== null;
    const { delivery_id } = claim;
    const reason = outcome.state === 'delivered' ? null : outcome.reason;
    await client.query(
      `insert into webhook_attempts (delivery_id, duration_ms, status, reason)
       select delivery_id, $2, $3, $4 from webhook_deliveries where delivery_id = $1`,
      [delivery_id, Math.round(outcome.duration_ms), outcome.status, reason],
    );
    if (outcome.state === 'delivered') {
      await client.query(DELIVERED, [delivery_id, outcome.status]);
    } else if (is_ours) {
      const retry_in_s = outcome.state === 'pending' ? outcome.retry_in_s : 0;
      await client.query(FAILED, [delivery_id, outcome.state, outcome.status, reason, retry_in_s]);
    }
    return endpoint?.disabled_reason ?? null;
  });
}

/** `null`: the lease was lost, and the other attempt decides about the endpoint. */
async function updateEndpoint(
  client: pg.PoolClient,
  { webhook_id, customer_id, claim_id, message_id }: ClaimedDelivery,
  outcome: AttemptOutcome,
): Promise<{ disabled_reason: string | null } | null> {
  if (outcome.state === 'delivered') {
    const { rows } = await client.query<{ disabled_reason: null }>(WORKS, [webhook_id, claim_id]);
    return rows[0] ?? null;
  }
  const { pause_s, disable, give_up } = outcome.endpoint;
  const values = [webhook_id, claim_id, pause_s, disable, give_up.after_s, give_up.reason];
  const { rows } = await client.query<{ disabled_reason: string | null }>(FAILS, values);
  const reason = rows[0]?.disabled_reason ?? null;
  if (reason !== null) {
    await appendAudit(client, {
      customer_id,
      action: 'webhook.disabled',
      actor: 'webhook worker',
      request_id: message_id,
      subject: webhook_id,
      details: { reason },
    });
  }
  return rows[0] ?? null;
}
