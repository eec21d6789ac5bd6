-- Clicks that a link had in another service on days that are not known. They are part of totals, and of no period.
alter table imported_clicks alter column day drop not null;
-- Clicks without a day were those of the day of their import.
update imported_clicks set day = null
where day = (imported_at at time zone 'UTC')::date;
drop index imported_clicks_of_link;
create unique index imported_clicks_of_link on imported_clicks
  (workspace_id, link_id, source, day, coalesce(dimension, ''), coalesce(label, ''))
  nulls not distinct where replaced_by is null;
