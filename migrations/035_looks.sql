-- What becomes of a question once nobody waits for the answer any more.
alter table decisions add column abandon text not null default 'keep' check (abandon in ('keep', 'cancel'));
create index decisions_abandon on decisions (channel_id, id) where state = 'waiting' and abandon = 'cancel';

-- When the API key that asked last looked at a decision. Times are the database's, so that the clocks of instances needn't
-- agree. Rows outlive their decisions for up to an hour.
create table decision_looks (
  channel_id uuid not null,
  decision_id uuid not null,
  -- Null: never.
  looked_at timestamptz(3),
  -- The question isn't abandoned before that; null: it has no lease.
  until timestamptz(3),
  -- Whether `until` is a waiter's. Nobody has to wait in the first minute of a question.
  leased boolean not null default false,
  primary key (channel_id, decision_id)
) with (fillfactor = 50); -- Rows change every 20 s, and the new version shall fit beside the old one.
