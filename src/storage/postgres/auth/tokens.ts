/** Tokens: written once under the conditions that make them valid, never changed. */
import type pg from 'pg';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { NewToken, ParentToken, TokenNode, TokenStore } from '../../ports/auth.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { makeKnown } from './customers.ts';
import { isRevokedSql } from './revocations.ts';
import { sessionCounts } from './session-counts.ts';
import { lockTree } from './tree-lock.ts';

const STATE = `case when ${isRevokedSql('t.path', 't.jti', 't.key_id')} then 'revoked'
  when t.expires_at <= auth_now() then 'expired' else 'active' end`;

const COLUMNS = `t.jti, t.customer_id, t.kind, t.parent_jti, t.path, t.delegation_depth,
  ${isoText('t.issued_at')} as issued_at, ${isoText('t.expires_at')} as expires_at, t.key_id, t.rbac, t.details,
  ${STATE} as state`;

/**
 * All conditions are in the inserting statement. The key's row is locked, so that no rotation overtakes the signature.
 */
const INSERT = `with key as (
    select key_id from signing_keys where key_id = $9 and state = 'active' for share
  ), made as (
    insert into tokens (jti, customer_id, kind, parent_jti, path, delegation_depth, issued_at, expires_at, key_id,
      token_hash, rbac, details)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
    where ($9::uuid is null or exists (select from key))
      and ($4::uuid is null or exists (
        select from tokens t
        where t.jti = $4 and t.expires_at > auth_now() and not ${isRevokedSql('t.path', 't.jti', 't.key_id')}))
    returning jti
  ), counted as (
    insert into session_usage (jti, max_events) select jti, $13 from made where $13::integer is not null
  )
  insert into audit_log (customer_id, action, actor, request_id, subject, details)
  select $2, $14, $15, $16, $17, $18 from made returning audit_id`;

export function tokenStore(pool: pg.Pool): TokenStore {
  return {
    insert: (token, audit) =>
      inTransaction(pool, async (client) => {
        if (token.parent_jti === null) {
          await makeKnown(client, token.customer_id);
        } else {
          // Before the statement that reads, so that its snapshot is from after the lock.
          await lockTree(client, token.path[0]!, 'together');
        }
        const { action, actor, request_id, subject, details } = audit;
        const told = [action, actor, request_id, subject, JSON.stringify(details)];
        const { rowCount } = await client.query({
          name: 'insert-token',
          text: INSERT,
          values: [...valuesOf(token), ...told],
        });
        return rowCount === 1;
      }),

    find: (jti) => findOne(pool, 't.jti = $1', jti),
    findByHash: async (token_hash) => (isPlainText(token_hash) ? findOne(pool, 't.token_hash = $1', token_hash) : null),
    tree: (jti, limit) => readTree(pool, jti, limit),

    ...sessionCounts(pool),

    async usage(jti) {
      const rows = await query<{ used: number; max_events: number }>(
        pool,
        'select used, max_events from session_usage where jti = $1',
        [jti],
      );
      return rows[0] ?? null;
    },

    async now() {
      const rows = await query<{ now: string }>(pool, `select ${isoText('auth_now()')} as now`);
      return rows[0]!.now;
    },
  };
}

function valuesOf(token: NewToken): unknown[] {
  return [
    token.jti,
    token.customer_id,
    token.kind,
    token.parent_jti,
    token.path,
    token.delegation_depth,
    token.issued_at,
    token.expires_at,
    token.key_id,
    token.token_hash,
    token.rbac === null ? null : JSON.stringify(token.rbac),
    JSON.stringify(token.details),
    token.max_events,
  ];
}

async function findOne(pool: pg.Pool, condition: string, value: string): Promise<ParentToken | null> {
  const rows = await query<ParentToken>(
    pool,
    `select ${COLUMNS}, ${isoText('auth_now()')} as now from tokens t where ${condition}`,
    [value],
  );
  return rows[0] ?? null;
}

async function readTree(pool: pg.Pool, jti: string, limit: number): Promise<{ nodes: TokenNode[]; total: number }> {
  const rows = await query<TokenNode & { total: number }>(
    pool,
    `with family as (
       select jti from tokens where path @> array[$1]::uuid[]
       union
       select unnest(path) from tokens where jti = $1
     )
     select ${COLUMNS}, u.used as used_events, u.max_events, (select count(*) from family) as total
     from family join tokens t using (jti) left join session_usage u using (jti)
     order by cardinality(t.path), t.jti limit $2`,
    [jti, limit],
  );
  return { nodes: rows.map(({ total: _, ...node }) => node), total: rows[0]?.total ?? 0 };
}
