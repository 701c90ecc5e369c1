-- The compliance graph: frameworks, articles, rules, playbooks and themes of each version of the rules that is in use, and what
-- customers add to it. The part of the product is written whole by `sync` and can be dropped at any time; controls of customers
-- are kept nowhere else.

create table compliance_versions (
  rule_set_version text collate "C" primary key,
  -- SHA-256 over nodes and edges.
  digest text not null,
  nodes integer not null,
  edges integer not null,
  synced_at timestamptz not null default clock_timestamp()
);

create table compliance_nodes (
  rule_set_version text collate "C" not null references compliance_versions on delete cascade,
  id text collate "C" not null,
  kind text not null,
  properties json not null,
  primary key (rule_set_version, id)
);

create table compliance_edges (
  rule_set_version text collate "C" not null references compliance_versions on delete cascade,
  from_id text collate "C" not null,
  kind text collate "C" not null,
  to_id text collate "C" not null,
  -- Why a rule cites an article; empty for other edges.
  why text not null,
  primary key (rule_set_version, from_id, kind, to_id)
);

-- Grows with each change of a customer's controls, so that a copy in another graph is known to be old.
create table customer_control_revisions (
  customer_id uuid primary key references customers,
  revision integer not null
);

create table customer_controls (
  customer_id uuid not null references customer_control_revisions,
  control_id text collate "C" not null,
  kind text not null check (kind in ('control', 'internal_policy')),
  name text not null,
  description text not null,
  articles text[] not null,
  rules text[] not null,
  primary key (customer_id, control_id)
);

-- The graph of activity: who did what to which thing. A projection of `events`, appended by the worker; it can be emptied and made
-- again (`weir graph rebuild`). Nodes have keys of fixed size, hashes of kind, type and name, so that indexes stay small.

create table activity_nodes (
  customer_id uuid not null,
  node uuid not null,
  kind text not null,
  type text not null,
  name text not null,
  primary key (customer_id, node)
);

-- One row for each thing that an event touched.
create table activity_touches (
  customer_id uuid not null,
  event_id text collate "C" not null,
  thing uuid not null,
  at timestamptz not null,
  agent uuid,
  session uuid,
  by_user uuid,
  score smallint not null,
  -- Data came from the thing to the actor; otherwise they went to the thing.
  is_in boolean not null,
  action text not null,
  primary key (customer_id, event_id, thing)
)
with (autovacuum_vacuum_insert_scale_factor = 0.05);

-- What an agent touched is read from the index alone.
create index activity_touches_by_agent on activity_touches (customer_id, agent, at) include (thing, score, is_in) where agent is not null;
create index activity_touches_by_session on activity_touches (customer_id, session, at) include (thing, score, is_in) where session is not null;
create index activity_touches_by_thing on activity_touches (customer_id, thing, at) include (agent, session, score, is_in);
-- For dropping what is old.
create index activity_touches_by_time on activity_touches using brin (at);

create table activity_delegations (
  customer_id uuid not null,
  parent uuid not null,
  child uuid not null,
  at timestamptz not null,
  -- Of the token that delegates; null where an event alone says so.
  jti uuid,
  primary key (customer_id, parent, child)
);

create index activity_delegations_by_child on activity_delegations (customer_id, child);

-- How far this graph has come.
create table activity_cursor (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null,
  customer_id uuid not null,
  event_id text collate "C" not null
);

-- Which process projects into which graph at the moment, this one or an external one.
create table activity_turns (
  graph text primary key,
  holder text not null,
  until timestamptz not null
);

-- Who delegated to an agent, by its id.
create index tokens_of_subagents on tokens (customer_id, (details ->> 'agent_id')) where kind = 'subagent';
