-- A document may have hundreds of thousands of cards. Deleting them in one transaction would slow down all other writers,
-- so deleting the document only notes it here, and the instances delete its rows some at a time.
create table deleted_documents (channel_id uuid primary key);

create or replace function delete_feed_rows() returns trigger language plpgsql as $$
begin
  insert into deleted_documents values (old.channel_id);
  return null;
end
$$;
