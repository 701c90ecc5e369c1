/** API keys: only hashes are stored, and a revoked key stays, with the time of its revocation. */
import type pg from 'pg';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { ApiKeyStore, StoredApiKey } from '../../ports/storage.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { makeKnown } from './customers.ts';

const COLUMNS = `key_id, customer_id, name, scopes, ${isoText('created_at')} as created_at,
  ${isoText('revoked_at')} as revoked_at`;

export function apiKeyStore(pool: pg.Pool): ApiKeyStore {
  return {
    create: (key) =>
      inTransaction(pool, async (client) => {
        await makeKnown(client, key.customer_id);
        await client.query(
          `insert into api_keys as k (key_id, customer_id, name, key_hash, scopes) values ($1, $2, $3, $4, $5)
           on conflict (key_hash) do update set scopes = excluded.scopes where k.customer_id = excluded.customer_id`,
          [key.key_id, key.customer_id, key.name, key.key_hash, key.scopes],
        );
        const { rows } = await client.query<StoredApiKey>(`select ${COLUMNS} from api_keys where key_hash = $1`, [
          key.key_hash,
        ]);
        return rows[0]!;
      }),

    async find(key_id) {
      if (!isPlainText(key_id)) return null;
      const rows = await query<StoredApiKey>(pool, `select ${COLUMNS} from api_keys where key_id = $1`, [key_id]);
      return rows[0] ?? null;
    },

    async findByHash(key_hash) {
      if (!isPlainText(key_hash)) return null;
      const rows = await query<StoredApiKey>(pool, `select ${COLUMNS} from api_keys where key_hash = $1`, [key_hash]);
      return rows[0] ?? null;
    },

    async findByHashes(key_hashes) {
      const rows = await query<StoredApiKey & { key_hash: string }>(
        pool,
        `select key_hash, ${COLUMNS} from api_keys where key_hash = any($1)`,
        [key_hashes.filter(isPlainText)],
      );
      return new Map(rows.map(({ key_hash, ...key }) => [key_hash, key]));
    },

    list: (customer_id) =>
      query<StoredApiKey>(
        pool,
        `select ${COLUMNS} from api_keys as k where customer_id = $1 order by k.created_at desc, key_id desc`,
        [customer_id],
      ),

    async revoke(key_id) {
      if (!isPlainText(key_id)) return null;
      const rows = await query<StoredApiKey>(
        pool,
        `update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where key_id = $1 returning ${COLUMNS}`,
        [key_id],
      );
      return rows[0] ?? null;
    },

    async count() {
      const rows = await query<{ count: number }>(pool, 'select count(*) as count from api_keys');
      return rows[0]?.count ?? 0;
    },
  };
}
