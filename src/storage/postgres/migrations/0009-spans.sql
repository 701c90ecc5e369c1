-- How many events a customer has, by five seconds and level: what `event_totals` is for whole hours, inside of one. A page
-- that begins within an hour, and a date that cuts it, walk through five seconds of events then and not through an hour.
-- Kept by the same statement, in slots for the same reason; whoever deletes events has to subtract them here as well.
create table event_spans (
  customer_id uuid not null,
  start timestamptz not null,
  slot smallint not null,
  none_count integer not null,
  low_count integer not null,
  medium_count integer not null,
  high_count integer not null,
  critical_count integer not null,
  primary key (customer_id, start, slot)
)
-- Room on each page for the next version of its rows: an update then touches no index.
with (fillfactor = 50);

-- Hours of few events can do without: one whose spans do not add up to its total is walked through as before. So may be
-- the hour in which nodes of the version before still write.
insert into event_spans
select f.customer_id, s.*
from (
  select customer_id, hour from event_totals group by 1, 2
  having sum(none_count + low_count + medium_count + high_count + critical_count) > 5000
) as f cross join lateral (
  select date_bin('5 seconds', scored_at, timestamptz '2000-01-01Z'), 0,
    count(*) filter (where risk_level = 'none'), count(*) filter (where risk_level = 'low'),
    count(*) filter (where risk_level = 'medium'), count(*) filter (where risk_level = 'high'),
    count(*) filter (where risk_level = 'critical')
  from events
  where customer_id = f.customer_id and scored_at >= f.hour and scored_at < f.hour + interval '1 hour'
  group by 1
) as s;
