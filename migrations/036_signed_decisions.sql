-- Signed decisions: the signature of a decided question, and what was digested for it.
alter table decisions
  add column jws text,
  -- The card right before the press. Null once the card is deleted.
  add column signed_card json,
  -- The inputs without passwords; null if the card had none.
  add column signed_values json;

-- The public halves of the keys that instances sign with. The private ones are never in the database.
create table signing_keys (
  kid text primary key,
  jwk json not null,
  -- Null: it has signed nothing yet.
  first_used_at timestamptz(3),
  revoked_at timestamptz(3),
  -- When an instance last had it.
  in_use_at timestamptz(3) not null default now()
);

-- A card's interactions and decisions outlive it. Its receipts and signed copies don't.
create or replace function release_interactions() returns trigger language plpgsql as $$
begin
  update interactions i set card_id = null
  from deleted_cards d where i.channel_id = d.channel_id and i.card_id = d.id;
  update decisions q set card_id = null, signed_card = null
  from deleted_cards d where q.channel_id = d.channel_id and q.card_id = d.id;
  delete from card_receipts r using deleted_cards d where r.channel_id = d.channel_id and r.card_id = d.id;
  return null;
end
$$;
