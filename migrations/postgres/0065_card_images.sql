-- Registers the image of a link's card as in use, whichever way the link is written. An image of another workspace is
-- none of its own, and is not registered.
create function keep_card_image() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from media_uses where used_by = old.id and workspace_id = old.workspace_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
      select id, workspace_id, 'link', new.id, true from media
      where workspace_id = new.workspace_id
        and id = substring(new.options -> 'card' ->> 'image' from '/media-public/(med_[0-9A-Z]{26})(?:\?|$)');
  end if;
  return null;
end
$$;
create trigger keep_image_of_new after insert on links
  for each row when (new.options ->> 'card' is not null) execute function keep_card_image();
create trigger keep_image_of_changed after update of options on links
  for each row when (old.options ->> 'card' is distinct from new.options ->> 'card')
  execute function keep_card_image();
create trigger keep_image_of_deleted after delete on links
  for each row when (old.options ->> 'card' is not null) execute function keep_card_image();
