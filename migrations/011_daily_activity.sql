-- What came of each channel, by UTC day, for its owner's charts: counted in the statements that log an interaction
-- or close a delivery, so that nobody counts millions of rows. It outlives the channel, and what retention lets go.

create table daily_activity (
  user_id uuid not null references users on delete cascade,
  day date not null,
  channel_id uuid not null,
  -- An interaction by the day it was logged; a delivery by the day it was queued. Tests are neither.
  -- Each has rows of its own, so that those who act never wait for those who deliver.
  what text not null check (what in ('interaction', 'delivered', 'failed')),
  count integer not null,
  primary key (user_id, day, channel_id, what)
) with (fillfactor = 60);

insert into daily_activity (user_id, day, channel_id, what, count)
select w.user_id, (i.created_at at time zone 'UTC')::date, i.channel_id, 'interaction', count(*)
from interactions i join channels c on c.id = i.channel_id join workspaces w on w.id = c.workspace_id
where i.type <> 'test' and i.created_at > now() - interval '90 days'
group by 1, 2, 3;

insert into daily_activity (user_id, day, channel_id, what, count)
select w.user_id, (d.created_at at time zone 'UTC')::date, d.channel_id,
  case d.status when 'success' then 'delivered' else 'failed' end, count(*)
from webhook_deliveries d join interactions i using (channel_id, number)
  join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
where d.status in ('success', 'failed') and i.type <> 'test' and d.created_at > now() - interval '90 days'
group by 1, 2, 3, 4;
