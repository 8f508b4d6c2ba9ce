-- Decisions: a row for every time a question was asked. The card's document and row show the public form of the current
-- one; this row keeps the rest, and outlives the card.
create table decisions (
  channel_id uuid not null references channels on delete cascade,
  id uuid not null,
  -- The order in which questions are listed.
  number bigint generated always as identity,
  -- Null once the card is deleted.
  card_id uuid,
  block_id text not null,
  key text,
  state text not null check (state in ('waiting', 'decided', 'expired', 'cancelled')),
  expires_at timestamptz(3),
  ended_at timestamptz(3),
  -- The public form, exactly as in the document.
  decision json not null,
  -- What the document doesn't show: choices, who asked, listed accounts, the answer's inputs.
  details json not null,
  primary key (channel_id, id)
);
-- Two questions with one key never wait at the same time.
create unique index decisions_waiting_key on decisions (channel_id, key) where state = 'waiting' and key is not null;
create index decisions_expires_at on decisions (expires_at) where state = 'waiting' and expires_at is not null;
create index decisions_number on decisions (channel_id, number);
create index decisions_key on decisions (channel_id, key, number) where key is not null;
create index decisions_card_id on decisions (channel_id, card_id) where card_id is not null;
create index decisions_ended_at on decisions (ended_at) where ended_at is not null;

alter table interactions drop constraint interactions_type_check;
alter table interactions add constraint interactions_type_check
  check (type in ('button_click', 'header_action', 'input_change', 'reply', 'test', 'decision_expired'));
-- The question that a press answered, or that expired.
alter table interactions add column decision_id uuid;
-- An agent's press. The name stays when the key is deleted.
alter table interactions add column api_key_id uuid, add column agent_name text;

-- A card's interactions and decisions outlive it.
create or replace function release_interactions() returns trigger language plpgsql as $$
begin
  update interactions i set card_id = null
  from deleted_cards d where i.channel_id = d.channel_id and i.card_id = d.id;
  update decisions q set card_id = null
  from deleted_cards d where q.channel_id = d.channel_id and q.card_id = d.id;
  return null;
end
$$;

-- Whether viewers see who pressed what. auto: on, except in a public workspace.
alter table channels add column receipts text not null default 'auto' check (receipts in ('auto', 'on', 'off'));
