-- Which database answers a statement, so that no instance appends to one that lacks what it has shown.

-- A copy that takes the database's name has the same system identifier and timeline, but another oid.
alter table database_generation add column database_oid oid not null default 0;
update database_generation
  set database_oid = (select oid from pg_database where datname = current_database());

-- Null during recovery: a standby has no timeline of its own yet. pg_control_checkpoint() would name the old timeline
-- until the first checkpoint after a promotion has ended, which takes minutes.
create function database_identity() returns text language plpgsql as $$
declare
  -- A backend never changes its cluster and database. Reading them takes 9 microseconds, and this takes less than one.
  backend text := current_setting('channel_feed.backend', true);
begin
  if pg_is_in_recovery() then return null; end if;
  if coalesce(backend, '') = '' then
    backend := (select system_identifier from pg_control_system()) || ' ' ||
      (select oid from pg_database where datname = current_database());
    perform set_config('channel_feed.backend', backend, false);
  end if;
  return backend || ' ' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
end
$$;

-- Whether this is the database, and the generation, that an instance knows.
create function in_history(known_identity text, known_generation integer) returns boolean language plpgsql as $$
begin
  return coalesce(database_identity() = known_identity, false)
    and exists (select from database_generation where generation = known_generation);
end
$$;
