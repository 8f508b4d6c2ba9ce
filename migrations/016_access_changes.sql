-- Every loss of access, written by the transaction that causes it. Instances poll this table, so that they hear of a
-- revocation even if the instance that made it died at once, or if somebody changed the rows by hand.

create table access_changes (
  id bigint generated always as identity primary key,
  -- Transactions do not commit in the order of these ids; the transaction's own id tells a poll what it may have missed.
  xid xid8 not null default pg_current_xact_id(),
  -- A notice as instances send it to each other (server/bus/bus.ts).
  change jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index access_changes_xid on access_changes (xid);

-- A workspace with thousands of channels and keys is deleted by a few statements, so these triggers run once for each.
-- Arguments of both functions: the kind of the notice, and its field for the row's id.
create function note_deleted_rows() returns trigger language plpgsql as $$
begin
  insert into access_changes (change) select jsonb_build_object('kind', tg_argv[0], tg_argv[1], id) from gone;
  return null;
end
$$;

create function note_changed_row() returns trigger language plpgsql as $$
begin
  insert into access_changes (change) values (jsonb_build_object('kind', tg_argv[0], tg_argv[1], new.id));
  return null;
end
$$;

-- An expired session is refused anyway: its removal changes nothing.
create function note_deleted_sessions() returns trigger language plpgsql as $$
begin
  insert into access_changes (change)
  select jsonb_build_object('kind', 'session_ended', 'session_id', id) from gone where expires_at > now();
  return null;
end
$$;

create trigger channels_deleted after delete on channels referencing old table as gone
  for each statement execute function note_deleted_rows('channel_deleted', 'channel_id');
create trigger workspaces_deleted after delete on workspaces referencing old table as gone
  for each statement execute function note_deleted_rows('workspace_deleted', 'workspace_id');
create trigger api_keys_deleted after delete on api_keys referencing old table as gone
  for each statement execute function note_deleted_rows('key_ended', 'key_id');
create trigger sessions_deleted after delete on sessions referencing old table as gone
  for each statement execute function note_deleted_sessions();

create trigger workspaces_access_changed after update of access_version, visibility, user_id on workspaces for each row
  when ((old.access_version, old.visibility, old.user_id)
    is distinct from (new.access_version, new.visibility, new.user_id))
  execute function note_changed_row('workspace_changed', 'workspace_id');
create trigger api_keys_changed after update of key_hash, user_id, workspace_id, scope, expires_at on api_keys for each row
  when ((old.key_hash, old.user_id, old.workspace_id, old.scope, old.expires_at)
    is distinct from (new.key_hash, new.user_id, new.workspace_id, new.scope, new.expires_at))
  execute function note_changed_row('key_ended', 'key_id');
-- The old token is void, and so are sockets that were opened with it.
create trigger sessions_renewed after update of token_hash on sessions for each row
  when (old.token_hash is distinct from new.token_hash)
  execute function note_changed_row('session_ended', 'session_id');
