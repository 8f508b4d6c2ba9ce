-- The people of a workspace besides its owner, and the invites that they join with.

create table workspace_members (
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('editor', 'member', 'viewer')),
  joined_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user_id on workspace_members (user_id);

create table workspace_invites (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  token_hash bytea not null unique,
  role text not null check (role in ('editor', 'member', 'viewer')),
  -- The only account that may use it.
  email text,
  uses_left integer not null check (uses_left >= 0),
  created_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index workspace_invites_workspace_id on workspace_invites (workspace_id);
create index workspace_invites_created_by on workspace_invites (created_by);

-- Who joined with which invite, so that a repeated request uses up nothing.
create table invite_uses (
  invite_id uuid not null references workspace_invites on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (invite_id, user_id)
);
create index invite_uses_user_id on invite_uses (user_id);

-- As in migration 016. Instances of the release before read the unknown kind as a gap, and check everything again.
create function note_members() returns trigger language plpgsql as $$
begin
  insert into access_changes (change)
  select jsonb_build_object('kind', 'member_changed', 'workspace_id', workspace_id, 'user_id', user_id) from changed;
  return null;
end
$$;

create trigger workspace_members_added after insert on workspace_members referencing new table as changed
  for each statement execute function note_members();
create trigger workspace_members_changed after update on workspace_members referencing new table as changed
  for each statement execute function note_members();
create trigger workspace_members_removed after delete on workspace_members referencing old table as changed
  for each statement execute function note_members();
