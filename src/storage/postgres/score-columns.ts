import { holdColumn } from './hold-columns.ts';
import { isoText } from './pool.ts';

/** Every column of a `StoredScore`, from the row called `e` and its hold, if any, called `h`, at the time `now`, an SQL expression. */
export const scoreColumns = (
  now = 'auth_now()',
): string => `e.customer_id, e.event_id, e.content_hash, e.event::json as event, e.assessment::json as assessment,
  e.past::json as past, e.risk_level, e.cache_hit, ${isoText('e.scored_at')} as scored_at, ${holdColumn(now)}`;
