-- Customers, their API keys and policies, and the events they had scored.
-- Text that is a key sorts by code point ("C"), so order does not depend on the locale a database was made with.

create table customers (
  customer_id uuid primary key,
  created_at timestamptz not null default clock_timestamp()
);

create table api_keys (
  key_id text collate "C" primary key,
  customer_id uuid not null references customers,
  name text not null,
  key_hash text collate "C" not null unique,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);

create index api_keys_by_customer on api_keys (customer_id);

-- Every version stays; the one in force is the highest.
create table policies (
  customer_id uuid not null references customers,
  version integer not null check (version > 0),
  policies json not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (customer_id, version)
);

-- One event is one row: what was asked and what was answered. `json`, not `jsonb`: the exact text, and cheaper to write.
create table events (
  customer_id uuid not null,
  event_id text collate "C" not null,
  scored_at timestamptz not null default clock_timestamp(),
  policy_version integer not null,
  score smallint not null check (score between 0 and 100),
  cache_hit boolean not null,
  risk_level text collate "C" not null,
  rule_set_version text not null,
  content_hash text collate "C" not null,
  event json not null,
  assessment json not null,
  primary key (customer_id, event_id)
)
-- Rows up to 8 kB stay whole and uncompressed: writing is a third faster, at up to twice the disk space. Vacuum comes by
-- early, because only then a list can be read from an index alone.
with (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Newest first. A page is found in the index alone; rows are fetched for one page only.
create index events_by_time on events (customer_id, scored_at desc, event_id desc);
create index events_by_level on events (customer_id, risk_level, scored_at desc, event_id desc);

-- How many events a customer has, by day (UTC) and level, kept by the statement that inserts them, so that totals need
-- no counting. Several rows a day, one for each slot, so that writers at the same time do not wait for each other: sum
-- them. Whoever deletes events has to subtract them here in the same transaction.
create table event_totals (
  customer_id uuid not null,
  day date not null,
  slot smallint not null,
  none_count bigint not null,
  low_count bigint not null,
  medium_count bigint not null,
  high_count bigint not null,
  critical_count bigint not null,
  score_sum bigint not null,
  primary key (customer_id, day, slot)
)
-- Room on each page for the next version of its rows: an update then touches no index.
with (fillfactor = 50);
