-- Events that wait for a person's decision. A row is made by the statement that stores the score, so a risky score
-- without its hold cannot be.

create table holds (
  customer_id uuid not null,
  event_id text collate "C" not null,
  -- `expired` is never written: a row that is `held` beyond `expires_at` reads as expired, and no decision takes it.
  state text collate "C" not null default 'held' check (state in ('held', 'approved', 'rejected')),
  -- `scored_at` and `risk_level` of its event, so that lists find their way.
  held_at timestamptz not null,
  risk_level text collate "C" not null,
  expires_at timestamptz not null,
  -- SHA-256 of the action as scored, hex: what is approved when the event is.
  action_hash text collate "C" not null,
  decided_at timestamptz,
  reason text,
  -- The override token that was used.
  decided_by_jti uuid references tokens,
  -- Compact JWS: the decision in a form that can be verified elsewhere.
  cosignature text,
  primary key (customer_id, event_id),
  check ((state = 'held') = (decided_at is null)),
  check ((state = 'held') = (decided_by_jti is null)),
  check ((state = 'held') = (cosignature is null))
)
-- Room on each page for the row as it is once decided.
with (fillfactor = 60);

create index holds_by_state on holds (customer_id, state, held_at desc, event_id desc);

create function refuse_second_decision() returns trigger language plpgsql as
  $$ begin raise exception 'a decision stands for ever' using errcode = 'integrity_constraint_violation'; end $$;

create trigger decisions_are_final before update on holds
  for each row when (old.state <> 'held') execute function refuse_second_decision();
