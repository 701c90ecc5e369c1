-- The place of an event in the order of arrival, so that events of one session go back into the queue in their order. Those
-- of one chunk have one `accepted_at`. What was set aside before has no place: it comes first of its time.
alter table queue_dead
  add column seq bigint not null default 0,
  add column place integer not null default 0;

create index queue_dead_by_arrival on queue_dead (accepted_at, seq, place, customer_id, event_id);
