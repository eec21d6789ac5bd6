-- Files that are stored, by the time at which they are deleted; `size` is null once a file is.
drop index reports_by_expiry;
create index reports_by_expiry on reports (expires_at) where size is not null;
