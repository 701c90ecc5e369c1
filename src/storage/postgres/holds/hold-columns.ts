import { isoText } from '../connection/pool.ts';

/** State of the row called `h` at the time `now`, an SQL expression. */
const holdStateSql = (now: string): string =>
  `case when h.state = 'held' and h.expires_at <= ${now} then 'expired' else h.state end`;

/** A `StoredHold` from the row called `h`, as it is at the time `now`, an SQL expression; null when there is none. */
export const holdColumn = (now: string): string => `case when h.event_id is not null then json_build_object(
    'state', ${holdStateSql(now)}, 'expires_at', ${isoText('h.expires_at')},
    'decided_at', ${isoText('h.decided_at')}, 'reason', h.reason, 'decided_by', h.decided_by, 'action_hash', h.action_hash,
    'cosignature', h.cosignature) end as hold`;
