-- Why the last order for the certificate of the domain was refused, while ssl_status is 'failed'.
alter table domains add column ssl_failure_reason text;
