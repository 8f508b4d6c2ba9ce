-- Workspaces, their slugs (generated and custom ones are unique together) and the display settings of attributes.

create table workspaces (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  slug text not null,
  custom_slug text,
  icon text not null,
  visibility text not null default 'private' check (visibility in ('private', 'protected', 'public')),
  password_hash text,
  -- Raised when the password or the visibility changes: unlock cookies carry it, and are void once it differs.
  access_version integer not null default 1,
  layout text not null default 'sidebar' check (layout in ('list', 'sidebar', 'tabs', 'grid')),
  show_search boolean not null default true,
  created_at timestamptz(3) not null default now()
);
create index workspaces_user_id on workspaces (user_id, created_at);

create table workspace_slugs (
  slug text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  custom boolean not null,
  unique (workspace_id, custom)
);

create table attribute_settings (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null,
  use_as_filter boolean not null default false,
  show_in_sidebar boolean not null default false,
  primary key (workspace_id, key)
);

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  workspace_id uuid references workspaces on delete cascade,
  name text not null,
  scope text not null default 'full' check (scope in ('full', 'write', 'read')),
  key_hash bytea not null unique,
  prefix text not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index api_keys_user_id on api_keys (user_id, created_at);
create index api_keys_workspace_id on api_keys (workspace_id);
