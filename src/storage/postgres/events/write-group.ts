/** Writes many scores with one statement, hence one commit. group-commit.ts decides which scores go together. */
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { facetsOf } from '../../../records/facets.ts';
import type { StoredHold } from '../../../records/hold.ts';
import type { ScoreRecord } from '../../../records/record.ts';
import { outlineOf, reasonsOf } from '../../../records/views.ts';
import { type RecordOutcome, RecordRefused } from '../../ports/storage.ts';
import { bulkQuery, type Parameter } from '../connection/bulk-query.ts';
import { isConnectionLost } from '../connection/errors.ts';
import { isoText, withClient } from '../connection/pool.ts';
import { laterBy } from '../connection/times.ts';
import { ADD_TO_TOTALS, withinSpan } from '../lists/totals.ts';
import { isGone, isPartitionMissing } from '../partitions/partitions.ts';
import { freeLost } from './lost-keys.ts';
import type { RuleTextStore } from './rule-texts.ts';
import { type FoundKey, findByKeys, isScored } from './scores.ts';

/** A score with its JSON texts, so that they are made once and their size is known. */
export interface Row {
  record: ScoreRecord;
  event: string;
  assessment: string;
  past: string | null;
  /** Among consecutive scores: its time is this many microseconds after the group's. Otherwise 0. */
  place: number;
}

export interface WriteParts {
  pool: pg.Pool;
  texts: RuleTextStore;
  makePartitions: () => Promise<void>;
}

/** Those of the rows called `r` whose key was claimed. Written so that PostgreSQL looks up a hash table row by row. */
const IS_CLAIMED = 'not ((r.customer_id, r.event_id) not in (select customer_id, event_id from claimed))';

/**
 * Whether an endpoint of the row's customer subscribes to messages of this type; evaluated once for all rows, in the
 * same way.
 */
const isWanted = (type: string) =>
  `not ((customer_id, '${type}') not in (select w.customer_id, t.type from webhooks w cross join unnest(w.event_types) as t (type)
    where w.customer_id = any ($1::text[]::uuid[])))`;

/** The time of a row: that of its group, or a little later for consecutive rows. */
const TIME = `((select now from clock) + place * interval '1 microsecond')`;

/** Holds, from rows that exist only for held events. */
const HOLD = `to_hold as materialized (
  select r.*, (select auth_now from clock) + make_interval(mins => r.hold_minutes) as expires_at
  from unnest($21::text[]::uuid[], $22::text[], $23::smallint[], $24::text[], $25::int[], $26::text[], $27::smallint[], $28::text[])
    as r (customer_id, event_id, score, risk_level, hold_minutes, action_hash, place, told)
  where ${IS_CLAIMED}
), held as (
  insert into holds (customer_id, event_id, held_at, risk_level, expires_at, action_hash)
  select customer_id, event_id, ${TIME}, risk_level, expires_at, action_hash from to_hold
), `;

/** End of the holds. Evaluated first, so that `event.held` comes before `event.scored` of the same event. */
const TELL_HELD = `(select json_agg(json_build_array(customer_id, event_id, ${isoText('expires_at')})) from to_hold) as holds,
  (select count(publish_message(customer_id, 'event.held', event_id, (left(told, -1) || ',' || substr(json_build_object(
    'event_id', event_id, 'risk_level', risk_level, 'score', score,
    'held_at', ${isoText(TIME)}, 'expires_at', ${isoText('expires_at')})::text, 2))::json)) from to_hold where ${isWanted('event.held')})`;

/**
 * A row is inserted when its policy is in force and its event_id is new, or that of an event that is gone, or queued
 * with the same content: its key then says that it is scored, by whichever node. A held score is held from the same
 * commit on, and its webhook messages are in the outbox. Totals are updated after all rows are inserted, always in one
 * order, so that writers cannot deadlock.
 *
 * No join between the rows: the planner takes a group for one row, and would compare each with all. No sort or
 * materialisation either: the rows are kilobytes, and each step would copy them. The parts for holds are left out of
 * groups without any, because setting up a statement takes as long as several rows. The answer is one row, which names
 * keys only when some were not written. All rows of a group are in one span of the totals, which are added up for one
 * time: near the end of a span the group's time is chosen so that the last row is still in it.
 */
const insertSql = (has_holds: boolean): string => `with clock as materialized (
  select now, ${isoText('now')} as now_text, auth_now() as auth_now from (
    select ${withinSpan('now', '$16::int')} as now from (select clock_timestamp() as now) as c
  ) as c
), in_force as (
  select customer_id, coalesce((select max(p.version) from policies p where p.customer_id = c.customer_id), 0) as version
  from unnest($1::text[]::uuid[]) as c (customer_id)
), claimed as (
  insert into event_keys as k (customer_id, event_id, content_hash, scored_at)
  select customer_id, event_id, content_hash, ${TIME}
  from unnest($2::text[]::uuid[], $3::text[], $4::int[], $5::text[], $15::smallint[])
    as r (customer_id, event_id, policy_version, content_hash, place)
  where not ((customer_id, policy_version) not in (select customer_id, version from in_force))
  on conflict (customer_id, event_id) do update set content_hash = excluded.content_hash, scored_at = excluded.scored_at
    where (k.scored_at is null and k.content_hash = excluded.content_hash) or ${isGone('k.scored_at')}
  returning customer_id, event_id
), inserted as (
  insert into events
    (customer_id, event_id, scored_at, policy_version, content_hash, score, cache_hit, risk_level, rule_set_version, event, assessment,
      past, agent_key, session_key, action, user_key, rules, would_hold)
  select customer_id, event_id, ${TIME}, policy_version, content_hash, score, cache_hit, risk_level,
    rule_set_version, event, assessment, past, agent_key, session_key, action, user_key, rules::int[], would_hold
  from unnest($2::text[]::uuid[], $3::text[], $4::int[], $5::text[], $6::smallint[], $7::bool[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[]::uuid[], $14::text[]::uuid[], $15::smallint[],
    $17::text[], $18::text[]::uuid[], $19::text[], $20::bool[])
    as r (customer_id, event_id, policy_version, content_hash, score, cache_hit, risk_level, rule_set_version, event,
      assessment, past, agent_key, session_key, place, action, user_key, rules, would_hold)
  where ${IS_CLAIMED}
  returning customer_id, event_id, score, risk_level, scored_at, would_hold
), ${has_holds ? HOLD : ''}${ADD_TO_TOTALS}
select now_text as scored_at,
  case when (select count(*) from claimed) < cardinality($3::text[]) then
    (select coalesce(json_agg(json_build_array(customer_id, event_id)), '[]') from claimed) end as keys,
  ${has_holds ? TELL_HELD : 'null as holds'},
  (select count(publish_message(customer_id, 'event.scored', event_id, json_build_object(
    'event_id', event_id, 'risk_level', risk_level, 'score', score, 'scored_at', ${isoText('scored_at')})))
  from inserted where ${isWanted('event.scored')})
from clock`;

const INSERT = { name: 'insert-scores', text: insertSql(false) };
const INSERT_AND_HOLD = { name: 'insert-scores-and-holds', text: insertSql(true) };

/**
 * Writes the rows and returns the outcome of each, in order. When the connection breaks, it is unknown whether the
 * commit took place, so the group is written once more: rows that were stored the first time are recognised.
 */
export async function writeGroup(parts: WriteParts, rows: Row[]): Promise<(RecordOutcome | Error)[]> {
  try {
    return await writeOnce(parts, rows);
  } catch (error) {
    if (error instanceof StoreUnavailable && isConnectionLost(error)) {
      return (await writeOnce(parts, rows)).map((outcome, index) => recogniseOwn(outcome, rows[index]!));
    }
    if (error instanceof RecordRefused && isPartitionMissing(error.cause)) {
      await parts.makePartitions();
      return writeOnce(parts, rows);
    }
    if (error instanceof RecordRefused) return rows.length === 1 ? [error] : writeSingly(parts, rows);
    throw error;
  }
}

/**
 * One of the rows is refused: each is written alone, so that only that one fails. In order, and none after one that
 * finds the store away: a successor must not be stored before its predecessor.
 */
async function writeSingly(parts: WriteParts, rows: Row[]): Promise<(RecordOutcome | Error)[]> {
  const outcomes = new Map<Row, RecordOutcome | Error>();
  let away: StoreUnavailable | null = null;
  const write = (row: Row) => writeGroup(parts, [row]).catch((error: unknown) => [error as Error]);
  for (const row of rows.toSorted((a, b) => a.place - b.place)) {
    const outcome: RecordOutcome | Error = away ?? (await write(row))[0]!;
    if (outcome instanceof StoreUnavailable) away = outcome;
    outcomes.set(row, outcome);
  }
  return rows.map((row) => outcomes.get(row)!);
}

/**
 * The statement takes one row per key. Other rows with that key are answered with what is stored then. If nothing is,
 * as when the first was made with an outdated policy, they are written next. The same applies to a row whose key was
 * taken and had no event: checked only where no other conflict was found.
 */
async function writeOnce(parts: WriteParts, rows: Row[]): Promise<RecordOutcome[]> {
  const keys = rows.map(({ record }) => keyOf(record));
  const seen = new Set<string>();
  const is_first = keys.map((key) => seen.size < seen.add(key).size);
  const outcomes = await writeFirsts(parts, rows, keys, is_first);
  const unwritten = rows.filter((_, index) => outcomes[index]!.kind === 'policy_changed').map(({ record }) => record);
  if (is_first.every(Boolean) && unwritten.length === 0) return outcomes;
  const freed = new Set((await freeLost(parts.pool, unwritten)).map(keyOf));
  const isLeft = (index: number): boolean =>
    outcomes[index]!.kind !== 'exists' && (!is_first[index] || freed.has(keys[index]!));
  const left = rows.filter((_, index) => isLeft(index));
  if (left.length === 0) return outcomes;
  const later = await writeOnce(parts, left);
  return outcomes.map((outcome, index) => (isLeft(index) ? later.shift()! : outcome));
}

/** Writes the first row of each key, and returns the outcomes of all. */
function writeFirsts(
  { pool, texts }: WriteParts,
  rows: Row[],
  keys: string[],
  is_first: boolean[],
): Promise<RecordOutcome[]> {
  return withClient(pool, async (client) => {
    const firsts = rows.filter((_, index) => is_first[index]);
    const written = await insert(client, firsts);
    const outcomes = rows.map(({ record, place }, index): RecordOutcome | null => {
      const key = keys[index]!;
      if (!is_first[index] || written.keys?.has(key) === false) return null;
      const scored_at = place === 0 ? written.scored_at : laterBy(written.scored_at, place);
      return { kind: 'stored', scored_at, hold: newHold(record, written.expires_at.get(key)) };
    });
    const left = rows.filter((_, index) => outcomes[index] === null);
    if (left.length === 0) return outcomes as RecordOutcome[];
    const existing = new Map(
      (
        await findByKeys(
          client,
          texts,
          left.map(({ record }) => record),
        )
      ).map((key) => [keyOf(key), key]),
    );
    return outcomes.map((outcome, index) => outcome ?? toOutcome(existing.get(keys[index]!)));
  });
}

/** Why a row was not written. */
function toOutcome(key: FoundKey | undefined): RecordOutcome {
  if (key === undefined) return { kind: 'policy_changed' };
  return isScored(key) ? { kind: 'exists', record: key } : { kind: 'queued', content_hash: key.content_hash };
}

/** The statement's answer, in its own form. */
interface Answer {
  /** Time of the group. */
  scored_at: string;
  /** Customer and event_id of the written rows; null: all of them. */
  keys: [string, string][] | null;
  /** Customer, event_id and end of each hold. */
  holds: [string, string, string][] | null;
}

interface Written {
  scored_at: string;
  /** Null: all of them. */
  keys: Set<string> | null;
  /** By key, of the held ones. */
  expires_at: Map<string, string>;
}

/** The hold as it is when it is made. */
function newHold({ hold }: ScoreRecord, expires_at: string | undefined): StoredHold | null {
  if (hold === null || expires_at === undefined) return null;
  const { action_hash } = hold;
  return {
    state: 'held',
    expires_at,
    decided_at: null,
    reason: null,
    decided_by: null,
    action_hash,
    cosignature: null,
  };
}

async function insert(client: pg.PoolClient, rows: Row[]): Promise<Written> {
  const held = rows.filter(({ record }) => record.hold !== null);
  const statement = held.length === 0 ? INSERT : INSERT_AND_HOLD;
  const values = [...valuesOf(rows), ...(held.length === 0 ? [] : holdValuesOf(held))];
  const [answer] = await bulkQuery<Answer>(client, statement, values);
  const { scored_at, keys, holds } = answer!;
  const toKey = ([customer_id, event_id]: readonly string[]): string =>
    keyOf({ customer_id: customer_id!, event_id: event_id! });
  return {
    scored_at,
    keys: keys && new Set(keys.map(toKey)),
    expires_at: new Map(holds?.map((hold) => [toKey(hold), hold[2]])),
  };
}

function valuesOf(rows: Row[]): Parameter[] {
  const facets = rows.map(({ record }) => facetsOf(record));
  return [
    textArray([...new Set(rows.map(({ record }) => record.customer_id))]),
    textArray(rows.map(({ record }) => record.customer_id)),
    textArray(rows.map(({ record }) => record.event_id)),
    { type: 'int4', items: rows.map(({ record }) => record.assessment.policy_version) },
    textArray(rows.map(({ record }) => record.content_hash)),
    { type: 'int2', items: rows.map(({ record }) => record.assessment.score) },
    { type: 'bool', items: rows.map(({ record }) => record.cache_hit) },
    textArray(rows.map(({ record }) => record.risk_level)),
    textArray(rows.map(({ record }) => record.assessment.rule_set_version)),
    textArray(rows.map(({ event }) => event)),
    textArray(rows.map(({ assessment }) => assessment)),
    textArray(rows.map(({ past }) => past)),
    textArray(rows.map(({ record }) => record.past?.agent_key ?? null)),
    textArray(rows.map(({ record }) => record.past?.session_key ?? null)),
    { type: 'int2', items: rows.map(({ place }) => place) },
    // Microseconds that the group spans.
    String(rows.reduce((most, { place }) => Math.max(most, place + 1), 1)),
    textArray(facets.map(({ action }) => action)),
    textArray(facets.map(({ user_key }) => user_key)),
    // An array of arrays would have to be rectangular.
    textArray(facets.map(({ rules }) => `{${rules.join(',')}}`)),
    { type: 'bool', items: rows.map(({ record }) => record.would_hold) },
  ];
}

function holdValuesOf(rows: readonly Row[]): Parameter[] {
  return [
    textArray(rows.map(({ record }) => record.customer_id)),
    textArray(rows.map(({ record }) => record.event_id)),
    { type: 'int2', items: rows.map(({ record }) => record.assessment.score) },
    textArray(rows.map(({ record }) => record.risk_level)),
    { type: 'int4', items: rows.map(({ record }) => record.hold!.ttl_minutes) },
    textArray(rows.map(({ record }) => record.hold!.action_hash)),
    { type: 'int2', items: rows.map(({ place }) => place) },
    textArray(rows.map(({ record }) => JSON.stringify(toldOf(record)))),
  ];
}

/** What the message about a hold says beside ids and times. */
function toldOf(record: ScoreRecord): object {
  const { first_reason: _, ...outline } = outlineOf(record);
  return { ...outline, reasons: reasonsOf(record.assessment, MOST_REASONS), link: record.hold!.link ?? null };
}

const MOST_REASONS = 3;

const textArray = (items: (string | null)[]): Parameter => ({ type: 'text', items });

/** On the second try, a stored row that equals ours in every part was written by the first. */
function recogniseOwn(outcome: RecordOutcome, row: Row): RecordOutcome {
  if (outcome.kind !== 'exists') return outcome;
  const { record } = outcome;
  const is_ours =
    record.content_hash === row.record.content_hash && isDeepStrictEqual(record.assessment, row.record.assessment);
  return is_ours ? { kind: 'stored', scored_at: record.scored_at, hold: record.hold } : outcome;
}

function keyOf(record: { customer_id: string; event_id: string }): string {
  return `${record.customer_id.toLowerCase()} ${record.event_id}`;
}
