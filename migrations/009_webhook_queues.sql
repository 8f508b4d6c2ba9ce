-- One row a channel whose deliveries wait: what a claim costs does not depend on how many wait.

create table webhook_queues (
  channel_id uuid primary key references channels on delete cascade,
  -- The receiver's host and port: no receiver takes all places at once.
  host text not null,
  -- Something may wait. A claim that finds nothing clears it.
  ready boolean not null default true,
  -- The one delivery that is on its way, and the claim that took it.
  sending uuid,
  claim uuid,
  -- Who waited longest comes first.
  since timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
create index webhook_queues_ready on webhook_queues (since) where ready and sending is null;

insert into webhook_queues (channel_id, host)
select distinct on (channel_id) channel_id, split_part(split_part(url, '://', 2), '/', 1)
from webhook_deliveries where status = 'pending';

drop index webhook_deliveries_waiting;
create index webhook_deliveries_pending on webhook_deliveries (channel_id, place) where status = 'pending';
create index webhook_deliveries_sending on webhook_deliveries (claimed_at) where status = 'sending';

-- As they were written: jsonb would put the fields in an order of its own.
alter table interactions
  alter column trigger type json using trigger::json,
  alter column card_state type json using card_state::json;
