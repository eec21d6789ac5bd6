-- A signed id proves click and link, so its conversion is attributed before ClickHouse is asked for the labels of the click.
alter table conversions
  -- Of an attributed row: the time of the next look-up of its labels. Null: they are known, or the click has none.
  add column labels_due_at timestamptz;
create index conversions_without_labels on conversions (labels_due_at) where labels_due_at is not null;
