-- A workspace has one single job at a time, of whatever kind: an import of a file waits for one from Shlink.
drop index jobs_single;
update jobs set is_single = false
where is_single and status in ('pending', 'processing')
  and exists (select from jobs first
    where first.workspace_id = jobs.workspace_id and first.is_single
      and first.status in ('pending', 'processing')
      and (first.created_at, first.id) < (jobs.created_at, jobs.id));
create unique index jobs_single on jobs (workspace_id)
  where is_single and status in ('pending', 'processing');
