import type { Past, StoredScore } from '../../../records/record.ts';
import type { KeptPast } from '../../../records/texts.ts';
import { isoText } from '../connection/pool.ts';
import { holdColumn } from '../holds/hold-columns.ts';

/** A `StoredScore` as its row has it; `ruleTextStore` completes it. */
export interface ScoreRow extends Omit<StoredScore, 'assessment' | 'past'>, Record<keyof OwnerKeys, string | null> {
  /** In its stored form (kept-assessment.ts). */
  assessment: object;
  past: KeptPast | null;
}

type OwnerKeys = Pick<Past, 'agent_key' | 'session_key'>;

/**
 * Every column of a `ScoreRow`, from the row called `e` and its hold, if any, called `h`, at the time `now`, an SQL
 * expression.
 */
export const scoreColumns = (
  now = 'auth_now()',
): string => `e.customer_id, e.event_id, e.content_hash, e.event::json as event, e.assessment::json as assessment,
  e.past::json as past, replace(e.agent_key::text, '-', '') as agent_key, replace(e.session_key::text, '-', '') as session_key,
  e.risk_level, e.cache_hit, e.would_hold, ${isoText('e.scored_at')} as scored_at, ${holdColumn(now)}`;
