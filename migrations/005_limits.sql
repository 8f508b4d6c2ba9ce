-- What the daily limits and repeated requests are held against.

create table daily_usage (
  user_id uuid not null references users on delete cascade,
  day date not null,
  cards integer not null default 0,
  channels integer not null default 0,
  primary key (user_id, day)
) with (fillfactor = 60);

create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  method text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  status integer not null,
  response text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, method, path, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Stops a statement whose precondition does not hold, and with it everything the statement wrote.
create function refuse(reason text) returns integer language plpgsql as $$
begin
  raise exception using errcode = 'CF001', message = reason;
end
$$;
