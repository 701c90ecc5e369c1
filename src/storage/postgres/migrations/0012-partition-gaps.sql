-- Makes partitions for all of these times that no other covers; answers whether it made any. The first version stopped after
-- the first gap: where days had been made ahead and then months were wanted, the days between never came.
create or replace function make_event_partition(wanted_from timestamptz, wanted_to timestamptz) returns boolean
language plpgsql as $$
declare
  start_time timestamptz := wanted_from;
  end_time timestamptz;
  part_name text;
  has_made boolean := false;
begin
  lock table event_partitions in exclusive mode;
  while start_time < wanted_to loop
    -- What covers this time ends later, so each turn comes nearer to the end.
    select max(to_time) into end_time from event_partitions where from_time <= start_time and to_time > start_time;
    if end_time is null then
      select coalesce(min(from_time), wanted_to) into end_time
        from event_partitions where from_time > start_time and from_time < wanted_to;
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
      has_made := true;
    end if;
    start_time := end_time;
  end loop;
  return has_made;
end $$;
