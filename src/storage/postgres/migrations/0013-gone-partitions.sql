-- From when this is set the events of a partition are gone, for every reader at once; its table and keys follow piece by
-- piece. Events older than the end of such a partition are none, whatever is still there of them (partitions.ts).
alter table event_partitions add column is_gone boolean not null default false;

-- `-infinity` while nothing is being dropped.
create function events_kept_from() returns timestamptz language sql stable parallel safe as
  $$ select coalesce(max(to_time), '-infinity') from event_partitions where is_gone $$;
