-- Wrong passwords, counted by address, account and workspace, for all instances together (server/auth/throttle.ts).
-- Unlogged: a count matters for a minute, and so may be lost in a crash.

create unlogged table failed_attempts (
  -- The SHA-256 of what is counted: no e-mail or network addresses are kept.
  key text primary key,
  failures integer not null,
  -- Until then the failures count.
  until timestamptz not null
);
