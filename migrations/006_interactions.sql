-- What people did, and what was sent of it. A channel's interactions are numbered in the order of acceptance.

create table interaction_counters (
  channel_id uuid primary key references channels on delete cascade,
  last bigint not null default 0
);

create table interactions (
  channel_id uuid not null references channels on delete cascade,
  number bigint not null,
  interaction_id uuid not null unique,
  card_id uuid,
  type text not null check (type in ('button_click', 'header_action', 'input_change', 'reply', 'test')),
  trigger jsonb not null,
  card_state jsonb,
  user_id uuid references users on delete set null,
  "timestamp" timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (channel_id, number)
);
create index interactions_created_at on interactions (created_at);
create index interactions_card_id on interactions (channel_id, card_id) where card_id is not null;

-- A card's interactions outlive it.
create function release_interactions() returns trigger language plpgsql as $$
begin
  update interactions i set card_id = null
  from deleted_cards d where i.channel_id = d.channel_id and i.card_id = d.id;
  return null;
end
$$;
create trigger cards_deleted after delete on cards referencing old table as deleted_cards
  for each statement execute function release_interactions();

-- Event streams: while someone listens, or did within the day, the log keeps what each turn meant for its cards.
alter table documents add column events_until timestamptz;
alter table document_updates add column events jsonb;

-- Updates are compact already: compressing them again costs time and saves nothing.
alter table document_updates alter column update set storage external;
