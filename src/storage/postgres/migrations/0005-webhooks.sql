-- Webhooks: endpoints and their secrets, and the outbox. A message and its deliveries are written in the transaction of
-- the change they tell of (publish_message), so that there is never one without the other.

-- One endpoint of a customer. While it is disabled its messages wait.
create table webhooks (
  webhook_id uuid primary key,
  customer_id uuid not null references customers,
  endpoint_url text not null,
  event_types text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  disabled_at timestamptz,
  disabled_reason text,
  -- Since when every attempt has failed, and how many in a row.
  failing_since timestamptz,
  failures integer not null default 0,
  -- Nothing is sent there before this time.
  paused_until timestamptz,
  -- Endpoints are served in turn: the one that waited longest comes first.
  served_at timestamptz not null default clock_timestamp(),
  -- One attempt at a time; which one, and until when it counts as under way.
  leased_by uuid,
  leased_until timestamptz,
  check ((disabled_at is null) = (disabled_reason is null))
)
with (fillfactor = 50);

create index webhooks_by_customer on webhooks (customer_id);

-- Secrets, encrypted under a data key of their own and that under the master key.
create table webhook_secrets (
  secret_id uuid primary key,
  webhook_id uuid not null references webhooks,
  secret bytea not null,
  data_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Until when a replaced secret signs as well; null for the current one.
  valid_until timestamptz
);

create unique index one_current_webhook_secret on webhook_secrets (webhook_id) where valid_until is null;
create index webhook_secrets_by_webhook on webhook_secrets (webhook_id);

-- One message, as it is sent. Without an endpoint that wants it there is none.
create table webhook_messages (
  message_id text collate "C" primary key,
  customer_id uuid not null,
  type text not null,
  -- What it is about: an event_id, a jti. Messages about one thing are numbered from 1, so that receivers can sort them.
  subject text collate "C" not null,
  sequence integer not null,
  body json not null,
  created_at timestamptz not null
);

create index webhook_messages_by_subject on webhook_messages (customer_id, subject, sequence);
create index webhook_messages_by_time on webhook_messages (created_at);

-- One message on its way to one endpoint.
create table webhook_deliveries (
  delivery_id bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks,
  message_id text collate "C" not null references webhook_messages on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  -- Made since it was published, or replayed.
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  last_status smallint,
  -- Why the last attempt failed, in our words; answers of receivers are kept nowhere.
  last_reason text,
  unique (message_id, webhook_id)
)
with (fillfactor = 70);

create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_dead on webhook_deliveries (webhook_id, delivery_id) where state = 'dead';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, delivery_id);

-- One try to deliver one message to one endpoint. A null reason: it was taken.
create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  attempted_at timestamptz not null default clock_timestamp(),
  duration_ms integer not null,
  status smallint,
  reason text
);

create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, attempted_at);

-- Writes a message and a delivery for each endpoint that wants it, in the caller's transaction; answers the message's id,
-- or null when no endpoint wants it. Whoever publishes must hold the lock of what the message is about, or two messages
-- may get one number. `only_to`: this endpoint, whatever it wants.
create function publish_message(
  for_customer uuid, message_type text, about text, message_data json, only_to uuid default null
) returns text language plpgsql as $$
declare
  new_id text := 'msg_' || replace(gen_random_uuid()::text, '-', '');
  made_at timestamptz := clock_timestamp();
  number integer;
  receivers uuid[];
begin
  select array_agg(webhook_id order by webhook_id) into receivers from webhooks
    where customer_id = for_customer
      and case when only_to is null then message_type = any (event_types) else webhook_id = only_to end;
  if receivers is null then
    return null;
  end if;
  select coalesce(max(sequence), 0) + 1 into number from webhook_messages
    where customer_id = for_customer and subject = about;
  insert into webhook_messages (message_id, customer_id, type, subject, sequence, body, created_at)
  values (new_id, for_customer, message_type, about, number, json_build_object(
    'type', message_type,
    'timestamp', to_char(made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'customer_id', for_customer,
    'sequence', number,
    'data', message_data
  ), made_at);
  insert into webhook_deliveries (webhook_id, message_id) select unnest(receivers), new_id;
  perform pg_notify('weir_webhooks', '');
  return new_id;
end $$;
