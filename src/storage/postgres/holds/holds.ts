/**
 * The end of held events, decided or expired: one conditional update, so that exactly one of all concurrent attempts
 * succeeds.
 */
import type pg from 'pg';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { DecidedEvent, FoundEvent, HoldStore, NewDecision } from '../../ports/holds.ts';
import { isRevokedSql } from '../auth/revocations.ts';
import type { Listening } from '../connection/listen.ts';
import { isoText, query, withClient } from '../connection/pool.ts';
import { IS_THERE, WITH_EVENT } from '../events/scores.ts';
import { holdColumn } from './hold-columns.ts';

export const DECISIONS = 'weir_decisions';

const FIND = {
  name: 'find-hold',
  text: `select ${holdColumn('auth_now()')}, k.scored_at is not null as is_scored,
    ${isoText('h.held_at')} as held_at, h.risk_level, e.event::json -> 'session' ->> 'user_id' as "session_user",
    ${isoText('auth_now()')} as now
  from event_keys k ${WITH_EVENT} where k.customer_id = $1 and k.event_id = $2 and ${IS_THERE}`,
};

/**
 * A second decision waits for the row, sees that it is no longer held, and changes nothing. The token's row and the log
 * decide about the token; the key's row is locked, so that no rotation overtakes the cosignature. The audit line and
 * the message `event.decided` commit with the decision or not at all.
 */
const DECIDE = `with token as (
    select from tokens t
    where t.jti = $6 and t.customer_id = $1 and t.kind = 'override' and t.expires_at > auth_now()
      and not ${isRevokedSql('t.path', 't.jti', 't.key_id')}
  ), key as (
    select key_id from signing_keys where key_id = $7 and state = 'active' for share
  ), decided as (
    update holds
    set state = $3, decided_at = $4, reason = $5, decided_by_jti = $6, cosignature = $8, decided_by = $14
    where customer_id = $1 and event_id = $2 and state = 'held' and expires_at > auth_now()
      and exists (select from token) and exists (select from key)
    returning customer_id, event_id, state, decided_at, decided_by
  ), told as (
    insert into audit_log (customer_id, action, actor, request_id, subject, details)
    select $1, $9, $10, $11, $12, $13 from decided
  )
  select pg_notify('${DECISIONS}', json_build_array(customer_id, event_id)::text),
    publish_message(customer_id, 'event.decided', event_id, json_build_object(
      'event_id', event_id, 'state', state, 'decided_at', ${isoText('decided_at')}, 'decided_by', decided_by)) from decided`;

/**
 * The clock is read once; otherwise no index could be used. A decision in progress has locked its row, which is
 * skipped; a later decision finds it ended.
 */
const EXPIRE = `with clock as materialized (select auth_now() as now), due as (
    select customer_id, event_id from holds
    where state = 'held' and expires_at <= (select now from clock)
    order by expires_at limit $1 for update skip locked
  ), expired as (
    update holds h set state = 'expired' from due
    where h.customer_id = due.customer_id and h.event_id = due.event_id
    returning h.customer_id, h.event_id, h.expires_at
  )
  select pg_notify('${DECISIONS}', json_build_array(customer_id, event_id)::text),
    publish_message(customer_id, 'event.decided', event_id, json_build_object(
      'event_id', event_id, 'state', 'expired', 'decided_at', ${isoText('expires_at')}, 'decided_by', null)) from expired`;

export function holdStore(pool: pg.Pool, decisions: Pick<Listening, 'subscribe'>): HoldStore {
  return {
    async find(customer_id, event_id) {
      if (!isPlainText(event_id)) return null;
      const rows = await query<FoundEvent>(pool, FIND, [customer_id, event_id]);
      return rows[0] ?? null;
    },

    // Not `query`, which may run a statement twice: the second run would find its own decision.
    decide: (decision, { action, actor, request_id, subject, details }) =>
      withClient(pool, async (client) => {
        const told = [action, actor, request_id, subject, JSON.stringify(details)];
        const { rowCount } = await client.query({
          name: 'decide',
          text: DECIDE,
          values: [...valuesOf(decision), ...told, JSON.stringify(decision.decided_by)],
        });
        return rowCount === 1;
      }),

    expire: async (limit) => (await query(pool, EXPIRE, [limit])).length,

    onDecision: (callback) => decisions.subscribe((payload) => callback(readPayload(payload))),
  };
}

function valuesOf({ customer_id, event_id, state, decided_at, reason, jti, key_id, cosignature }: NewDecision) {
  return [customer_id, event_id, state, decided_at, reason, jti, key_id, cosignature];
}

function readPayload(payload: string | null): DecidedEvent {
  if (payload === null) return null;
  const [customer_id, event_id] = JSON.parse(payload) as [string, string];
  return { customer_id, event_id };
}
