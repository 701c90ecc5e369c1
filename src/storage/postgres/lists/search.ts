/**
 * Lists by any filter in any order. Pages of the plain list, newest first, go to `list`, which counts nothing. All others
 * read the customer's part of the primary key, which includes every column that a filter needs: once to count, and once
 * for the page, up to its end.
 */

import type pg from 'pg';
import { type ActionPattern, STAR } from '../../../lang/patterns.ts';
import { ownerKey, ruleKey } from '../../../records/facets.ts';
import type { HoldState } from '../../../records/hold.ts';
import { LEVELS } from '../../../scoring/level.ts';
import type { ScoreOrder, ScorePosition, ScoreSearch } from '../../ports/storage.ts';
import { isoText, query } from '../connection/pool.ts';
import { conditions, placeOf } from '../events/place.ts';
import { type ScoreRow, scoreColumns } from '../events/score-columns.ts';
import { isKept } from '../partitions/partitions.ts';
import { list } from './list.ts';
import { sumOf } from './totals.ts';

export interface FoundRows {
  records: ScoreRow[];
  total: number;
  next: ScorePosition | null;
}

type Bind = (value: unknown) => string;
type Filter = ScoreSearch['filter'];

const NOW = '(select now from clock)';

const ORDERS: Record<ScoreOrder, { by: readonly string[]; direction: 'asc' | 'desc' }> = {
  newest: { by: ['scored_at', 'event_id'], direction: 'desc' },
  oldest: { by: ['scored_at', 'event_id'], direction: 'asc' },
  risk: { by: ['score', 'scored_at', 'event_id'], direction: 'desc' },
};

/** One statement, so one snapshot. */
export async function search(pool: pg.Pool, customer_id: string, wanted: ScoreSearch): Promise<FoundRows> {
  const { filter, order, from, limit } = wanted;
  const facets = hasFacets(filter);
  if (!facets && order === 'newest' && 'page' in from) {
    const { records, total } = await list(pool, customer_id, filter, from.page, limit);
    const is_last = from.page * limit >= total;
    return { records, total, next: is_last || records.length === 0 ? null : positionOf(records.at(-1)!) };
  }

  const values: unknown[] = [customer_id, 'page' in from ? (from.page - 1) * limit : 0];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const from_date = filter.from_date && `${bind(filter.from_date)}::timestamptz`;
  const to_date = filter.to_date && `${bind(filter.to_date)}::timestamptz`;
  const plain = conditions(
    'customer_id = $1',
    filter.risk_level && `risk_level = ${bind(filter.risk_level)}`,
    from_date && `scored_at >= ${from_date}`,
    to_date && `scored_at <= ${to_date}`,
  );
  const all = conditions(plain, ...facetConditions(filter, bind), isKept('scored_at'));
  const { by, direction } = ORDERS[order];
  const orderOf = (row: string): string => by.map((column) => `${row}${column} ${direction}`).join(', ');
  const behind =
    'after' in from
      ? `(${by.join(', ')}) ${direction === 'desc' ? '<' : '>'} (${boundOf(order, from.after, bind)})`
      : undefined;
  const matching =
    filter.hold === undefined ? `from events where ${all}` : `from ${heldEvents(filter.hold)} where ${all}`;

  const statement = `with clock as materialized (select auth_now() as now)${
    facets ? '' : `, ${placeOf({ from: from_date, to: to_date, wanted: plain, sum: sumOf(levelsOf(filter)) })}`
  },
page as materialized (
  select score, scored_at, event_id ${matching} ${behind === undefined ? '' : `and ${behind}`}
  order by ${orderOf('')} limit ${bind(limit + 1)} offset $2::bigint
)
select ${facets ? `(select count(*) ${matching})` : '(select coalesce(sum(n), 0)::bigint from pieces)'} as total,
  p.score, ${scoreColumns(NOW)}
from (select) as one left join (
  page p join events e on e.customer_id = $1 and e.scored_at = p.scored_at and e.event_id = p.event_id
  left join holds h on h.customer_id = $1 and h.event_id = p.event_id
) on true
order by ${orderOf('p.')}`;
  const rows = await query<ScoreRow & { total: number; score: number }>(pool, statement, values);
  const found = rows.filter((row) => row.event_id !== null);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    records: page.map(({ total: _, score: _s, ...record }) => record),
    total: rows[0]?.total ?? 0,
    next: last === undefined || found.length <= limit ? null : positionOf(last),
  };
}

function positionOf({ scored_at, event_id, ...row }: ScoreRow & { score?: number }): ScorePosition {
  return { score: row.score ?? (row.assessment as { score: number }).score, scored_at, event_id };
}

function hasFacets({ agent_id, session_id, user_id, rule, action, would_hold, hold }: Filter): boolean {
  return (
    [agent_id, session_id, user_id, rule, action, would_hold].some((one) => one !== undefined) || hold !== undefined
  );
}

const levelsOf = ({ risk_level }: Filter) => LEVELS.filter((each) => risk_level === undefined || each === risk_level);

function facetConditions(filter: Filter, bind: Bind): (string | undefined)[] {
  const { agent_id, session_id, user_id, rule, action, would_hold } = filter;
  return [
    agent_id === undefined ? undefined : `agent_key = ${bind(ownerKey('agent', agent_id))}::uuid`,
    session_id === undefined ? undefined : `session_key = ${bind(ownerKey('session', session_id))}::uuid`,
    user_id === undefined ? undefined : `user_key = ${bind(ownerKey('user', user_id))}::uuid`,
    rule === undefined ? undefined : `${bind(ruleKey(rule))}::integer = any (rules)`,
    action === undefined ? undefined : actionCondition(action, bind),
    would_hold === undefined ? undefined : `would_hold = ${bind(would_hold)}::boolean`,
  ];
}

/** A segment of an action has no colon, so splitting finds it. */
function actionCondition({ domain, scope, verb }: ActionPattern, bind: Bind): string | undefined {
  const segments = [domain, scope, verb];
  if (!segments.includes(STAR)) return `action = ${bind(segments.join(':'))}`;
  const tests = segments.map((segment, index) =>
    segment === STAR ? undefined : `split_part(action, ':', ${index + 1}) = ${bind(segment)}`,
  );
  return conditions(...tests) || 'action is not null';
}

function boundOf(order: ScoreOrder, { score, scored_at, event_id }: ScorePosition, bind: Bind): string {
  const place = `${bind(scored_at)}::timestamptz, ${bind(event_id)}`;
  return order === 'risk' ? `${bind(score)}::smallint, ${place}` : place;
}

/** Rows of `events` whose hold has this state now; holds are few, so each is looked up. */
function heldEvents(state: HoldState): string {
  const is_over = `expires_at <= ${NOW}`;
  const condition = {
    held: `state = 'held' and not ${is_over}`,
    expired: `(state = 'expired' or state = 'held' and ${is_over})`,
    approved: `state = 'approved'`,
    rejected: `state = 'rejected'`,
  }[state];
  return `(
    select e.* from (select held_at, event_id from holds where customer_id = $1 and ${condition} offset 0) as h
    join events e on e.customer_id = $1 and e.scored_at = h.held_at and e.event_id = h.event_id
  ) as events`;
}

/** See `ScoreStore.changes`. Keys alone: who follows knows most of them from the read before. */
export async function changes(pool: pg.Pool, customer_id: string, since: string, limit: number) {
  const rows = await query<{ kind: 'scored' | 'decided' | null; event_id: string; at: string; now: string }>(
    pool,
    `with clock as materialized (select auth_now() as now),
found as (
  (select 'scored' as kind, event_id, scored_at as at from events
    where customer_id = $1 and scored_at > $2::timestamptz order by scored_at, event_id limit $3)
  union all
  (select 'decided', event_id, decided_at from holds
    where customer_id = $1 and decided_at > $2::timestamptz order by decided_at limit $3)
  union all
  (select 'decided', event_id, expires_at from holds
    where customer_id = $1 and state in ('held', 'expired') and expires_at > $2::timestamptz and expires_at <= ${NOW}
    order by expires_at limit $3)
  order by at, kind desc, event_id limit $3
)
select kind, event_id, ${isoText('at')} as at, ${isoText(NOW)} as now
from (select) as one left join found on true order by found.at, kind desc, event_id`,
    [customer_id, since, limit],
  );
  return {
    changes: rows.flatMap(({ kind, event_id, at }) => (kind === null ? [] : [{ kind, event_id, at }])),
    now: rows[0]!.now,
  };
}
