-- Accounts, their sessions and API keys. Of every token only the SHA-256 is kept.

create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  created_at timestamptz(3) not null default now()
);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);
