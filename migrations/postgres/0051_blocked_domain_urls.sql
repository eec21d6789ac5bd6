-- Those of the URLs of a domain (rootRedirectUrl, notFoundUrl, expiredUrl) whose host the operator has blocked.
alter table domains add column blocked_urls text[] not null default '{}';
create index domains_with_blocked_urls on domains (id) where blocked_urls <> '{}';
