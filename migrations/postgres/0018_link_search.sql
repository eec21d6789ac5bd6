-- The search of links by a part of their name, slug or destination, and the order of their lists.
-- The extensions pg_trgm and btree_gin are made before the first migration (src/storage/extensions.ts).

-- A text as the search compares it, in ASCII whatever the locale of the database, so that every
-- character counts for the index: ASCII letters in lower case; every other character, in NFC and lower
-- case, as its code point in hexadecimal between Z and Q. A folded text holds no other upper-case
-- letter, so the form of a part of a text is a part of the form of the text, and of no other.
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

-- No field holds a line feed, so a match lies within one of the three.
alter table links add column search_text text collate "C" not null
  generated always as (search_form(name || E'\n' || slug || E'\n' || destination_url)) stored;

-- Led by the workspace: the links of one never cost another's search. Entries wait in a list that
-- every search reads, so it is kept short.
do $$
begin
  execute format(
    'create index links_by_search on links using gin (workspace_id, search_text %I.gin_trgm_ops)
       with (gin_pending_list_limit = 1024)',
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_trgm'));
end
$$;

-- The ids of the links of the transaction's workspace that hold the term, at most `at_most`, in no
-- order. Under row-level security no pattern may be looked up in an index, since its operator is not
-- leakproof; so this runs as the owner of the tables, and takes the workspace from the setting of
-- `inWorkspace`, as the policies do.
--
-- Regular expressions of one literal, because their time is linear in the text: `like` and `strpos`
-- multiply the lengths of text and term. The index takes its trigrams from some 120 characters of a
-- term, hence a second look-up for the end of a long one. A term without three letters or digits in
-- a row may have no trigram, and then the index of all workspaces would be read.
create function matching_links(term text, at_most integer) returns setof text
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  own_workspace text := current_setting('signpost.workspace_id', true);
  form text := search_form(term);
begin
  if position(E'\n' in form) > 0 then
    return;
  elsif form !~ '[A-Za-z0-9]{3}' then
    return query select l.id from links l
      where l.workspace_id = own_workspace and strpos(l.search_text, form) > 0 limit at_most;
  elsif length(form) <= 100 then
    return query select l.id from links l
      where l.workspace_id = own_workspace and l.search_text ~ ('***=' || form) limit at_most;
  else
    return query select l.id from links l
      where l.workspace_id = own_workspace and l.search_text ~ ('***=' || right(form, 100))
        and l.search_text ~ ('***=' || form) limit at_most;
  end if;
end
$$;

-- The status beside the order, so that a total is counted without the rows.
drop index links_by_workspace;
create index links_by_workspace on links (workspace_id, created_at desc, id desc) include (status);

-- The order in which people look for names: "Äpfel" beside "apple", 9 before 10. A server without ICU
-- has no such order, and takes the one of the database.
do $$
begin
  create collation human_order (provider = icu, locale = 'und-u-kn-true');
exception when feature_not_supported then
  create collation human_order from "default";
end
$$;
