-- Whether a blocked workspace was suspended before its block, and stays so after it.
alter table blocks add column was_suspended boolean not null default false;
