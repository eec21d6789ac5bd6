-- ISO 4217 code, in lower case, of the currency in which a shared dashboard sums up the value of conversions.
alter table dashboards add column currency text not null default 'usd';
