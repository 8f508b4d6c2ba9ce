-- Which database answers a statement, so that no instance appends to one that lacks what it has shown.

-- A copy that takes the database's name has the same system identifier and timeline, but another oid.
alter table database_generation add column database_oid oid not null default 0;
update database_generation
  set database_oid = (select oid from pg_database where datname = current_database());

-- The cluster and the database of this backend: they never change, and reading them costs 9 microseconds.
create function read_backend() returns text language plpgsql as $$
declare
  backend text := (select system_identifier from pg_control_system()) || ' ' ||
    (select oid from pg_database where datname = current_database());
begin
  perform set_config('channel_feed.backend', backend, false);
  return backend;
end
$$;

-- With the timeline, as a WAL file's name begins. Null during recovery: a standby has no timeline of its own yet.
-- pg_control_checkpoint() would name the old timeline until the first checkpoint after a promotion has ended, which
-- takes minutes. In SQL, so that PostgreSQL inlines it: every append asks.
create function database_identity() returns text language sql volatile as $$
  select case when not pg_is_in_recovery() then
    coalesce(nullif(current_setting('channel_feed.backend', true), ''), read_backend()) || ' ' ||
      left(pg_walfile_name(pg_current_wal_lsn()), 8)
  end
$$;

-- Whether this is the database, and the generation, that an instance knows.
create function in_history(known_identity text, known_generation integer) returns boolean language sql volatile as $$
  select coalesce(database_identity() = known_identity, false)
    and exists (select from database_generation where generation = known_generation)
$$;
