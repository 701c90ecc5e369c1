/** Endpoints: register, list, disable, enable. Every change commits with its line in the audit log. */
import type pg from 'pg';
import type { AuditEntry } from '../../ports/auth.ts';
import type { NewWebhook, SealedSecret, StoredWebhook, WebhookKey } from '../../ports/webhooks.ts';
import { appendAudit } from '../auth/audit.ts';
import { takeTurn } from '../auth/customers.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { hold } from './hold.ts';
import { publishMessage, ringWorkers } from './publish.ts';
import { insertSecret } from './secrets.ts';

const COLUMNS = `w.webhook_id, w.customer_id, w.endpoint_url, w.event_types, w.format, ${isoText('w.created_at')} as created_at,
  ${isoText('w.disabled_at')} as disabled_at, w.disabled_reason, ${isoText('w.failing_since')} as failing_since,
  (select count(*) from webhook_deliveries d where d.webhook_id = w.webhook_id and d.state = 'pending') as pending,
  (select count(*) from webhook_deliveries d where d.webhook_id = w.webhook_id and d.state = 'dead') as dead`;

export function register(
  pool: pg.Pool,
  webhook: NewWebhook,
  secret: SealedSecret,
  max: number,
  audit: AuditEntry,
): Promise<StoredWebhook | null> {
  const { webhook_id, customer_id, endpoint_url, event_types, format } = webhook;
  return inTransaction(pool, async (client) => {
    // Enforces the limit.
    await takeTurn(client, customer_id);
    const { rows } = await client.query<{ count: number }>('select count(*) from webhooks where customer_id = $1', [
      customer_id,
    ]);
    if (rows[0]!.count >= max) return null;
    await client.query(
      'insert into webhooks (webhook_id, customer_id, endpoint_url, event_types, format) values ($1, $2, $3, $4, $5)',
      [webhook_id, customer_id, endpoint_url, event_types, format],
    );
    await insertSecret(client, webhook_id, secret);
    await appendAudit(client, audit);
    return find(client, webhook);
  });
}

export function list(pool: pg.Pool, customer_id: string): Promise<StoredWebhook[]> {
  return query(pool, `select ${COLUMNS} from webhooks w where w.customer_id = $1 order by w.created_at, w.webhook_id`, [
    customer_id,
  ]);
}

async function find(client: pg.PoolClient, { webhook_id, customer_id }: WebhookKey): Promise<StoredWebhook | null> {
  const { rows } = await client.query<StoredWebhook>(
    `select ${COLUMNS} from webhooks w where w.webhook_id = $1 and w.customer_id = $2`,
    [webhook_id, customer_id],
  );
  return rows[0] ?? null;
}

const DISABLE = `update webhooks set disabled_at = clock_timestamp(), disabled_reason = $2
  where webhook_id = $1 and disabled_at is null`;
/** Earlier failures no longer count. */
const ENABLE = `update webhooks set disabled_at = null, disabled_reason = null, failing_since = null, failures = 0,
  paused_until = null where webhook_id = $1`;

export function setDisabled(
  pool: pg.Pool,
  webhook: WebhookKey,
  reason: string | null,
  audit: AuditEntry,
): Promise<StoredWebhook | null> {
  return inTransaction(pool, async (client) => {
    if (!(await hold(client, webhook))) return null;
    if (reason === null) await client.query(ENABLE, [webhook.webhook_id]);
    else await client.query(DISABLE, [webhook.webhook_id, reason]);
    // Waiting messages may be sent now.
    if (reason === null) await ringWorkers(client);
    await appendAudit(client, audit);
    return find(client, webhook);
  });
}

export function publishTo(
  pool: pg.Pool,
  webhook: WebhookKey,
  type: string,
  data: Record<string, unknown>,
  audit: AuditEntry,
): Promise<string | null> {
  const { webhook_id, customer_id } = webhook;
  return inTransaction(pool, async (client) => {
    if (!(await hold(client, webhook))) return null;
    const message = { customer_id, type, subject: webhook_id, data };
    const message_id = await publishMessage(client, message, webhook_id);
    await appendAudit(client, { ...audit, details: { ...audit.details, message_id } });
    return message_id;
  });
}
