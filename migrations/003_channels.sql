-- Channels and what hangs on them. Every table of a channel begins its primary key with channel_id,
-- so that the data can be spread over machines by channel.

create table channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  description text,
  mode text not null default 'view' check (mode in ('view', 'interactive')),
  icon text not null,
  webhook_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index channels_workspace_id on channels (workspace_id, created_at);

create table header_actions (
  channel_id uuid not null references channels on delete cascade,
  id uuid not null,
  label text not null,
  style text not null default 'primary' check (style in ('primary', 'secondary', 'danger')),
  position integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (channel_id, id)
);

create table channel_attributes (
  channel_id uuid not null references channels on delete cascade,
  key text not null,
  value text not null,
  primary key (channel_id, key)
);

-- When the attributes of a channel changed, also where the last of them was cleared.
create table channel_attribute_times (
  channel_id uuid primary key references channels on delete cascade,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
