-- Registers the images that a link shows, whichever way the link is written: that of its card, which is public, and
-- the logo of its QR codes. An image of another workspace is none of its own, and is not registered.
drop trigger keep_image_of_new on links;
drop trigger keep_image_of_changed on links;
drop trigger keep_image_of_deleted on links;
drop function keep_card_image();

create function keep_images_of_link() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from media_uses where used_by = old.id and workspace_id = old.workspace_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
      select media.id, new.workspace_id, 'link', new.id, bool_or(shown.is_public)
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
create trigger keep_images_of_new after insert on links
  for each row when (coalesce(new.options ->> 'card', new.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();
create trigger keep_images_of_changed after update of options on links
  for each row when (
    old.options ->> 'card' is distinct from new.options ->> 'card'
    or old.options ->> 'qrLogoMediaId' is distinct from new.options ->> 'qrLogoMediaId')
  execute function keep_images_of_link();
create trigger keep_images_of_deleted after delete on links
  for each row when (coalesce(old.options ->> 'card', old.options ->> 'qrLogoMediaId') is not null)
  execute function keep_images_of_link();
