/** Reads scored events. group-commit.ts and write-group.ts write them. */
import type pg from 'pg';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { StoredScore } from '../../../records/record.ts';
import type { ScoreStore } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import { list } from '../lists/list.ts';
import { changes, search } from '../lists/search.ts';
import { summary } from '../lists/totals.ts';
import { isKept } from '../partitions/partitions.ts';
import type { RuleTextStore } from './rule-texts.ts';
import { type ScoreRow, scoreColumns } from './score-columns.ts';

const KEY_COLUMNS = `${scoreColumns()}, k.customer_id, k.event_id, k.content_hash`;
/** The time in the key leads to the one partition that has the event. */
export const WITH_EVENT = `left join events e
  on e.customer_id = k.customer_id and e.scored_at = k.scored_at and e.event_id = k.event_id
  left join holds h on h.customer_id = k.customer_id and h.event_id = k.event_id`;

/**
 * A key of a partition that is being dropped counts as gone. So does one that is scored and has no event: an operator
 * detached its partition.
 */
export const IS_THERE = `(k.scored_at is null or (e.event_id is not null and ${isKept('k.scored_at')}))`;

/** Named, because planning it over all partitions takes longer than running it. */
const FIND_ONE = {
  name: 'find-score',
  text: `select ${KEY_COLUMNS} from event_keys k ${WITH_EVENT} where k.customer_id = $1 and k.event_id = $2 and ${IS_THERE}`,
};

const FIND_MANY = `select ${KEY_COLUMNS}
from unnest($1::uuid[], $2::text[]) as wanted (customer_id, event_id)
  join event_keys k using (customer_id, event_id) ${WITH_EVENT}
where ${IS_THERE}`;

/** Keys only: recording one of these reads the rest. */
const USED_IDS = {
  name: 'used-ids',
  text: `select k.event_id from unnest($2::text[], $3::text[]) as sent (event_id, content_hash)
  join event_keys k on k.customer_id = $1 and k.event_id = sent.event_id
where case when k.scored_at is null then k.content_hash <> sent.content_hash else ${isKept('k.scored_at')} end`,
};

/** An event_id that was used before: with its score, or, while it is queued, without. */
export type FoundKey = StoredScore | QueuedKey;
type KeyRow = ScoreRow | QueuedKey;
type QueuedKey = Pick<StoredScore, 'customer_id' | 'event_id' | 'content_hash'> & { scored_at: null };

export const isScored = <Scored extends { scored_at: string }>(key: Scored | QueuedKey): key is Scored =>
  key.scored_at !== null;

/** The known ones among the keys, in any order. */
export async function findByKeys(
  client: pg.ClientBase,
  texts: RuleTextStore,
  keys: readonly Pick<StoredScore, 'customer_id' | 'event_id'>[],
): Promise<FoundKey[]> {
  const values = [keys.map((key) => key.customer_id), keys.map((key) => key.event_id)];
  const { rows } = await client.query<KeyRow>(FIND_MANY, values);
  const scored = await texts.restore(rows.filter((key): key is ScoreRow => isScored(key)));
  return [...scored, ...rows.filter((key): key is QueuedKey => !isScored(key))];
}

type Reads = Pick<ScoreStore, 'usedIds' | 'find' | 'findMany' | 'lookUp' | 'list' | 'search' | 'changes' | 'summary'>;

export function scoreReads(pool: pg.Pool, texts: RuleTextStore): Reads {
  const reads: Reads = {
    async usedIds(customer_id, events) {
      const sent = events.filter(({ event_id }) => isPlainText(event_id));
      const values = [customer_id, sent.map(({ event_id }) => event_id), sent.map(({ content_hash }) => content_hash)];
      const rows = await query<{ event_id: string }>(pool, USED_IDS, values);
      return new Set(rows.map(({ event_id }) => event_id));
    },

    async find(customer_id, event_id) {
      const found = await reads.lookUp(customer_id, event_id);
      return found === 'queued' ? null : found;
    },

    async lookUp(customer_id, event_id) {
      if (!isPlainText(event_id)) return null;
      const [key] = await query<KeyRow>(pool, FIND_ONE, [customer_id, event_id]);
      if (key === undefined) return null;
      return isScored(key) ? (await texts.restore([key]))[0]! : 'queued';
    },

    async list(customer_id, filter, page, per_page) {
      const { records, total } = await list(pool, customer_id, filter, page, per_page);
      return { records: await texts.restore(records), total };
    },

    async findMany(customer_id, event_ids) {
      const wanted = event_ids.filter(isPlainText);
      const rows = await query<KeyRow>(pool, FIND_MANY, [wanted.map(() => customer_id), wanted]);
      return texts.restore(rows.filter((key): key is ScoreRow => isScored(key)));
    },

    async search(customer_id, wanted) {
      const { records, ...rest } = await search(pool, customer_id, wanted);
      return { records: await texts.restore(records), ...rest };
    },

    changes: (customer_id, since, limit) => changes(pool, customer_id, since, limit),

    summary: (customer_id) => summary(pool, customer_id),
  };
  return reads;
}
