-- How the next attempt has the host validated, after a success or a failed validation; null: by the first of ACME_CHALLENGES.
alter table tls_certificates add column challenge text;
