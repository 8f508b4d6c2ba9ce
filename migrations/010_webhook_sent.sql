-- What was claimed and not sent yet can wait again when its instance dies; what may have been sent can not.

alter table webhook_deliveries
  -- Names the claim that took it: only that one may send it and say how it went.
  add column claim uuid,
  -- Set when the receiver is reached, before the first byte goes out.
  add column sent_at timestamptz;
alter table webhook_queues drop column claim;
