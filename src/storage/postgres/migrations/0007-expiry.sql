-- The end of a hold that nobody decided is written as well, so that its message to webhooks commits with it. Reads do not
-- wait for that: a row that is `held` beyond `expires_at` still reads as expired, and no decision takes it.

alter table holds
  drop constraint holds_state_check,
  drop constraint holds_check,
  drop constraint holds_check1,
  drop constraint holds_check2,
  add constraint holds_state_check check (state in ('held', 'approved', 'rejected', 'expired')),
  add constraint decided_at_check check ((state in ('approved', 'rejected')) = (decided_at is not null)),
  add constraint decided_by_check check ((state in ('approved', 'rejected')) = (decided_by_jti is not null)),
  add constraint cosignature_check check ((state in ('approved', 'rejected')) = (cosignature is not null));

create index holds_by_expiry on holds (expires_at) where state = 'held';
