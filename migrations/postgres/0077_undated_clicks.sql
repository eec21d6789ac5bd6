-- Clicks that a link had in another service are a number without a day: part of totals, and of no period.
alter table imported_clicks alter column day drop not null;
update imported_clicks set day = null where day is not null;
drop index imported_clicks_of_link;
create unique index imported_clicks_of_link on imported_clicks
  (workspace_id, link_id, source, day, coalesce(dimension, ''), coalesce(label, ''))
  nulls not distinct where replaced_by is null;
