/** Computes the number of events in a list and the place of a page from totals instead of from a million events. */

import { HOUR, hourOf, SPAN, spanOf } from '../lists/totals.ts';
import { isKept } from '../partitions/partitions.ts';

/** Parts of the statement. */
export interface Wanted {
  from: string | undefined;
  to: string | undefined;
  /** All conditions, on a row of `events`. */
  wanted: string;
  /** The number of events of the levels, over rows of totals. */
  sum: string;
}

const DAY_OF_HOUR = `date_bin('1 day', hour, timestamptz '2000-01-01Z')`;
/** Times are whole multiples of it. */
const TICK = `interval '1 microsecond'`;

/**
 * Common table expressions, for the customer $1 and the row $2 of the list. `pieces` are stretches of time, from
 * `since` to before `until`, with the number `n` of matching events in each. `start` says which stretch holds the row,
 * and how many rows to `skip` there: that stretch is narrowed to an hour and then to a span, so that few rows are
 * sorted for a list of years.
 *
 * An hour is split into spans only when these add up to its total, because an earlier version wrote none. Otherwise the
 * hour is counted, or walked through, as a whole.
 */
export function placeOf(list: Wanted): string {
  return `cut as materialized (
  select ${cutOf(list).join(', ')}
),
pieces as materialized (
  ${piecesOf(list).join('\n  union all ')}
),
piece as materialized (
  ${withRow('pieces', '0')}
),
hours as (
  select hour as since, hour + ${HOUR} as until, ${list.sum} as n, true as is_of_hours from event_totals
  where customer_id = $1 and hour >= (select since from piece where is_of_hours) and hour < (select until from piece)
  group by hour
),
hour as materialized (
  ${withRow('hours', '(select before from piece)')}
  union all select * from piece where not is_of_hours
),
spans as materialized (
  ${spansOf(list.sum, '(select since from hour where is_of_hours)', '(select until from hour)')}
),
start as (
  select since, until, n, $2::bigint - before as skip from (
    ${withRow('spans', '(select before from hour)')} and (select sum(n) from spans) = (select n from hour)
    union all select * from hour where n is distinct from (select sum(n) from spans)
  ) as narrowest
)`;
}

/** The stretch that holds row $2, and how many rows of the list are `before` its first. */
function withRow(stretches: string, before: string): string {
  return `select * from (select *, ${before} + sum(n) over (order by since desc) - n as before from ${stretches}) as placed
  where before <= $2 and $2 < before + n`;
}

/**
 * The boundaries of the date filter, computed once and not per row: whole hours reach from `hours_from` to before
 * `hours_to`, whole spans, around them, from `spans_from` to before `spans_to`. The rest around these is counted.
 */
function cutOf({ from, to, sum }: Wanted): string[] {
  const addsUp = (hour: string): string => `(
    select ${sum} from event_totals where customer_id = $1 and hour = ${hour}
  ) = (
    select ${sum} from event_spans where customer_id = $1 and start >= ${hour} and start < ${hour} + ${HOUR}
  )`;
  const cut: string[] = [];
  if (from) {
    const hours_from = hourOf(`${from} + ${HOUR} - ${TICK}`);
    const spans_from = spanOf(`${from} + ${SPAN} - ${TICK}`);
    cut.push(`${hours_from} as hours_from`);
    cut.push(`case when ${addsUp(hourOf(from))} then ${spans_from} else ${hours_from} end as spans_from`);
  }
  if (to) {
    cut.push(`${hourOf(to)} as hours_to`);
    cut.push(`case when ${addsUp(hourOf(to))} then ${spanOf(to)} else ${hourOf(to)} end as spans_to`);
  }
  return cut;
}

/** The whole hours of each day, the whole spans around them, and the part that is counted. */
function piecesOf({ from, to, wanted, sum }: Wanted): string[] {
  const [hours_from, spans_from] = ['(select hours_from from cut)', '(select spans_from from cut)'];
  const [hours_to, spans_to] = ['(select hours_to from cut)', '(select spans_to from cut)'];
  const counted = (since: string, until: string): string =>
    `select ${since}, ${until}, count(*), false from events
    where ${wanted} and scored_at >= ${since} and scored_at < ${until} and ${isKept('scored_at')}`;
  const whole = conditions('customer_id = $1', from && `hour >= ${hours_from}`, to && `hour < ${hours_to}`);
  const pieces = [
    `select min(hour) as since, max(hour) + ${HOUR} as until, ${sum} as n, true as is_of_hours
    from event_totals where ${whole} group by ${DAY_OF_HOUR}`,
  ];
  if (from)
    pieces.push(
      counted(from, spans_from),
      spansOf(sum, spans_from, to ? `least(${hours_from}, ${spans_to})` : hours_from),
    );
  if (to) {
    // The stretches of one hour or span with `from`.
    pieces.push(spansOf(sum, from ? `greatest(${hours_from}, ${hours_to})` : hours_to, spans_to));
    pieces.push(counted(from ? `greatest(${spans_from}, ${spans_to})` : spans_to, `timestamptz 'infinity'`));
  }
  return pieces;
}

function spansOf(sum: string, since: string, until: string): string {
  return `select start as since, start + ${SPAN} as until, ${sum} as n, false as is_of_hours from event_spans
  where customer_id = $1 and start >= ${since} and start < ${until} group by start`;
}

export function conditions(...all: (string | undefined)[]): string {
  return all.filter((condition) => condition !== undefined).join(' and ');
}
