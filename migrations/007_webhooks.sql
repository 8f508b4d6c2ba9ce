-- Webhook deliveries: every attempt, as sent and as answered. One attempt each; a redelivery is another row.

create table webhook_secrets (
  channel_id uuid primary key references channels on delete cascade,
  secret text not null,
  -- After a rotation both sign, for a day.
  previous_secret text,
  previous_until timestamptz
);

create table webhook_deliveries (
  channel_id uuid not null references channels on delete cascade,
  id uuid not null,
  -- The order in which a channel's deliveries are sent.
  place bigint generated always as identity,
  number bigint not null,
  -- pending: waits; sending: claimed, and perhaps sent; the other two are final.
  status text not null default 'pending' check (status in ('pending', 'sending', 'success', 'failed')),
  attempts integer not null default 1,
  url text not null,
  body text not null,
  request_headers jsonb,
  response_code integer,
  response_headers jsonb,
  response_body text,
  error text,
  duration_ms integer,
  claimed_at timestamptz,
  created_at timestamptz(3) not null default now(),
  primary key (channel_id, id),
  foreign key (channel_id, number) references interactions on delete cascade
);
create index webhook_deliveries_number on webhook_deliveries (channel_id, number);
create index webhook_deliveries_waiting on webhook_deliveries (channel_id, place) where status in ('pending', 'sending');
