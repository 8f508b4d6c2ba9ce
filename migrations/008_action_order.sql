-- Actions of one position stand in the order of creation, also those that one turn created at one moment.

alter table header_actions add column number bigint generated always as identity;
