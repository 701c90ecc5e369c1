-- Events in partitions by time and customer, so that what is old is dropped and not deleted; the ids of events in a table
-- of their own, because no unique index can span partitions by time; and the queue of events accepted but not yet scored.

alter table events rename to events_before;
drop index events_by_time, events_by_level;
alter table events_before drop constraint events_pkey;

-- Partitions by time are made ahead (partitions.ts), each in parts by customer. The key is the order of lists, newest
-- last; an event is found by its id through event_keys, which knows the time.
create table events (
  like events_before including defaults including constraints,
  primary key (customer_id, scored_at, event_id)
) partition by range (scored_at);

create index events_by_level on events (customer_id, risk_level, scored_at, event_id);

-- Every event_id that was ever used, and whether its event is scored: `scored_at` is null while it waits in the queue.
-- Whoever makes a row, or gives it its time, is the one who scores the event: so each is scored once.
create table event_keys (
  customer_id uuid not null,
  event_id text collate "C" not null,
  content_hash text collate "C" not null,
  scored_at timestamptz,
  primary key (customer_id, event_id)
);

-- What partitions of `events` there are: times from (inclusive) to (exclusive), midnights UTC.
create table event_partitions (
  name text collate "C" primary key,
  from_time timestamptz not null,
  to_time timestamptz not null
);

-- Makes the partition for these times, or for what no other covers of them; answers whether it made one.
create function make_event_partition(wanted_from timestamptz, wanted_to timestamptz) returns boolean
language plpgsql as $$
declare
  start_time timestamptz;
  end_time timestamptz;
  part_name text;
begin
  lock table event_partitions in exclusive mode;
  select coalesce(max(to_time), wanted_from) into start_time
    from event_partitions where from_time <= wanted_from and to_time > wanted_from;
  select coalesce(min(from_time), wanted_to) into end_time
    from event_partitions where from_time > start_time and from_time < wanted_to;
  if start_time >= end_time or exists (select from event_partitions where from_time = start_time) then
    return false;
  end if;
  part_name := 'events_' || to_char(start_time at time zone 'UTC', 'YYYYMMDD');
  execute format('create table %I partition of events for values from (%L) to (%L) partition by hash (customer_id)',
    part_name, start_time, end_time);
  for part in 0..3 loop
    -- Rows up to 8 kB stay whole and uncompressed: writing is a third faster, at up to twice the disk space. Vacuum
    -- comes by early, because only then a list can be read from an index alone.
    execute format('create table %I partition of %I for values with (modulus 4, remainder %s)
      with (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05)',
      part_name || '_' || part, part_name, part);
  end loop;
  insert into event_partitions values (part_name, start_time, end_time);
  return true;
end $$;

-- Totals by hour instead of by day: a list then has less than an hour to count at its ends, and to skip to a late page.
drop table event_totals;

-- How many events a customer has, by hour and level, kept by the statement that inserts them, so that totals need no
-- counting. Several rows an hour, one for each slot, so that writers at the same time do not wait for each other: sum
-- them. Whoever deletes events has to subtract them here in the same transaction.
create table event_totals (
  customer_id uuid not null,
  hour timestamptz not null,
  slot smallint not null,
  none_count bigint not null,
  low_count bigint not null,
  medium_count bigint not null,
  high_count bigint not null,
  critical_count bigint not null,
  score_sum bigint not null,
  primary key (customer_id, hour, slot)
)
-- Room on each page for the next version of its rows: an update then touches no index.
with (fillfactor = 50);

-- Events accepted for later. A row leaves with the statement that stores its score.
create table queue (
  customer_id uuid not null,
  event_id text collate "C" not null,
  -- Order of arrival.
  seq bigint generated always as identity,
  -- Events of one session are in one lane.
  lane smallint not null,
  content_hash text collate "C" not null,
  event json not null,
  -- How often a worker began to score it alone and did not come back.
  attempts smallint not null default 0,
  -- Why it cannot be scored at all; it stays, for a person.
  dead_reason text,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, event_id)
)
-- Rows live for seconds, so that vacuum has to come by early.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

create index queue_by_lane on queue (customer_id, lane, seq) where dead_reason is null;

-- A lane is what one worker scores at a time, in order, while its lease lasts. It is served in turn: the one that waited
-- longest comes first, so that a customer with a million events does not hold up one with ten.
create table queue_lanes (
  customer_id uuid not null,
  lane smallint not null,
  -- False only while the queue has nothing for it; set by whoever holds the row's lock.
  has_work boolean not null,
  served_at timestamptz not null default clock_timestamp(),
  leased_by text,
  leased_until timestamptz,
  -- Events up to this `seq` are being scored. What a worker that died leaves here is scored one by one, so that the event
  -- that kills workers is found out.
  slice_to bigint,
  primary key (customer_id, lane)
)
with (fillfactor = 50);

create index queue_lanes_waiting on queue_lanes (served_at) where has_work;

do $$
declare
  month timestamptz;
begin
  for month in select distinct date_trunc('month', scored_at, 'UTC') from events_before loop
    perform make_event_partition(month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
  end loop;
end $$;

insert into events select * from events_before;
insert into event_keys select customer_id, event_id, content_hash, scored_at from events_before;
insert into event_totals
select customer_id, date_trunc('hour', scored_at, 'UTC'), 0,
  count(*) filter (where risk_level = 'none'), count(*) filter (where risk_level = 'low'),
  count(*) filter (where risk_level = 'medium'), count(*) filter (where risk_level = 'high'),
  count(*) filter (where risk_level = 'critical'), sum(score)
from events_before group by 1, 2;
drop table events_before;
