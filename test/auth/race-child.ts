/**
 * One of two processes that race on one database: does what it is told over IPC. Each operation is there twice, as the
 * product does it and as one writes it first: look, then act.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable, WeirError } from '../../src/platform/errors.ts';
import type { Decision } from '../../src/records/hold.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';
import { by, makeAuth, subagentOf } from './support.ts';

const url = process.argv[2]!;
const storage = await openPostgres(url, { ...WIDE_LIMITS, connections: 10 });
const auth = makeAuth(storage);
const pool = new pg.Pool({ connectionString: url, max: 10 });
const first = async (sql: string, values: unknown[]) => (await pool.query(sql, values)).rows[0];

export interface Operations {
  derive(customer_id: string, parent: string): Promise<string | null>;
  cascade(jti: string): Promise<string[]>;
  rotate(customer_id: string, key_id: string): Promise<string | null>;
  count(jti: string): Promise<boolean>;
  decide(event_id: string, override_token: string, decision: Decision): Promise<boolean>;
  expire(): Promise<number>;
  naive_derive(jti: string, parent: string): Promise<string | null>;
  naive_cascade(jti: string): Promise<string[]>;
  naive_rotate(customer_id: string, key_id: string): Promise<string | null>;
  naive_count(jti: string): Promise<boolean>;
  naive_decide(event_id: string, state: string): Promise<boolean>;
  naive_expire(): Promise<number>;
}

const pause = (): Promise<void> => sleep(Math.random() * 2);

const refusedIsNull = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WeirError && (error.code === 'unauthenticated' || error.code === 'conflict')) return null;
    throw error;
  }
};

const operations: Operations = {
  derive: async (customer_id, parent) => (await refusedIsNull(subagentOf(auth, customer_id, parent)))?.jti ?? null,
  cascade: async (jti) => (await auth.revoke.cascade(jti, null, by)).revoked_jtis,
  rotate: async (customer_id, key_id) => {
    for (;;) {
      try {
        return (await refusedIsNull(auth.keys.rotate(customer_id, key_id, false, by)))?.key_id ?? null;
      } catch (error) {
        // On a machine with other work a lock may not come in time; nothing was done then, and one tries again.
        if (!(error instanceof StoreUnavailable && /lock timeout/.test(error.message))) throw error;
      }
    }
  },
  decide: async (event_id, override_token, decision) =>
    (await refusedIsNull(auth.decide(event_id, { override_token, decision, reason: null }, by))) !== null,
  expire: () => storage.holds.expire(10),
  count: async (jti) => {
    const event = { event_id: randomUUID(), content_hash: 'h' };
    return (await storage.auth.tokens.countEvents(jti, randomUUID(), [event])).kind === 'counted';
  },

  naive_derive: async (jti, parent) => {
    if (!(await first('select from naive_tokens where jti = $1 and is_alive', [parent]))) return null;
    await pause();
    await pool.query('insert into naive_tokens (jti, parent_jti) values ($1, $2)', [jti, parent]);
    return jti;
  },
  naive_cascade: async (jti) => {
    const { rows } = await pool.query<{ jti: string }>(
      `with recursive tree as (
         select jti from naive_tokens where jti = $1
         union all select t.jti from naive_tokens t join tree on t.parent_jti = tree.jti
       )
       update naive_tokens set is_alive = false where jti in (select jti from tree) returning jti`,
      [jti],
    );
    return rows.map((row) => row.jti);
  },
  naive_rotate: async (customer_id, key_id) => {
    const active = await first('select from naive_keys where customer_id = $1 and is_active', [customer_id]);
    await pause();
    if (active !== undefined)
      await pool.query('update naive_keys set is_active = false where customer_id = $1', [customer_id]);
    await pool.query('insert into naive_keys (key_id, customer_id) values ($1, $2)', [key_id, customer_id]);
    return key_id;
  },
  naive_count: async (jti) => {
    const { used, max_events } = await first('select used, max_events from naive_usage where jti = $1', [jti]);
    if (used >= max_events) return false;
    await pool.query('update naive_usage set used = used + 1 where jti = $1', [jti]);
    return true;
  },
  naive_decide: async (event_id, state) => {
    const hold = await first('select state from naive_holds where event_id = $1', [event_id]);
    if (hold.state !== 'held') return false;
    await pool.query('update naive_holds set state = $2 where event_id = $1', [event_id, state]);
    return true;
  },
  naive_expire: async () => {
    const { rows } = await pool.query(`select event_id from naive_holds where state = 'held'`);
    for (const { event_id } of rows) {
      await pool.query(`update naive_holds set state = 'expired' where event_id = $1`, [event_id]);
      await pool.query(`insert into naive_messages values ($1, 'expired')`, [event_id]);
    }
    return rows.length;
  },
};

process.on('message', async ({ id, name, args }: { id: number; name: keyof Operations; args: never[] }) => {
  try {
    const result = await (operations[name] as (...args: never[]) => Promise<unknown>)(...args);
    process.send!({ id, result });
  } catch (error) {
    process.send!({ id, error: String((error as Error).stack) });
  }
});
process.on('disconnect', () => process.exit());
process.send!({ id: 0 });
