-- The proof of a host is looked up by its token.
create index domains_by_token on domains (token);
