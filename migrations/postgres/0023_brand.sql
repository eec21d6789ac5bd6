-- What pages for visitors show on the domains of a workspace.
alter table workspaces add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');
alter table workspaces add column logo_media_id text;

-- contract: the check becomes wider, and every release writes rows that pass it
alter table media_uses
  drop constraint media_uses_type_check,
  add constraint media_uses_type_check check (type in ('link', 'bio_page', 'workspace'));

-- Registers the logo, which is public, and makes the edges read the domains again.
create function announce_brand() returns trigger language plpgsql as $$
begin
  delete from media_uses where used_by = new.id and workspace_id = new.id;
  insert into media_uses (media_id, workspace_id, type, used_by, is_public)
    select id, workspace_id, 'workspace', new.id, true from media
    where id = new.logo_media_id and workspace_id = new.id;
  insert into link_changes (key) select '@' || id from domains where workspace_id = new.id;
  return null;
end
$$;
create trigger announce_brand after update of name, brand_color, logo_media_id, suspended_at on workspaces
  for each row when (
    (old.name, old.brand_color, old.logo_media_id, old.suspended_at)
    is distinct from (new.name, new.brand_color, new.logo_media_id, new.suspended_at))
  execute function announce_brand();
