/**
 * Revocations. One row in the log is the commit point: a token is invalid when the log names it, or names any ancestor
 * as a subtree. Nothing is traversed and no token is marked, so a crash cannot leave a half-revoked tree.
 */
import type pg from 'pg';
import type { LogEnd, LogRow, Revocation, RevocationStore } from '../../ports/auth.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { publishMessage } from '../webhooks/publish.ts';
import { appendAudit } from './audit.ts';
import { appendToLog } from './revocation-log.ts';
import { lockTree } from './tree-lock.ts';

/** Rows of one fetch: a fraction of a second of work. */
const PAGE = 5_000;

export function revocationStore(pool: pg.Pool): RevocationStore {
  return {
    revoke: (jti, mode, reason, audit) =>
      inTransaction(pool, async (client) => {
        // Locks the end of the log and finds the token in one statement.
        const { rows } = await client.query<{ customer_id: string | null }>(
          'select t.customer_id from revocation_state s left join tokens t on t.jti = $1 for update of s',
          [jti],
        );
        const { customer_id } = rows[0]!;
        if (customer_id === null) return null;
        const written = await appendToLog(client, { customer_id, subject: jti, mode, reason });
        if (written.is_new) {
          const data = { jti, mode, revoked_at: written.revoked_at };
          await publishMessage(client, { customer_id, type: 'token.revoked', subject: jti, data });
        }
        await appendAudit(client, { ...audit, customer_id });
        return { jti, customer_id, ...written };
      }),

    async endedBy(revocation, onPage) {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ root: string }>('select path[1] as root from tokens where jti = $1', [
          revocation.jti,
        ]);
        // Derivations that began before the revocation was visible end first; later ones see it and are refused.
        await lockTree(client, rows[0]!.root, 'alone');
      });
      await inTransaction(pool, (client) => readEnded(client, revocation, onPage));
    },

    async logEnd(log_id) {
      const rows = await query<LogEnd>(
        pool,
        `select last_log_id, entries, rebuilds, ${isoText('auth_now()')} as now,
           (select stamp from revocation_log where log_id = $1) as stamp
         from revocation_state`,
        [log_id],
      );
      return rows[0]!;
    },

    async countRebuild() {
      await query(pool, 'update revocation_state set rebuilds = rebuilds + 1', []);
    },

    logAfter: (log_id, until, limit) =>
      query<LogRow>(
        pool,
        `select log_id, customer_id, subject, mode, stamp from revocation_log
         where log_id > $1 and log_id <= $2 order by log_id limit $3`,
        [log_id, until, limit],
      ),

    async isRevoked(path, key_id) {
      const rows = await query<{ is_revoked: boolean; now: string }>(
        pool,
        `select ${isRevokedSql('$1::uuid[]', '$2::uuid', '$3::uuid')} as is_revoked, ${isoText('auth_now()')} as now`,
        [path, path.at(-1), key_id],
      );
      return rows[0]!;
    },
  };
}

/** Whether a token is revoked, from expressions for its path, its jti and its key. */
export function isRevokedSql(path: string, jti: string, key_id: string): string {
  return `(exists (
      select from revocation_log l
      where l.subject = any(${path}) and (l.mode = 'subtree' or (l.mode = 'single' and l.subject = ${jti})))
    or exists (select from signing_keys k where k.key_id = ${key_id} and k.state = 'disabled'))`;
}

/** Valid just before the revocation: not expired then, and not ended by an earlier row of the log. */
const ENDED = `declare ended no scroll cursor for
  select t.jti from tokens t
  where t.path @> array[%jti]::uuid[]
    and t.expires_at > (select revoked_at from revocation_log where log_id = %log_id)
    and not exists (
      select from revocation_log l
      where l.subject = any(t.path) and l.log_id < %log_id
        and (l.mode = 'subtree' or (l.mode = 'single' and l.subject = t.jti)))`;

async function readEnded(client: pg.PoolClient, { jti, log_id }: Revocation, onPage: (jtis: string[]) => void) {
  // A cursor takes no parameters; both values come from the database and are validated.
  const literal = client.escapeLiteral(jti);
  await client.query(ENDED.replaceAll('%jti', `${literal}::uuid`).replaceAll('%log_id', String(Number(log_id))));
  for (;;) {
    const { rows } = await client.query<{ jti: string }>(`fetch ${PAGE} from ended`);
    if (rows.length === 0) return;
    onPage(rows.map((row) => row.jti));
  }
}
