-- Images that the operator blocks: their value is the SHA-256 of the upload in hexadecimal digits.
-- contract: the former check is replaced by a wider one, which every process passes
alter table blocks drop constraint blocks_kind_check;
alter table blocks add constraint blocks_kind_check check (kind in ('host', 'link', 'workspace', 'image'));

-- The image of a card is public while its link is not blocked.
create or replace function keep_images_of_link() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from media_uses where used_by = old.id and workspace_id = old.workspace_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
      select media.id, new.workspace_id, 'link', new.id, bool_or(shown.is_public) and new.status <> 'blocked'
      from (values
        (substring(new.options -> 'card' ->> 'image' from '/media-public/(med_[0-9A-Z]{26})(?:\?|$)'), true),
        (new.options ->> 'qrLogoMediaId', false)
      ) as shown (id, is_public)
      join media on media.id = shown.id and media.workspace_id = new.workspace_id
      group by media.id;
  end if;
  return null;
end
$$;
create trigger keep_images_of_blocked after update of status on links
  for each row when (
    (old.status = 'blocked') is distinct from (new.status = 'blocked')
    and coalesce(new.options ->> 'card', new.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();
update media_uses u set is_public = false
  from links l where l.id = u.used_by and l.status = 'blocked' and u.is_public;
create index media_uses_public on media_uses (media_id) where is_public;

-- Bio pages leave out links that do not redirect. The edges read them again when that changes; the times of a link are
-- part of the page.
create trigger announce_pages_of_changed after update of status, expires_at, options on links
  for each row when (
    old.status is distinct from new.status
    or old.expires_at is distinct from new.expires_at
    or old.options ->> 'startsAt' is distinct from new.options ->> 'startsAt')
  execute function announce_pages_of_link();

create function announce_pages_of_quota() returns trigger language plpgsql as $$
begin
  insert into link_changes (key)
    select a.domain_id || E'\n' || a.slug_key
    from bio_page_links s join link_addresses a on a.link_id = s.page_id and a.is_alias
    where s.link_id = old.link_id;
  return null;
end
$$;
create trigger announce_pages_of_used_up after update on link_quotas
  for each row when ((old.served >= old.max_clicks) is distinct from (new.served >= new.max_clicks))
  execute function announce_pages_of_quota();
create trigger announce_pages_of_unlimited after delete on link_quotas
  for each row when (old.served >= old.max_clicks)
  execute function announce_pages_of_quota();
