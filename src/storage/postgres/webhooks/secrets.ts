/** Secrets of endpoints: the current one, and for a day the previous one. */
import type pg from 'pg';
import type { AuditEntry, SealedKey } from '../../ports/auth.ts';
import type { SealedSecret, WebhookKey } from '../../ports/webhooks.ts';
import { appendAudit } from '../auth/audit.ts';
import { inTransaction, query } from '../connection/pool.ts';
import { hold } from './hold.ts';

/** The names that encryption uses. */
const SEALED = 'secret as private_key, data_key, master_key_id';

export async function insertSecret(client: pg.PoolClient, webhook_id: string, sealed: SealedSecret): Promise<void> {
  await client.query(
    'insert into webhook_secrets (secret_id, webhook_id, secret, data_key, master_key_id) values ($1, $2, $3, $4, $5)',
    [sealed.secret_id, webhook_id, sealed.private_key, sealed.data_key, sealed.master_key_id],
  );
}

export function rotateSecret(
  pool: pg.Pool,
  webhook: WebhookKey,
  secret: SealedSecret,
  keep_s: number,
  audit: AuditEntry,
): Promise<boolean> {
  const { webhook_id } = webhook;
  return inTransaction(pool, async (client) => {
    if (!(await hold(client, webhook))) return false;
    // At most two, or a header would grow with every rotation; only the new one when the old is compromised.
    const going = keep_s > 0 ? 'valid_until is not null' : 'true';
    await client.query(`delete from webhook_secrets where webhook_id = $1 and ${going}`, [webhook_id]);
    await client.query(
      `update webhook_secrets set valid_until = clock_timestamp() + $2 * interval '1 s' where webhook_id = $1`,
      [webhook_id, keep_s],
    );
    await insertSecret(client, webhook_id, secret);
    await appendAudit(client, audit);
    return true;
  });
}

/** Secrets that sign now, the current one of each endpoint first. */
export async function secretsOf(client: pg.PoolClient, webhook_ids: string[]): Promise<Map<string, SealedSecret[]>> {
  const { rows } = await client.query<SealedSecret & { webhook_id: string }>(
    `select webhook_id, secret_id, ${SEALED} from webhook_secrets
     where webhook_id = any ($1) and (valid_until is null or valid_until > clock_timestamp())
     order by valid_until desc nulls first`,
    [webhook_ids],
  );
  return Map.groupBy(rows, (row) => row.webhook_id);
}

export function sealedOtherwise(
  pool: pg.Pool,
  master_key_id: string,
  after: string,
  limit: number,
): Promise<(SealedKey & { key_id: string })[]> {
  return query(
    pool,
    `select secret_id as key_id, ${SEALED} from webhook_secrets
     where master_key_id <> $1 and secret_id > $2 order by secret_id limit $3`,
    [master_key_id, after, limit],
  );
}

export async function rewrap(
  pool: pg.Pool,
  secret_id: string,
  from: string,
  to: Pick<SealedKey, 'data_key' | 'master_key_id'>,
): Promise<boolean> {
  const rows = await query(
    pool,
    `update webhook_secrets set data_key = $3, master_key_id = $4 where secret_id = $1 and master_key_id = $2
     returning secret_id`,
    [secret_id, from, to.data_key, to.master_key_id],
  );
  return rows.length === 1;
}
