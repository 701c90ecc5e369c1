/** People, one-time links and sessions. Anyone who was removed is kept, because decisions name them. */
import type pg from 'pg';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { AuditEntry } from '../../ports/auth.ts';
import type { FoundSession, PeopleStore, PersonSecrets, StoredPerson } from '../../ports/people.ts';
import { appendAudit } from '../auth/audit.ts';
import { makeKnown } from '../auth/customers.ts';
import { inTransaction, isoText, query, withClient } from '../connection/pool.ts';
import { approvals } from './approvals.ts';

export const personColumns = (of: string): string =>
  `${of}.person_id, ${of}.customer_id, ${of}.email, ${of}.name, ${of}.role, ${isoText(`${of}.created_at`)} as created_at`;

const minutes = (at: string): string => `clock_timestamp() + make_interval(mins => ${at})`;

/** What another node removes at this moment is left to it. */
const dropOver = (table: 'person_sessions' | 'sign_in_links'): string => `delete from ${table} where ctid = any (array(
  select ctid from ${table} where expires_at < clock_timestamp() - interval '1 day' limit $1 for update skip locked))`;

export function peopleStore(pool: pg.Pool): PeopleStore {
  /** Changes a person and ends its sessions: a role that was taken away must not live on in a session. */
  const change = (person_id: string, set: string, values: unknown[], audit: AuditEntry): Promise<boolean> =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(`update people set ${set} where person_id = $1 and removed_at is null`, [
        person_id,
        ...values,
      ]);
      if (rowCount === 0) return false;
      await client.query(
        'update person_sessions set ended_at = clock_timestamp() where person_id = $1 and ended_at is null',
        [person_id],
      );
      await appendAudit(client, audit);
      return true;
    });

  return {
    ...approvals(pool),

    add: (person, audit) =>
      inTransaction(pool, async (client) => {
        await makeKnown(client, person.customer_id);
        const { rowCount } = await client.query(
          `insert into people (person_id, customer_id, email, name, role) values ($1, $2, $3, $4, $5)
           on conflict (customer_id, email) where removed_at is null do nothing`,
          [person.person_id, person.customer_id, person.email, person.name, person.role],
        );
        if (rowCount === 1) await appendAudit(client, audit);
        return rowCount === 1;
      }),

    list: (customer_id) =>
      query<StoredPerson>(
        pool,
        `select ${personColumns('p')} from people p where p.customer_id = $1 and p.removed_at is null
         order by p.created_at, p.person_id`,
        [customer_id],
      ),

    async find(person_id) {
      const rows = await query<StoredPerson>(
        pool,
        `select ${personColumns('p')} from people p where p.person_id = $1 and p.removed_at is null`,
        [person_id],
      );
      return rows[0] ?? null;
    },

    async findByEmail(email, customer_id) {
      if (!isPlainText(email)) return [];
      return await query<PersonSecrets>(
        pool,
        `select ${personColumns('p')}, p.password_hash, p.issuer, p.subject from people p
         where p.email = $1 and ($2::uuid is null or p.customer_id = $2) and p.removed_at is null
         order by p.created_at, p.person_id limit 100`,
        [email, customer_id],
      );
    },

    setRole: (person_id, role, audit) => change(person_id, 'role = $2', [role], audit),
    remove: (person_id, audit) => change(person_id, 'removed_at = clock_timestamp()', [], audit),

    setPassword: async (person_id, password_hash) =>
      void (await query(pool, 'update people set password_hash = $2 where person_id = $1', [person_id, password_hash])),

    async bind(person_id, issuer, subject) {
      const rows = await query(
        pool,
        `update people set issuer = $2, subject = $3 where person_id = $1
           and (issuer is null or (issuer = $2 and subject = $3)) returning person_id`,
        [person_id, issuer, subject],
      );
      return rows.length === 1;
    },

    addLink: (person_id, link_hash, ttl_minutes) =>
      inTransaction(pool, async (client) => {
        await client.query(
          'update sign_in_links set used_at = clock_timestamp() where person_id = $1 and used_at is null',
          [person_id],
        );
        await client.query(
          `insert into sign_in_links (link_hash, person_id, expires_at) values ($2, $1, ${minutes('$3')})`,
          [person_id, link_hash, ttl_minutes],
        );
      }),

    async useLink(link_hash) {
      // Not repeated when its answer is lost: the link may be used up then, and the person asks for another.
      const rows = await query<StoredPerson>(
        pool,
        `with used as (
           update sign_in_links set used_at = clock_timestamp()
           where link_hash = $1 and used_at is null and expires_at > clock_timestamp() returning person_id
         )
         select ${personColumns('p')} from used join people p using (person_id) where p.removed_at is null`,
        [link_hash],
      );
      return rows[0] ?? null;
    },

    startSession: ({ session_hash, person_id, signed_in, address, ttl_minutes }, audit) =>
      inTransaction(pool, async (client) => {
        await client.query(
          `insert into person_sessions (session_hash, person_id, signed_in, address, expires_at)
           values ($1, $2, $3, $4, ${minutes('$5')})`,
          [session_hash, person_id, signed_in, address, ttl_minutes],
        );
        await appendAudit(client, audit);
      }),

    async findSession(session_hash) {
      const rows = await query<StoredPerson & Omit<FoundSession, 'person'>>(
        pool,
        `select ${personColumns('p')}, s.signed_in, ${isoText('s.expires_at')} as expires_at
         from person_sessions s join people p using (person_id)
         where s.session_hash = $1 and s.ended_at is null and s.expires_at > clock_timestamp() and p.removed_at is null`,
        [session_hash],
      );
      if (rows[0] === undefined) return null;
      const { signed_in, expires_at, ...person } = rows[0];
      return { person, signed_in, expires_at };
    },

    endSession: async (session_hash) =>
      void (await query(
        pool,
        'update person_sessions set ended_at = clock_timestamp() where session_hash = $1 and ended_at is null',
        [session_hash],
      )),

    async dropOver(limit) {
      let dropped = 0;
      for (const table of ['person_sessions', 'sign_in_links'] as const)
        dropped += (await withClient(pool, (client) => client.query(dropOver(table), [limit]))).rowCount ?? 0;
      return dropped;
    },
  };
}
