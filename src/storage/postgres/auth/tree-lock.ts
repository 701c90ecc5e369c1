/** The lock of one token tree: derivations share it, a cascade that lists what it ended takes it exclusively. */
import type pg from 'pg';

/** Held until the end of the transaction. `root`: jti of the app token. */
export async function lockTree(client: pg.PoolClient, root: string, how: 'together' | 'alone'): Promise<void> {
  const lock = how === 'together' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await client.query(`select ${lock}(hashtextextended($1, 0))`, [root]);
}
