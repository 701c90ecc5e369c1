/** Writes many scores with one statement, hence one commit. Which scores go together is decided in group-commit.ts. */
import type pg from 'pg';
import { type RecordOutcome, RecordRefused, type ScoreRecord, type StoredScore, StoreUnavailable } from '../ports.ts';
import { binaryArray, JSON_OID, TEXT_OID } from './binary-array.ts';
import { isConnectionLost } from './errors.ts';
import { isoText, withClient } from './pool.ts';
import { SCORE_COLUMNS } from './scores.ts';
import { ADD_TO_TOTALS } from './totals.ts';

/** A score with its JSON texts made, so that they are made once and their size is known. */
export interface Row {
  record: ScoreRecord;
  event: string;
  assessment: string;
}

/**
 * A row of an event that is there already is left out, and so is one scored with a policy no longer in force. Totals
 * are brought up to date after all rows are in, and always in one order: so writers never wait in a ring.
 */
const INSERT = `with inserted as (
  insert into events
    (customer_id, event_id, policy_version, score, cache_hit, risk_level, rule_set_version, content_hash, event, assessment)
  select r.* from unnest(
    $1::text[]::uuid[], $2::text[], $3::int[], $4::smallint[], $5::bool[], $6::text[], $7::text[], $8::text[], $9::json[], $10::json[]
  ) as r (customer_id, event_id, policy_version, score, cache_hit, risk_level, rule_set_version, content_hash, event, assessment)
  where r.policy_version = coalesce((select max(p.version) from policies p where p.customer_id = r.customer_id), 0)
  on conflict do nothing
  returning customer_id, event_id, scored_at, score, risk_level
), totalled as (
  ${ADD_TO_TOTALS}
)
select customer_id, event_id, ${isoText('scored_at')} as scored_at from inserted`;

const FIND = `select ${SCORE_COLUMNS}
from unnest($1::uuid[], $2::text[]) as k (customer_id, event_id) join events e using (customer_id, event_id)`;

/**
 * Writes the rows and answers what became of each, in order. When the connection breaks, nobody knows whether the
 * commit took place, so the group is written once more: rows that arrived the first time are recognised.
 */
export async function writeGroup(pool: pg.Pool, rows: Row[]): Promise<(RecordOutcome | Error)[]> {
  try {
    return await writeOnce(pool, rows);
  } catch (error) {
    if (error instanceof StoreUnavailable && isConnectionLost(error)) {
      return (await writeOnce(pool, rows)).map((outcome, index) => recogniseOwn(outcome, rows[index]!));
    }
    if (error instanceof RecordRefused) return rows.length === 1 ? [error] : writeSingly(pool, rows);
    throw error;
  }
}

/** One of the rows is refused: each goes alone, so that only that one fails. */
async function writeSingly(pool: pg.Pool, rows: Row[]): Promise<(RecordOutcome | Error)[]> {
  const outcomes: (RecordOutcome | Error)[] = [];
  for (const row of rows) {
    const [outcome] = await writeGroup(pool, [row]).catch((error: unknown) => [error as Error]);
    outcomes.push(outcome!);
  }
  return outcomes;
}

function writeOnce(pool: pg.Pool, rows: Row[]): Promise<RecordOutcome[]> {
  return withClient(pool, async (client) => {
    const inserted = await insert(client, rows);
    const outcomes = rows.map((row): RecordOutcome | null => {
      const scored_at = inserted.get(keyOf(row.record));
      // Of twins in one group, the first is the one that was written.
      inserted.delete(keyOf(row.record));
      return scored_at === undefined ? null : { kind: 'stored', scored_at };
    });
    const left = rows.filter((_, index) => outcomes[index] === null);
    if (left.length === 0) return outcomes as RecordOutcome[];
    const existing = await find(client, left);
    return outcomes.map((outcome, index) => {
      if (outcome !== null) return outcome;
      const record = existing.get(keyOf(rows[index]!.record));
      return record === undefined ? { kind: 'policy_changed' } : { kind: 'exists', record };
    });
  });
}

async function insert(client: pg.PoolClient, rows: Row[]): Promise<Map<string, string>> {
  const texts = (of: (record: ScoreRecord) => string) =>
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
  ];
  const answer = await client.query<StoredScore>({ name: 'insert-scores', text: INSERT, values });
  return new Map(answer.rows.map((row) => [keyOf(row), row.scored_at]));
}

async function find(client: pg.PoolClient, rows: Row[]): Promise<Map<string, StoredScore>> {
  const answer = await client.query<StoredScore>(FIND, [
    rows.map((row) => row.record.customer_id),
    rows.map((row) => row.record.event_id),
  ]);
  return new Map(answer.rows.map((row) => [keyOf(row), row]));
}

/** On the second try a row that equals ours in every part was written by the first. */
function recogniseOwn(outcome: RecordOutcome, row: Row): RecordOutcome {
  if (outcome.kind !== 'exists') return outcome;
  const { record } = outcome;
  const is_ours =
    record.content_hash === row.record.content_hash && JSON.stringify(record.assessment) === row.assessment;
  return is_ours ? { kind: 'stored', scored_at: record.scored_at } : outcome;
}

function keyOf(record: { customer_id: string; event_id: string }): string {
  return `${record.customer_id.toLowerCase()} ${record.event_id}`;
}
