-- People with an account choose whether they act by name. The account behind an anonymous interaction stays stored,
-- so that it can be deleted with the account, and is shown to nobody. Interactions from before show the name.

alter table interactions add column anonymous boolean not null default false;
