-- As they were written: nothing searches in them, and jsonb takes longer to write. Rewrites the table.
alter table cards alter column blocks type json using blocks::json;
