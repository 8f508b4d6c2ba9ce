-- The feed: a Yjs document per channel as a snapshot and a log, and every card as a row.
-- A row and the update that shows it are written by one statement, always.

-- seq counts the document's turns: an append succeeds only where the writer knew the last one.
-- clock is the Yjs clock of the document's single client after that turn.
create table documents (
  channel_id uuid primary key references channels on delete cascade,
  epoch integer not null default 0,
  client_id bigint not null,
  generation integer not null,
  seq bigint not null default 0,
  clock bigint not null default 0,
  next_position bigint not null default 0,
  card_count integer not null default 0,
  -- When the log is next to be pruned, since it still holds what was deleted.
  prune_at timestamptz
) with (fillfactor = 60);

create index documents_prune_at on documents (prune_at) where prune_at is not null;

-- The tables below have no foreign key: an append locks the documents row, and that is the one check it needs.
-- Whoever deletes that row (also by cascade) deletes theirs: see the trigger at the end.

create table document_updates (
  channel_id uuid not null,
  epoch integer not null,
  seq bigint not null,
  clock bigint not null,
  -- Names the attempt, so that a writer whose connection broke can tell whether its turn got in.
  turn_id uuid not null,
  update bytea not null,
  created_at timestamptz not null default now(),
  primary key (channel_id, epoch, seq)
);

create table document_snapshots (
  channel_id uuid primary key,
  epoch integer not null,
  seq bigint not null,
  clock bigint not null,
  state bytea not null
);

create table cards (
  channel_id uuid not null,
  id uuid not null,
  position bigint not null,
  key text,
  status text not null check (status in ('default', 'success', 'warning', 'error', 'pending')),
  blocks jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (channel_id, id)
);
create unique index cards_position on cards (channel_id, position);
create unique index cards_key on cards (channel_id, key) where key is not null;

-- Archived pages that changed after they were archived. version is the seq of the last change.
create table page_versions (
  channel_id uuid not null,
  page integer not null,
  version bigint not null,
  updated_at timestamptz not null default now(),
  primary key (channel_id, page)
);

create function delete_feed_rows() returns trigger language plpgsql as $$
begin
  delete from document_updates where channel_id = old.channel_id;
  delete from document_snapshots where channel_id = old.channel_id;
  delete from cards where channel_id = old.channel_id;
  delete from page_versions where channel_id = old.channel_id;
  return null;
end
$$;
create trigger documents_deleted after delete on documents for each row execute function delete_feed_rows();

-- One row: which database wrote the documents. Another system identifier or timeline, or a restore,
-- raises the generation; a document of an older generation is rebuilt from its rows under a new epoch.
create table database_generation (
  singleton boolean primary key default true check (singleton),
  generation integer not null,
  system_identifier text not null,
  timeline integer not null
);
