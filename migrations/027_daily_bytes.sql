-- What cards, changes and interactions add.
alter table daily_usage add column bytes bigint not null default 0;
