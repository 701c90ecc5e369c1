-- What lists are filtered by, in columns of their own, and in one index that serves every combination of filters: it is read
-- from end to end where a filter is given, which takes half a second for half a million events on a busy machine. Keys are hashes
-- (records/facets.ts), so that an entry has a bounded size whatever an id holds. This writes every event once more, about two
-- minutes for a million.

alter table events
  add column action text,
  add column user_key uuid,
  -- Keys of the violated rules.
  add column rules integer[],
  -- It would have been held, but its customer, agent or API key is only observed.
  add column would_hold boolean not null default false;

-- Text that a server refuses in JSON, half of a surrogate pair, is left out; no id has any.
create function facet_json_of(event text) returns json language plpgsql immutable as $$
begin
  -- Reads all of it, unlike the cast.
  perform event::json -> 'action';
  return event::json;
exception when others then
  return regexp_replace(event, '\\u[dD][89a-fA-F][0-9a-fA-F]{2}', '', 'g')::json;
end $$;

create function facet_user_key_of(event json) returns uuid language sql immutable as $$
  select case when event -> 'session' ->> 'user_id' <> '' then
    substr(encode(sha256(convert_to('user ' || (event -> 'session' ->> 'user_id'), 'UTF8')), 'hex'), 1, 32)::uuid end
$$;

create table facet_rule_ids as
select t.rule_set_version as version, r.place - 1 as place, r.rule ->> 'id' as id
from rule_texts t cross join lateral json_array_elements(t.texts::json -> 'rules') with ordinality as r (rule, place);
create index on facet_rule_ids (version, place);

-- A violation is a rule's id, or its place among the texts of its version.
create function facet_rules_of(assessment text) returns integer[] language plpgsql as $$
begin
  return array(
    select ('x' || substr(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 1, 8))::bit(32)::integer
    from (
      select coalesce(r.id, v.violation #>> '{}') as id
      from json_array_elements(assessment::json -> 'violations') with ordinality as v (violation, n)
      left join facet_rule_ids r on json_typeof(v.violation) = 'number'
        and r.version = assessment::json ->> 'texts' and r.place = (v.violation #>> '{}')::integer
      order by n limit 128
    ) as named);
exception when others then
  return null;
end $$;

alter table events
  alter column action type text using facet_json_of(event) ->> 'action',
  alter column user_key type uuid using facet_user_key_of(facet_json_of(event)),
  alter column rules type integer[] using facet_rules_of(assessment);

drop function facet_json_of, facet_user_key_of, facet_rules_of;
drop table facet_rule_ids;

-- The order of lists, with everything that they are filtered by: no further index to write for each event.
alter table events drop constraint events_pkey;
alter table events add constraint events_pkey primary key (customer_id, scored_at, event_id)
  include (score, risk_level, action, agent_key, session_key, user_key, rules, would_hold);

-- How many events would have been held: like the counts by level.
alter table event_totals add column would_hold_count bigint not null default 0;

-- Decisions and expiries in the order in which they came, for streams.
create index holds_by_decision on holds (customer_id, decided_at) where decided_at is not null;
create index holds_by_end on holds (customer_id, expires_at) where state in ('held', 'expired');
