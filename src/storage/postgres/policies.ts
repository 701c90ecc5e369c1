/** Policies: every version is kept, the highest is in force. */
import type pg from 'pg';
import type { StoredPolicy } from '../../records/policy.ts';
import type { PolicyStore } from '../ports/storage.ts';
import { makeKnown } from './auth/customers.ts';
import { inTransaction, isoText, query } from './connection/pool.ts';

const COLUMNS = `customer_id, version, policies, ${isoText('updated_at')} as updated_at`;

export function policyStore(pool: pg.Pool): PolicyStore {
  return {
    put: (customer_id, policies) =>
      inTransaction(pool, async (client) => {
        await makeKnown(client, customer_id);
        // Writers of one customer are serialised. The next statement has a newer snapshot, so it sees the previous
        // version.
        await client.query('select from customers where customer_id = $1 for update', [customer_id]);
        const { rows } = await client.query<StoredPolicy>(
          `insert into policies (customer_id, version, policies)
           select $1, coalesce(max(version), 0) + 1, $2 from policies where customer_id = $1
           returning ${COLUMNS}`,
          [customer_id, JSON.stringify(policies)],
        );
        return rows[0]!;
      }),

    async current(customer_id) {
      const rows = await query<StoredPolicy>(
        pool,
        `select ${COLUMNS} from policies where customer_id = $1 order by version desc limit 1`,
        [customer_id],
      );
      return rows[0] ?? null;
    },

    async version(customer_id, version) {
      const rows = await query<StoredPolicy>(
        pool,
        `select ${COLUMNS} from policies where customer_id = $1 and version = $2`,
        [customer_id, version],
      );
      return rows[0] ?? null;
    },
  };
}
