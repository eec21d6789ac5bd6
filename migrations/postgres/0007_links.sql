-- Links: their addresses, options and history, and their search.

-- A text as the search compares it, in ASCII whatever the locale of the database, so that every character counts for
-- the index: ASCII letters in lower case; every other character, in NFC and lower case, as its code point in
-- hexadecimal between Z and Q. A folded text holds no other upper-case letter, so the form of a part of a text is a
-- part of the form of the text, and of no other.
do $$
declare
  folding text;
begin
  -- The same rules in every database where the server has them; otherwise those of its locale.
  select quote_ident(collname) into folding from pg_collation
    where collname in ('pg_c_utf8', 'und-x-icu') and collnamespace = 'pg_catalog'::regnamespace
    order by collname limit 1;
  execute format($sql$
    create function search_form_of_unicode(value text) returns text
    language sql immutable strict parallel safe as $body$
      select string_agg(
        case when ascii(c) < 128 then c else 'Z' || upper(to_hex(ascii(c))) || 'Q' end, '' order by at)
      from regexp_split_to_table(
        normalize(translate(lower(normalize(value, nfc) collate %s), 'ς', 'σ'), nfc), '')
        with ordinality as s (c, at)
    $body$ $sql$, coalesce(folding, '"default"'));
end
$$;
create function search_form(value text) returns text
language sql immutable strict parallel safe as $$
  select case when octet_length(value) = length(value) then lower(value collate "C")
    else public.search_form_of_unicode(value) end collate "C"
$$;

-- The order in which people look for names: "Äpfel" beside "apple", 9 before 10. A server without ICU has no such
-- order, and takes the one of the database.
do $$
begin
  create collation human_order (provider = icu, locale = 'und-u-kn-true');
exception when feature_not_supported then
  create collation human_order from "default";
end
$$;

create table links (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  -- The author's spelling; slug_key is what is matched, folded by the program.
  slug text not null,
  slug_key text collate "C" not null,
  -- Null: the shared default host, on which slugs are unique across workspaces.
  domain_id text,
  destination_url text not null,
  redirect_type smallint not null default 302 check (redirect_type in (301, 302, 307, 308)),
  status text not null default 'active' check (status in ('active', 'paused', 'archived', 'blocked')),
  expires_at timestamptz,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  metadata json,
  created_by text not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- No field holds a line feed, so a match lies within one of the three.
  search_text text collate "C" not null
    generated always as (search_form(name || E'\n' || slug || E'\n' || destination_url)) stored,
  -- One object in the stored form of src/facts/link-options.ts; null for a link without options, so that such links
  -- cost nothing.
  options json,
  -- A PHC string of argon2id, apart from the options, which are shown in answers and kept in versions.
  password_hash text,
  -- Folder and campaign may name a row that was deleted, until a job has cleared them: reads show null then.
  folder_id text,
  campaign_id text,
  -- The id that the link has in another system.
  external_id text collate "C",
  -- In the author's order; null for none.
  tags text[],
  -- For `PUT /links/upsert`. A number, since destinations are too long for an index, and a column of its own, since
  -- under row-level security an index on an expression is not used.
  destination_hash bigint not null
    generated always as (hashtextextended(destination_url, 0)) stored,
  -- A link keeps its domain from being deleted, also when both happen at the same time.
  constraint links_domain foreign key (domain_id) references domains
);
select wall_off('links');
-- Orders and filters of the lists, with the status, so that a total is counted without the rows. Nearly all links are
-- active, and few of them expire.
create index links_by_workspace on links (workspace_id, created_at desc, id desc) include (status);
create index links_by_status on links (workspace_id, status, created_at desc, id desc)
  where status <> 'active';
create index links_by_slug_in_order on links (workspace_id, slug_key, id) include (status);
create index links_by_update on links (workspace_id, updated_at desc, id desc) include (status);
create index links_by_expiry on links (workspace_id, expires_at desc nulls last, id desc)
  include (status);
create index links_by_folder on links (workspace_id, folder_id, created_at desc, id desc)
  include (status) where folder_id is not null;
create index links_by_campaign on links (workspace_id, campaign_id, created_at desc, id desc)
  include (status) where campaign_id is not null;
create index links_by_domain on links (domain_id, created_at desc, id desc) include (status)
  where domain_id is not null;
create unique index links_by_external_id on links (workspace_id, external_id)
  where external_id is not null;
create index links_by_destination on links (workspace_id, destination_hash, created_at, id);
-- Led by the workspace: the links of one never cost another's search. Entries wait in a list that every search reads,
-- so it is kept short.
do $$
begin
  execute format(
    'create index links_by_search on links using gin (workspace_id, search_text %I.gin_trgm_ops)
       with (gin_pending_list_limit = 1024)',
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_trgm'));
end
$$;

-- The ids of the links of the transaction's workspace that hold the term, at most `at_most`, in no order. Under
-- row-level security no pattern may be looked up in an index, since its operator is not leakproof; so this runs as the
-- owner of the tables, and takes the workspace from the setting of `inWorkspace`, as the policies do.
--
-- For a term that many links hold the index would collect all of them before the first one is returned, so that a term
-- which is frequent in the newest links is looked for in their order.
--
-- Regular expressions of one literal, because their time is linear in the text: `like` and `strpos` multiply the
-- lengths of text and term. The index takes its trigrams from some 120 characters of a term, hence a second look-up
-- for the end of a long one. A term without three letters or digits in a row may have no trigram, and then the index
-- of all workspaces would be read.
create function matching_links(term text, at_most integer) returns setof text
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  own_workspace text := current_setting('signpost.workspace_id', true);
  form text := search_form(term);
  literal text := '***=' || form;
  found_ids text[];
begin
  if position(E'\n' in form) > 0 then
    return;
  end if;
  if (select count(*) from (
    select l.search_text from links l where l.workspace_id = own_workspace
    order by l.created_at desc, l.id desc limit 100) newest
    where newest.search_text ~ literal) >= 25
  then
    found_ids := array(
      select newest.id from (
        select l.id, l.search_text from links l where l.workspace_id = own_workspace
        order by l.created_at desc, l.id desc limit at_most * 4) newest
      where newest.search_text ~ literal limit at_most);
    if cardinality(found_ids) >= at_most then
      return query select unnest(found_ids);
      return;
    end if;
  end if;
  if form !~ '[A-Za-z0-9]{3}' then
    return query select l.id from links l
      where l.workspace_id = own_workspace and strpos(l.search_text, form) > 0 limit at_most;
  elsif length(form) <= 100 then
    return query select l.id from links l
      where l.workspace_id = own_workspace and l.search_text ~ literal limit at_most;
  else
    return query select l.id from links l
      where l.workspace_id = own_workspace and l.search_text ~ ('***=' || right(form, 100))
        and l.search_text ~ literal limit at_most;
  end if;
end
$$;

-- One row per address: the slug of a link, an alias of it, or a freed slug. Slugs and aliases of one host are unique
-- together, and a freed slug stays with its workspace for a while, so that no other workspace gets its visitors at
-- once.
create table link_addresses (
  -- Empty: the shared default host.
  domain_id text not null,
  slug_key text collate "C" not null,
  -- Null: the reserved address of a deleted workspace, on the shared host.
  workspace_id text,
  -- Null: freed.
  link_id text,
  -- In its author's spelling.
  slug text not null,
  is_alias boolean not null default false,
  -- The time from which on every workspace may take a freed slug; null unless freed.
  free_at timestamptz,
  -- The deleted link for which a freed slug is held, because it was blocked: no other link gets it.
  held_for text,
  primary key (domain_id, slug_key)
);
-- Rows that are not deleted with the row of their link.
create index link_addresses_of_aliases on link_addresses (link_id) where is_alias;
create index link_addresses_freed on link_addresses (free_at) where link_id is null;
create index link_addresses_by_workspace on link_addresses (workspace_id) where is_alias or link_id is null;
-- Aliases by the beginning of their slug, for GET /v1/search.
create index link_addresses_by_alias on link_addresses (workspace_id, slug_key) where is_alias;
create index link_addresses_held on link_addresses (held_for) where held_for is not null;
alter table link_addresses enable row level security;
alter table link_addresses force row level security;
create policy every_workspace on link_addresses to signpost_worker using (true) with check (true);
-- A request learns of every address that it is taken, writes those of its own workspace, and takes over freed ones.
create policy any_address on link_addresses for select to signpost_request using (true);
create policy one_workspace on link_addresses to signpost_request
  using (workspace_id = current_setting('signpost.workspace_id', true))
  with check (workspace_id = current_setting('signpost.workspace_id', true));
create policy freed_addresses on link_addresses for update to signpost_request
  using (link_id is null and held_for is null)
  with check (workspace_id = current_setting('signpost.workspace_id', true));

-- Changed links, which every edge reads some times a second and forgets (src/edge/link-changes.ts). A reader asks for
-- the rows that its last snapshot did not see, since transactions commit in another order than they begin. Deleted by
-- the edges after some minutes.
create table link_changes (
  xact xid8 not null default pg_current_xact_id(),
  -- `<domain id, or empty>\n<slug key>`, or `*<workspace id>` for all links of a workspace.
  key text not null,
  changed_at timestamptz not null default now()
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index link_changes_by_xact on link_changes (xact);
alter table link_changes enable row level security;
alter table link_changes force row level security;
create policy every_workspace on link_changes to signpost_worker using (true) with check (true);
create policy written_by_requests on link_changes for insert to signpost_request with check (true);

-- Redirects served by links with `maxClicks`, claimed by the edges before they answer. The row is there while the
-- option is set, and repeats its value, so that one statement counts and compares.
create table link_quotas (
  link_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  max_clicks integer not null check (max_clicks > 0),
  served integer not null default 0
) with (fillfactor = 70);
create index link_quotas_by_workspace on link_quotas (workspace_id);
select wall_off('link_quotas');

-- The changes of a link, one row for each version after the first, which its creation made.
create table link_versions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  link_id text not null,
  -- From 2 on; the oldest rows of a link are dropped.
  version integer not null,
  -- {field: {old, new}} as in the audit log; never a password.
  changes json not null,
  -- Length of `changes`.
  bytes integer not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text,
  changed_at timestamptz not null
);
create unique index link_versions_by_link on link_versions (workspace_id, link_id, version);
select wall_off('link_versions');

-- Links that were deleted in the last hour. Their history and the count of their redirects are kept as long, and a job
-- deletes all three. To every other part of the program such a link does not exist.
create table deleted_links (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The row with the aliases, as the program reads it.
  link json not null,
  -- The operation on many links that deleted it; null for a single deletion.
  operation_id text,
  deleted_at timestamptz not null
);
create index deleted_links_by_workspace on deleted_links (workspace_id);
create index deleted_links_of_operation on deleted_links (operation_id) where operation_id is not null;
create index deleted_links_by_age on deleted_links (deleted_at);
select wall_off('deleted_links');

-- What operations on many links have changed in the last hour.
create table link_undo (
  operation_id text not null,
  link_id text not null,
  workspace_id text not null references workspaces on delete cascade,
  -- The former values of the fields that changed; null for a link that the operation created.
  previous json,
  -- updated_at of the link right after the operation: with another one it was changed since.
  changed_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (operation_id, link_id)
);
create index link_undo_by_workspace on link_undo (workspace_id);
create index link_undo_by_age on link_undo (recorded_at);
select wall_off('link_undo');
