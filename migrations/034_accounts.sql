-- Accounts of people who sign in with an OpenID Connect provider, and links that set a new password.

-- Null: the account signs in with its provider only.
alter table users alter column password_hash drop not null;

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  -- As the provider gave it when the identity was linked.
  email text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
create index identities_user_id on identities (user_id);

-- A new link replaces the one before.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null
);
