/** Writes many scores with one statement, hence one commit. Which scores go together is decided in group-commit.ts. */
import type pg from 'pg';
import type { StoredHold } from '../hold-ports.ts';
import { type RecordOutcome, RecordRefused, type ScoreRecord, StoreUnavailable } from '../ports.ts';
import { binaryArray, JSON_OID, TEXT_OID } from './binary-array.ts';
import { isConnectionLost } from './errors.ts';
import { isPartitionMissing } from './partitions.ts';
import { isoText, withClient } from './pool.ts';
import { type FoundKey, findByKeys, isScored } from './scores.ts';
import { ADD_TO_TOTALS } from './totals.ts';

/** A score with its JSON texts made, so that they are made once and their size is known. */
export interface Row {
  record: ScoreRecord;
  event: string;
  assessment: string;
  past: string | null;
}

/** Of the rows offered, those whose key was claimed. Written so that PostgreSQL looks up a hash table, row by row. */
const IS_CLAIMED = 'not ((o.customer_id, o.event_id) not in (select customer_id, event_id from claimed))';

/**
 * A row goes in when its policy is in force and its event_id is new, or waits in the queue with the same content: then it
 * leaves the queue here, whoever scored it. A score that is to be held is held from the same commit on, and its
 * messages to webhooks are in the outbox. Totals are brought up to date after all rows are in, and always in one order:
 * so writers never wait in a ring.
 *
 * Nothing joins the rows with each other: the planner takes a group for one row, and would compare each with all.
 */
const INSERT = `with offered as (
  select distinct on (r.customer_id, r.event_id) r.*, clock_timestamp() as scored_at,
    auth_now() + make_interval(mins => r.hold_minutes) as expires_at
  from unnest(
    $1::text[]::uuid[], $2::text[], $3::int[], $4::smallint[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::json[], $10::json[],
    $11::json[], $12::int[], $13::text[], $14::text[]::uuid[], $15::text[]::uuid[]
  ) with ordinality
    as r (customer_id, event_id, policy_version, score, cache_hit, risk_level, rule_set_version, content_hash, event, assessment, past,
      hold_minutes, action_hash, agent_key, session_key, nr)
  where r.policy_version = coalesce((select max(p.version) from policies p where p.customer_id = r.customer_id), 0)
  order by r.customer_id, r.event_id, r.nr
), claimed as (
  insert into event_keys as k (customer_id, event_id, content_hash, scored_at)
  select customer_id, event_id, content_hash, scored_at from offered
  on conflict (customer_id, event_id) do update set scored_at = excluded.scored_at
    where k.scored_at is null and k.content_hash = excluded.content_hash
  returning customer_id, event_id
), inserted as (
  insert into events
    (customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version, content_hash, event, assessment, past,
      agent_key, session_key)
  select customer_id, event_id, scored_at, policy_version, score, cache_hit, risk_level, rule_set_version, content_hash, event, assessment, past,
    agent_key, session_key
  from offered o where ${IS_CLAIMED}
  returning customer_id, scored_at, score, risk_level
), held as (
  insert into holds (customer_id, event_id, held_at, risk_level, expires_at, action_hash)
  select customer_id, event_id, scored_at, risk_level, expires_at, action_hash
  from offered o where hold_minutes is not null and ${IS_CLAIMED}
), dequeued as (
  delete from queue q using claimed c where q.customer_id = c.customer_id and q.event_id = c.event_id
), totalled as (
  ${ADD_TO_TOTALS}
)
select customer_id, event_id, ${isoText('scored_at')} as scored_at, ${isoText('expires_at')} as expires_at,
  case when hold_minutes is not null then publish_message(customer_id, 'event.held', event_id, json_build_object(
    'event_id', event_id, 'risk_level', risk_level, 'score', score,
    'held_at', ${isoText('scored_at')}, 'expires_at', ${isoText('expires_at')})) end,
  -- Asked here and not in the function, because nearly nobody wants a message for each event.
  case when exists (select from webhooks w where w.customer_id = o.customer_id and 'event.scored' = any (w.event_types))
    then publish_message(customer_id, 'event.scored', event_id, json_build_object(
      'event_id', event_id, 'risk_level', risk_level, 'score', score, 'scored_at', ${isoText('scored_at')})) end
from offered o where ${IS_CLAIMED}`;

/**
 * Writes the rows and answers what became of each, in order. When the connection breaks, nobody knows whether the
 * commit took place, so the group is written once more: rows that arrived the first time are recognised.
 */
export async function writeGroup(
  pool: pg.Pool,
  rows: Row[],
  makePartitions: () => Promise<void>,
): Promise<(RecordOutcome | Error)[]> {
  try {
    return await writeOnce(pool, rows);
  } catch (error) {
    if (error instanceof StoreUnavailable && isConnectionLost(error)) {
      return (await writeOnce(pool, rows)).map((outcome, index) => recogniseOwn(outcome, rows[index]!));
    }
    if (error instanceof RecordRefused && isPartitionMissing(error.cause)) {
      await makePartitions();
      return writeOnce(pool, rows);
    }
    if (error instanceof RecordRefused) return rows.length === 1 ? [error] : writeSingly(pool, rows, makePartitions);
    throw error;
  }
}

/** One of the rows is refused: each goes alone, so that only that one fails. */
async function writeSingly(
  pool: pg.Pool,
  rows: Row[],
  makePartitions: () => Promise<void>,
): Promise<(RecordOutcome | Error)[]> {
  const outcomes: (RecordOutcome | Error)[] = [];
  for (const row of rows) {
    const [outcome] = await writeGroup(pool, [row], makePartitions).catch((error: unknown) => [error as Error]);
    outcomes.push(outcome!);
  }
  return outcomes;
}

function writeOnce(pool: pg.Pool, rows: Row[]): Promise<RecordOutcome[]> {
  return withClient(pool, async (client) => {
    const inserted = await insert(client, rows);
    const outcomes = rows.map((row): RecordOutcome | null => {
      const written = inserted.get(keyOf(row.record));
      // Of twins in one group, the first is the one that was written.
      inserted.delete(keyOf(row.record));
      if (written === undefined) return null;
      return { kind: 'stored', scored_at: written.scored_at, hold: newHold(row.record, written) };
    });
    const left = rows.filter((_, index) => outcomes[index] === null);
    if (left.length === 0) return outcomes as RecordOutcome[];
    const existing = new Map(
      (
        await findByKeys(
          client,
          left.map(({ record }) => record),
        )
      ).map((key) => [keyOf(key), key]),
    );
    return outcomes.map((outcome, index) => outcome ?? toOutcome(existing.get(keyOf(rows[index]!.record))));
  });
}

/** What stands in the way of a row that was not written. */
function toOutcome(key: FoundKey | undefined): RecordOutcome {
  if (key === undefined) return { kind: 'policy_changed' };
  return isScored(key) ? { kind: 'exists', record: key } : { kind: 'queued', content_hash: key.content_hash };
}

interface Written {
  customer_id: string;
  event_id: string;
  scored_at: string;
  expires_at: string | null;
}

/** The hold as it is the moment it was made. */
function newHold({ hold }: ScoreRecord, { expires_at }: Written): StoredHold | null {
  if (hold === null || expires_at === null) return null;
  const { action_hash } = hold;
  return { state: 'held', expires_at, decided_at: null, reason: null, action_hash, cosignature: null };
}

async function insert(client: pg.PoolClient, rows: Row[]): Promise<Map<string, Written>> {
  const texts = (of: (record: ScoreRecord) => string | null) =>
    binaryArray(
      TEXT_OID,
      rows.map((row) => of(row.record)),
    );
  const values = [
    texts((record) => record.customer_id),
    texts((record) => record.event_id),
    rows.map((row) => row.record.assessment.policy_version),
    rows.map((row) => row.record.assessment.score),
    rows.map((row) => row.record.cache_hit),
    texts((record) => record.risk_level),
    texts((record) => record.assessment.rule_set_version),
    texts((record) => record.content_hash),
    binaryArray(
      JSON_OID,
      rows.map((row) => row.event),
    ),
    binaryArray(
      JSON_OID,
      rows.map((row) => row.assessment),
    ),
    binaryArray(
      JSON_OID,
      rows.map((row) => row.past),
    ),
    rows.map(({ record }) => record.hold?.ttl_minutes ?? null),
    rows.map(({ record }) => record.hold?.action_hash ?? null),
    texts(({ past }) => past?.agent_key ?? null),
    texts(({ past }) => past?.session_key ?? null),
  ];
  const answer = await client.query<Written>({ name: 'insert-scores', text: INSERT, values });
  return new Map(answer.rows.map((row) => [keyOf(row), row]));
}

/** On the second try a row that equals ours in every part was written by the first. */
function recogniseOwn(outcome: RecordOutcome, row: Row): RecordOutcome {
  if (outcome.kind !== 'exists') return outcome;
  const { record } = outcome;
  const is_ours =
    record.content_hash === row.record.content_hash && JSON.stringify(record.assessment) === row.assessment;
  return is_ours ? { kind: 'stored', scored_at: record.scored_at, hold: record.hold } : outcome;
}

function keyOf(record: { customer_id: string; event_id: string }): string {
  return `${record.customer_id.toLowerCase()} ${record.event_id}`;
}
