/** Signing keys. Changes of one customer's keys are serialised; a unique index ensures that exactly one is active. */
import type pg from 'pg';
import type {
  AuditEntry,
  KeyState,
  NewKey,
  RotateOutcome,
  SealedKey,
  SigningKeyStore,
  StoredKey,
} from '../../ports/auth.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { publishMessage } from '../webhooks/publish.ts';
import { appendAudit } from './audit.ts';
import { takeTurn } from './customers.ts';
import { appendToLog, holdLogEnd } from './revocation-log.ts';

const COLUMNS = `key_id, customer_id, state, public_key, ${isoText('created_at')} as created_at,
  ${isoText('retired_at')} as retired_at`;
const SEALED = 'private_key, data_key, master_key_id';

export function signingKeyStore(pool: pg.Pool): SigningKeyStore {
  return {
    put: (key, { only_if_none }, audit) =>
      inTransaction(pool, async (client) => {
        await takeTurn(client, key.customer_id);
        const active = await findActive(client, key.customer_id);
        if (active !== undefined && only_if_none) return active;
        if (active !== undefined) await retire(client, active);
        const made = await insert(client, key, audit);
        if (active !== undefined) await tellReceivers(client, made, active, 'verify_only');
        return made;
      }),

    rotate: (key_id, next, { disable }, audit) =>
      inTransaction(pool, async (client): Promise<RotateOutcome> => {
        await takeTurn(client, next.customer_id);
        const old = await findKey(client, key_id, next.customer_id);
        if (old === undefined) return { kind: 'unknown' };
        if (old.state === 'active') {
          await retire(client, old);
          const key = await insert(client, next, audit);
          if (disable) await disableKey(client, old, audit);
          await tellReceivers(client, key, old, disable ? 'disabled' : 'verify_only');
          return { kind: 'rotated', key };
        }
        const active = (await findActive(client, next.customer_id)) ?? null;
        if (disable && old.state !== 'disabled') {
          await disableKey(client, old, audit);
          if (active !== null) await tellReceivers(client, active, old, 'disabled');
        }
        return { kind: 'not_active', state: disable ? 'disabled' : old.state, active };
      }),

    async active(customer_id) {
      const rows = await query<StoredKey & SealedKey>(
        pool,
        `select ${COLUMNS}, ${SEALED} from signing_keys where customer_id = $1 and state = 'active'`,
        [customer_id],
      );
      return rows[0] ?? null;
    },

    list: (customer_id) =>
      query<StoredKey>(
        pool,
        `select ${COLUMNS} from signing_keys as k where customer_id = $1 order by k.created_at desc, key_id desc`,
        [customer_id],
      ),

    sealedOtherwise: (master_key_id, after, limit) =>
      query<SealedKey & { key_id: string }>(
        pool,
        `select key_id, ${SEALED} from signing_keys where master_key_id <> $1 and key_id > $2 order by key_id limit $3`,
        [master_key_id, after, limit],
      ),

    async rewrap(key_id, from, to) {
      const rows = await query(
        pool,
        `update signing_keys set data_key = $3, master_key_id = $4 where key_id = $1 and master_key_id = $2
         returning key_id`,
        [key_id, from, to.data_key, to.master_key_id],
      );
      return rows.length === 1;
    },
  };
}

async function findActive(client: pg.PoolClient, customer_id: string): Promise<StoredKey | undefined> {
  const { rows } = await client.query<StoredKey>(
    `select ${COLUMNS} from signing_keys where customer_id = $1 and state = 'active'`,
    [customer_id],
  );
  return rows[0];
}

async function findKey(client: pg.PoolClient, key_id: string, customer_id: string): Promise<StoredKey | undefined> {
  const { rows } = await client.query<StoredKey>(
    `select ${COLUMNS} from signing_keys where key_id = $1 and customer_id = $2`,
    [key_id, customer_id],
  );
  return rows[0];
}

/**
 * Waits for signatures that are being stored; afterwards the key signs nothing more. Readers never see a state without
 * an active key.
 */
async function retire(client: pg.PoolClient, key: StoredKey): Promise<void> {
  await client.query(`update signing_keys set state = 'verify_only', retired_at = auth_now() where key_id = $1`, [
    key.key_id,
  ]);
  await tellVerifiers(client, key);
}

async function disableKey(client: pg.PoolClient, key: StoredKey, audit: AuditEntry): Promise<void> {
  await client.query(`update signing_keys set state = 'disabled' where key_id = $1`, [key.key_id]);
  await tellVerifiers(client, key);
  await appendAudit(client, { ...audit, action: 'key.disabled', subject: key.key_id, details: {} });
}

async function insert(client: pg.PoolClient, key: NewKey, audit: AuditEntry): Promise<StoredKey> {
  const { rows } = await client.query<StoredKey>(
    `insert into signing_keys (key_id, customer_id, state, public_key, private_key, data_key, master_key_id)
     values ($1, $2, 'active', $3, $4, $5, $6) returning ${COLUMNS}`,
    [key.key_id, key.customer_id, key.public_key, key.private_key, key.data_key, key.master_key_id],
  );
  await appendAudit(client, audit);
  return rows[0]!;
}

/** The webhook message, in the same transaction: ids only. The customer's row is locked, so messages are in order. */
async function tellReceivers(
  client: pg.PoolClient,
  { key_id, customer_id }: StoredKey,
  previous: StoredKey,
  previous_state: KeyState,
): Promise<void> {
  const data = { key_id, previous_key_id: previous.key_id, previous_state };
  await publishMessage(client, { customer_id, type: 'key.rotated', subject: customer_id, data });
}

/** Validators follow the log; a row in it makes them read this customer's keys again. */
async function tellVerifiers(client: pg.PoolClient, { key_id, customer_id }: StoredKey): Promise<void> {
  await holdLogEnd(client);
  await appendToLog(client, { customer_id, subject: key_id, mode: 'key', reason: null });
}
