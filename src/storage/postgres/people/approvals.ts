/** Approvals of events that need several, and rights that one person lends to another. */
import type pg from 'pg';
import type { Decider } from '../../../records/hold.ts';
import type { PeopleStore, StoredDelegation } from '../../ports/people.ts';
import { appendAudit } from '../auth/audit.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';

const person = (of: string): string =>
  `json_build_object('person_id', ${of}.person_id, 'customer_id', ${of}.customer_id, 'email', ${of}.email,
    'name', ${of}.name, 'role', ${of}.role, 'created_at', ${isoText(`${of}.created_at`)})`;

type Part = Pick<PeopleStore, 'approve' | 'delegate' | 'delegations' | 'endDelegation'>;

export function approvals(pool: pg.Pool): Part {
  return {
    approve: ({ customer_id, event_id, person_id, authority, decided_by }, audit) =>
      inTransaction(pool, async (client) => {
        // Approvals of one event take turns, so that the last of them sees all.
        await client.query('select from holds where customer_id = $1 and event_id = $2 for no key update', [
          customer_id,
          event_id,
        ]);
        const { rowCount } = await client.query(
          `insert into hold_approvals (customer_id, event_id, person_id, authority, decided_by)
           values ($1, $2, $3, $4, $5) on conflict do nothing`,
          [customer_id, event_id, person_id, authority, JSON.stringify(decided_by)],
        );
        const is_new = rowCount === 1;
        if (is_new) await appendAudit(client, audit);
        const { rows } = await client.query<{ decided_by: Decider }>(
          `select decided_by from hold_approvals where customer_id = $1 and event_id = $2
           order by approved_at, person_id`,
          [customer_id, event_id],
        );
        return { all: rows.map((row) => row.decided_by), is_new };
      }),

    delegate: ({ delegation_id, customer_id, from, to, ttl_minutes }, audit) =>
      inTransaction(pool, async (client) => {
        await client.query(
          `insert into delegations (delegation_id, customer_id, from_person, to_person, expires_at)
           values ($1, $2, $3, $4, clock_timestamp() + make_interval(mins => $5))`,
          [delegation_id, customer_id, from, to, ttl_minutes],
        );
        await appendAudit(client, audit);
      }),

    delegations: (customer_id) =>
      query<StoredDelegation>(
        pool,
        `select d.delegation_id, d.customer_id, ${person('a')} as "from", ${person('b')} as "to",
           ${isoText('d.expires_at')} as expires_at
         from delegations d join people a on a.person_id = d.from_person join people b on b.person_id = d.to_person
         where d.customer_id = $1 and d.ended_at is null and d.expires_at > clock_timestamp()
           and a.removed_at is null and b.removed_at is null
         order by d.created_at, d.delegation_id`,
        [customer_id],
      ),

    endDelegation: (customer_id, delegation_id, audit) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `update delegations set ended_at = clock_timestamp()
           where delegation_id = $2 and customer_id = $1 and ended_at is null`,
          [customer_id, delegation_id],
        );
        if (rowCount === 1) await appendAudit(client, audit);
        return rowCount === 1;
      }),
  };
}
