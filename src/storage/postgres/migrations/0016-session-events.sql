-- Which events a session's count holds. So the same event again is counted once: at the same time on two nodes, and after a
-- node died between counting and recording it. Rows go when their token has expired.
create table session_events (
  jti uuid not null,
  -- Hash of the event's id and content.
  event_key uuid not null,
  -- It was sent again before its key was known: whoever counted it cannot tell whether nothing came of it.
  is_shared boolean not null default false,
  primary key (jti, event_key)
);

-- Counts those of the events that are not counted yet: all of them, or none when there is no room. `counted` is null then,
-- `wanted` how many they are. The row of the session is locked first, and each statement after it sees what others did.
create function count_session_events(of_jti uuid, event_keys uuid[], out counted uuid[], out room integer, out wanted integer)
language plpgsql as $$
begin
  counted := '{}';
  wanted := 0;
  if cardinality(event_keys) = 0 then
    return;
  end if;
  select max_events - used into room from session_usage where jti = of_jti for update;
  room := coalesce(room, 0);
  counted := array(
    select distinct k from unnest(event_keys) as k
    where (select true from session_events s where s.jti = of_jti and s.event_key = k) is null);
  wanted := cardinality(counted);
  if wanted > room then
    counted := null;
    return;
  end if;
  if wanted < cardinality(event_keys) then
    update session_events set is_shared = true
    where jti = of_jti and event_key = any (event_keys) and not event_key = any (counted) and not is_shared;
  end if;
  if wanted > 0 then
    insert into session_events (jti, event_key) select of_jti, unnest(counted);
    update session_usage set used = used + wanted where jti = of_jti;
  end if;
end $$;

-- Takes events out of the count, except those that somebody else sent, too.
create function uncount_session_events(of_jti uuid, event_keys uuid[]) returns void
language plpgsql as $$
declare
  given_back integer;
begin
  perform 1 from session_usage where jti = of_jti for update;
  delete from session_events where jti = of_jti and event_key = any (event_keys) and not is_shared;
  get diagnostics given_back = row_count;
  if given_back > 0 then
    update session_usage set used = used - given_back where jti = of_jti;
  end if;
end $$;
