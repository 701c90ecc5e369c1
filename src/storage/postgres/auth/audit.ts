/** The audit log: append only; the database itself refuses changes, and chains the entries by their hashes. */
import type pg from 'pg';
import type { AuditChain, AuditEntry, AuditStore, ChainedEntry, StoredAuditEntry } from '../../ports/auth.ts';
import { isoText, query } from '../connection/pool.ts';
import { conditions } from '../events/place.ts';

const INSERT = `insert into audit_log (customer_id, action, actor, request_id, subject, details)
  values ($1, $2, $3, $4, $5, $6)`;

/** The chain of entries that belong to no customer. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const COLUMNS = `audit_id, ${isoText('at')} as at, customer_id, action, actor, request_id, subject, details`;

export function auditStore(pool: pg.Pool): AuditStore {
  return {
    append: async (entry) => void (await query(pool, INSERT, valuesOf(entry))),

    list: (customer_id, before, limit, { action, actor, subject, since, until } = {}) => {
      const values: unknown[] = [customer_id, before, limit];
      const bind = (value: unknown) => `$${values.push(value)}`;
      const wanted = conditions(
        'customer_id = $1 and audit_id < $2',
        action && (action.endsWith('.') ? `starts_with(action, ${bind(action)})` : `action = ${bind(action)}`),
        actor && `actor = ${bind(actor)}`,
        subject && `subject = ${bind(subject)}`,
        since && `at >= ${bind(since)}::timestamptz`,
        until && `at <= ${bind(until)}::timestamptz`,
      );
      const text = `select ${COLUMNS} from audit_log where ${wanted} order by audit_id desc limit $3`;
      return query<StoredAuditEntry>(pool, text, values);
    },

    chain: (customer_id, after_seq, limit) =>
      query<ChainedEntry>(
        pool,
        `select audit_id, ${isoText('at')} as at, customer_id, action, actor, request_id, subject, details::text as details_text,
           seq, hash from audit_log
         where coalesce(customer_id, '${NOBODY}') = $1::uuid and seq > $2 order by seq limit $3`,
        [customer_id ?? NOBODY, after_seq, limit],
      ),

    chains: () =>
      query<AuditChain>(
        pool,
        `select nullif(chain_id, '${NOBODY}') as customer_id, seq, hash from audit_chains order by chain_id`,
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
