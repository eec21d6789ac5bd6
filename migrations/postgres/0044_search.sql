-- Aliases of a workspace by the beginning of their slug, for GET /v1/search.
create index link_addresses_by_alias on link_addresses (workspace_id, slug_key) where is_alias;
