-- Makes the edges forget the pages that show a link whose short URL changes, or that is deleted, whichever way it is
-- written.
create function announce_pages_of_link() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select a.domain_id || E'\n' || a.slug_key
    from bio_page_links s join link_addresses a on a.link_id = s.page_id and a.is_alias
    where s.link_id = old.id;
  return null;
end
$$;
create trigger announce_pages_of_moved after update of slug, domain_id on links
  for each row when (old.slug is distinct from new.slug or old.domain_id is distinct from new.domain_id)
  execute function announce_pages_of_link();
create trigger announce_pages_of_deleted after delete on links
  for each row execute function announce_pages_of_link();

-- The same for a page one of whose images is deleted by force.
create function announce_page_of_image() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select domain_id || E'\n' || slug_key from link_addresses where link_id = old.used_by and is_alias;
  return null;
end
$$;
create trigger announce_page_of_image after delete on media_uses
  for each row when (old.type = 'bio_page') execute function announce_page_of_image();
