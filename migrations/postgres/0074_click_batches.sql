-- Last segment of the next batch of the journal, which the commit before it chooses; null for a single segment.
alter table journal_cursors add column next_through bigint;
