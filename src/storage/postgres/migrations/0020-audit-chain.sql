-- The audit log as one hash chain for each customer, and one for entries of no customer: each entry has the hash of itself and
-- of the one before. A changed, removed or reordered entry breaks the chain behind it; the head shows what is missing at its end.

create table audit_chains (
  -- Null id of a chain cannot be a key: entries of no customer are in the chain of the zero UUID.
  chain_id uuid primary key,
  seq bigint not null,
  hash text collate "C" not null
)
with (fillfactor = 50);

alter table audit_log add column seq bigint, add column hash text collate "C";

-- A text with its length in bytes, so that two lists of texts never read the same; `-` for none.
create function audit_field(value text) returns text language sql immutable as
  $$ select coalesce(octet_length(value) || ':' || value, '-') $$;

-- SHA-256 hex over the previous hash and every column (tokens/audit-chain.ts computes the same).
create function audit_hash(previous text, entry audit_log) returns text language sql stable as $$
  select encode(sha256(convert_to(
    audit_field(previous) || audit_field(entry.seq::text)
      || audit_field(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      || audit_field(entry.customer_id::text) || audit_field(entry.action) || audit_field(entry.actor)
      || audit_field(entry.request_id) || audit_field(entry.subject) || audit_field(entry.details::text), 'UTF8')), 'hex')
$$;

-- The row of the chain is locked until the commit, so entries get their numbers in the order in which they become visible.
-- A transaction appends its entries last.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  chain uuid := coalesce(new.customer_id, '00000000-0000-0000-0000-000000000000');
  head audit_chains;
begin
  select * into head from audit_chains where chain_id = chain for update;
  if not found then
    insert into audit_chains values (chain, 0, '') on conflict do nothing;
    select * into head from audit_chains where chain_id = chain for update;
  end if;
  -- Both were set before the lock was free.
  new.audit_id := nextval(pg_get_serial_sequence('audit_log', 'audit_id'));
  new.at := auth_now();
  new.seq := head.seq + 1;
  new.hash := audit_hash(head.hash, new);
  update audit_chains set seq = new.seq, hash = new.hash where chain_id = chain;
  return new;
end $$;

-- Entries of earlier releases, in their order.
alter table audit_log disable trigger audit_log_is_append_only;
do $$
declare
  entry audit_log;
  chain uuid;
  head audit_chains;
begin
  for entry in select * from audit_log order by audit_id loop
    chain := coalesce(entry.customer_id, '00000000-0000-0000-0000-000000000000');
    select * into head from audit_chains where chain_id = chain;
    entry.seq := coalesce(head.seq, 0) + 1;
    entry.hash := audit_hash(coalesce(head.hash, ''), entry);
    update audit_log set seq = entry.seq, hash = entry.hash where audit_id = entry.audit_id;
    insert into audit_chains values (chain, entry.seq, entry.hash)
      on conflict (chain_id) do update set seq = excluded.seq, hash = excluded.hash;
  end loop;
end $$;
alter table audit_log enable trigger audit_log_is_append_only;

alter table audit_log alter column seq set not null, alter column hash set not null;
create unique index audit_log_by_seq
  on audit_log (coalesce(customer_id, '00000000-0000-0000-0000-000000000000'), seq);
create trigger audit_log_is_chained before insert on audit_log for each row execute function chain_audit_entry();
