-- Receipts: how often each button was pressed, and who pressed it last, as viewers see it. The document shows them too,
-- except those of archived cards.
create table card_receipts (
  channel_id uuid not null,
  card_id uuid not null,
  -- By block.
  acts json not null,
  -- When the oldest press that is shown was made; null if none is shown any more.
  oldest timestamptz(3),
  primary key (channel_id, card_id)
);
create index card_receipts_oldest on card_receipts (oldest) where oldest is not null;

-- The same for header actions, by action.
create table header_receipts (
  channel_id uuid primary key references channels on delete cascade,
  acts json not null,
  oldest timestamptz(3)
);
create index header_receipts_oldest on header_receipts (oldest) where oldest is not null;

-- A card's interactions and decisions outlive it. Its receipts don't.
create or replace function release_interactions() returns trigger language plpgsql as $$
begin
  update interactions i set card_id = null
  from deleted_cards d where i.channel_id = d.channel_id and i.card_id = d.id;
  update decisions q set card_id = null
  from deleted_cards d where q.channel_id = d.channel_id and q.card_id = d.id;
  delete from card_receipts r using deleted_cards d where r.channel_id = d.channel_id and r.card_id = d.id;
  return null;
end
$$;

-- Lists of channels count the open questions, and show how the newest deliveries ended.
create index decisions_waiting on decisions (channel_id) where state = 'waiting';
create index webhook_deliveries_ended on webhook_deliveries (channel_id, place) where status in ('success', 'failed');
