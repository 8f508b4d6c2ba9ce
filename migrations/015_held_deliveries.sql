-- held: it waited when the database was restored or lost history, and is never sent automatically.

alter table webhook_deliveries drop constraint webhook_deliveries_status_check;
alter table webhook_deliveries add constraint webhook_deliveries_status_check
  check (status in ('pending', 'sending', 'success', 'failed', 'held'));
