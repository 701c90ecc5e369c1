-- The queue in chunks: up to some hundred events of one lane in a row, as they were accepted. A row for each event, with two
-- index entries and a deletion of its own, took the database as long as the score that came of it.

create table queue_chunks (
  customer_id uuid not null,
  -- Events of one session are in one lane.
  lane smallint not null,
  -- Order of arrival.
  seq bigint generated always as identity,
  size integer not null,
  -- JSON: their ids in order, and for each its content hash and the event.
  event_ids text not null,
  events text not null,
  -- After a worker died over the chunk its events are scored one at a time. The one that a worker began last, and how often.
  suspect text collate "C",
  attempts smallint not null default 0,
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, lane, seq)
)
-- Rows live for seconds, so that vacuum has to come by early.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 100);

-- Chunks are long: pieces that are not compressed would be many.
do $$
begin
  if exists (select from pg_settings s where s.name = 'default_toast_compression' and 'lz4' = any (s.enumvals)) then
    alter table queue_chunks alter column events set compression lz4;
  end if;
end $$;

-- Events that cannot be scored at all; they stay, for a person.
create table queue_dead (
  customer_id uuid not null,
  event_id text collate "C" not null,
  lane smallint not null,
  content_hash text collate "C" not null,
  -- JSON.
  event text not null,
  reason text not null,
  accepted_at timestamptz not null,
  primary key (customer_id, event_id)
);

-- Chunks that the lane's holder is scoring, and those that a holder before it took and never came back from.
alter table queue_lanes
  drop column slice_to,
  add column taken bigint[],
  add column lost bigint[];

insert into queue_dead
select customer_id, event_id, lane, content_hash, event::text, dead_reason, accepted_at from queue where dead_reason is not null;

insert into queue_chunks (customer_id, lane, size, event_ids, events, suspect, attempts, accepted_at)
select customer_id, lane, 1, json_build_array(event_id)::text,
  json_build_array(json_build_object('content_hash', content_hash, 'event', event))::text,
  case when attempts > 0 then event_id end, attempts, accepted_at
from queue where dead_reason is null order by seq;

drop table queue;
