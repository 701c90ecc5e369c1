-- Named people of a customer, how they sign in, and who decided about a held event.

create table people (
  person_id uuid primary key,
  customer_id uuid not null references customers,
  -- Lower case.
  email text collate "C" not null,
  name text not null,
  role text collate "C" not null check (role in ('viewer', 'approver', 'policy_editor', 'admin')),
  -- scrypt with its salt and parameters; null: signs in otherwise.
  password_hash text,
  -- The account at the OpenID provider, kept from the first sign-in there.
  issuer text,
  subject text,
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz
);

create unique index people_by_email on people (customer_id, email) where removed_at is null;
create index people_with_email on people (email) where removed_at is null;

-- One-time links. Only hashes are stored, here and below.
create table sign_in_links (
  link_hash text collate "C" primary key,
  person_id uuid not null references people,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table person_sessions (
  session_hash text collate "C" primary key,
  person_id uuid not null references people,
  signed_in text collate "C" not null,
  address text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index person_sessions_by_person on person_sessions (person_id);

-- The right of one person to decide, lent to another for a time.
create table delegations (
  delegation_id uuid primary key,
  customer_id uuid not null references customers,
  from_person uuid not null references people,
  to_person uuid not null references people,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (from_person <> to_person)
);

create index delegations_by_receiver on delegations (to_person);

-- Approvals of an event that needs several. `authority`: the person whose right was used, which may be lent.
create table hold_approvals (
  customer_id uuid not null,
  event_id text collate "C" not null,
  person_id uuid not null references people,
  authority uuid not null references people,
  approved_at timestamptz not null default clock_timestamp(),
  decided_by json not null,
  primary key (customer_id, event_id, person_id),
  unique (customer_id, event_id, authority)
);

-- Everyone behind the decision, in the order of their approvals; null for decisions from before.
alter table holds add decided_by json;
