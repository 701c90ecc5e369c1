/** The audit log: append only; the database itself refuses changes. */
import type pg from 'pg';
import type { AuditEntry, AuditStore, StoredAuditEntry } from '../../ports/auth.ts';
import { isoText, query } from '../connection/pool.ts';

const INSERT = `insert into audit_log (customer_id, action, actor, request_id, subject, details)
  values ($1, $2, $3, $4, $5, $6)`;

const COLUMNS = `audit_id, ${isoText('at')} as at, customer_id, action, actor, request_id, subject, details`;

export function auditStore(pool: pg.Pool): AuditStore {
  return {
    append: async (entry) => void (await query(pool, INSERT, valuesOf(entry))),

    list: (customer_id, before, limit) =>
      query<StoredAuditEntry>(
        pool,
        `select ${COLUMNS} from audit_log where customer_id = $1 and audit_id < $2 order by audit_id desc limit $3`,
        [customer_id, before, limit],
      ),
  };
}

/** Runs inside the transaction of the change it records: both commit or neither. */
export async function appendAudit(client: pg.PoolClient, entry: AuditEntry): Promise<void> {
  await client.query(INSERT, valuesOf(entry));
}

function valuesOf({ customer_id, action, actor, request_id, subject, details }: AuditEntry): unknown[] {
  return [customer_id, action, actor, request_id, subject, JSON.stringify(details)];
}
