-- Clicks on the same card share one copy of its state. A delivery no longer stores its body: it is built from the
-- interaction when it is sent or shown. Before, each click stored its card twice.

create table card_states (
  channel_id uuid not null references channels on delete cascade,
  -- SHA-256 of the state's text.
  hash bytea not null,
  state json not null,
  primary key (channel_id, hash)
);

alter table interactions add column card_state_hash bytea;

insert into card_states (channel_id, hash, state)
select channel_id, sha256(convert_to(card_state::text, 'UTF8')), card_state from interactions
where card_state is not null
on conflict do nothing;

-- Emptied before it is dropped: a dropped column would keep its space.
update interactions set card_state_hash = sha256(convert_to(card_state::text, 'UTF8')), card_state = null
where card_state is not null;
alter table interactions drop column card_state;

-- Finds out whether anything still refers to a copy.
create index interactions_card_state on interactions (channel_id, card_state_hash) where card_state_hash is not null;

alter table webhook_deliveries
  -- Null since this file: deliveries from before keep the bytes that were sent.
  alter column body drop not null,
  -- The card that the body names. Interactions forget a card that is deleted; a redelivery must not.
  add column card_id uuid;
