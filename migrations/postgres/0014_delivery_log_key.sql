-- A delivery of the log is looked up by its id, whenever it ended: a primary key that begins with the
-- id serves that as well, and every delivery that ends writes one index entry less.
alter table webhook_log drop constraint webhook_log_pkey;
drop index webhook_log_by_id;
alter table webhook_log add primary key (id, finished_at);
