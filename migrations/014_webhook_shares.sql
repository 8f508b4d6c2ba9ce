-- Places for deliveries are shared between owners, and a delivery goes to the channel's URL at the time it is sent.

-- The receiver's host and port. It always belongs to the present webhook_url, so a queue needs no copy of its own.
alter table channels add column webhook_host text generated always as
  (lower(regexp_replace(webhook_url, '^[^:]*:[/\\]*(?:[^/?#\\]*@)?([^/?#\\]*).*$', '\1'))) stored;

-- The account that owns the channel's workspace. A workspace never changes hands.
alter table webhook_queues add column owner_id uuid;
update webhook_queues q set owner_id = w.user_id
from channels c join workspaces w on w.id = c.workspace_id where c.id = q.channel_id;
alter table webhook_queues alter column owner_id set not null;

-- Instances of the previous release still write `host`, and know nothing of owners.
alter table webhook_queues alter column host drop not null;
create function fill_queue_owner() returns trigger language plpgsql as $$
begin
  select w.user_id into new.owner_id
  from channels c join workspaces w on w.id = c.workspace_id where c.id = new.channel_id;
  return new;
end
$$;
create trigger webhook_queues_owner before insert on webhook_queues for each row execute function fill_queue_owner();

-- A claim looks at each owner that waits, and at that owner's oldest queues.
create index webhook_queues_waiting on webhook_queues (owner_id, since) where ready and sending is null;
drop index webhook_queues_ready;
