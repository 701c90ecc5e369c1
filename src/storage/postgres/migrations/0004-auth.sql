-- The token tree: signing keys, tokens, what was revoked, and who did what.

-- The one clock of the auth service. Whether a token has expired is decided by the database, on whatever node.
create function auth_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- ES256 key pairs. The private half is encrypted under a data key of its own, and that under the master key.
create table signing_keys (
  key_id uuid primary key,
  customer_id uuid not null references customers,
  state text not null check (state in ('active', 'verify_only', 'disabled')),
  public_key text not null,
  private_key bytea not null,
  data_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default auth_now(),
  -- When it ceased to sign. Tokens it signed before then verify, until the key is disabled.
  retired_at timestamptz,
  check ((state = 'active') = (retired_at is null))
);

create unique index one_active_signing_key on signing_keys (customer_id) where state = 'active';
create index signing_keys_by_customer on signing_keys (customer_id);

-- One issued token is one row, and stays one: rows are never deleted, or a cascade could not find what lies below.
create table tokens (
  jti uuid primary key,
  customer_id uuid not null references customers,
  kind text not null,
  parent_jti uuid references tokens,
  -- From the root to itself. A token is dead when any of these heads a revoked subtree.
  path uuid[] not null,
  delegation_depth smallint not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- What signed it; null for opaque tokens.
  key_id uuid references signing_keys,
  -- SHA-256 of its text, hex: how a token is named without being shown. The text itself is not kept.
  token_hash text collate "C" not null unique,
  rbac json,
  details json not null,
  check (path[cardinality(path)] = jti),
  check (parent_jti is not distinct from path[cardinality(path) - 1])
);

create index tokens_by_path on tokens using gin (path);

-- How many events a session token was used for. One conditional update counts; no cache takes part.
create table session_usage (
  jti uuid primary key references tokens,
  max_events integer not null check (max_events > 0),
  used integer not null default 0 check (used between 0 and max_events)
)
with (fillfactor = 50);

-- Where the log ends. Whoever writes to the log updates this row first and holds it until the commit, so ids become
-- visible in their order: a reader that has seen one has seen all before it.
create table revocation_state (
  is_only boolean primary key default true check (is_only),
  last_log_id bigint not null default 0,
  entries bigint not null default 0
);
insert into revocation_state default values;

-- What was revoked. Mode `single` ends one token, `subtree` one and everything below it, now and later;
-- `key` says that a signing key changed its state.
create table revocation_log (
  log_id bigint primary key,
  customer_id uuid not null,
  subject uuid not null,
  mode text not null check (mode in ('single', 'subtree', 'key')),
  revoked_at timestamptz not null default auth_now(),
  reason text,
  -- Tells this row from one with the same id in another history of the database, as after a dump was restored.
  stamp uuid not null default gen_random_uuid()
);

create unique index revocation_log_once on revocation_log (subject, mode) where mode <> 'key';
create index revocation_log_by_subject on revocation_log (subject);

-- Who did what on the management plane, and which events tokens were refused.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default auth_now(),
  customer_id uuid,
  action text not null,
  actor text not null,
  request_id text not null,
  subject text,
  details json not null
);

create index audit_log_by_customer on audit_log (customer_id, audit_id desc);

create function refuse_change() returns trigger language plpgsql as
  $$ begin raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation'; end $$;

create trigger revocation_log_is_append_only before update or delete or truncate on revocation_log
  for each statement execute function refuse_change();
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
