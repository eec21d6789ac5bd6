-- Headers of an endpoint's own, which every delivery to it carries.
alter table webhook_endpoints
  -- As the client wrote them.
  add column header_names text[] not null default '{}',
  -- Names and values as JSON: AES-256-GCM, bound to this row, read at every claim. Null without headers.
  add column headers_sealed bytea;

-- Names of those headers in the latest attempt, separated by commas; null when it carried none.
alter table webhook_queue add column sent_headers text;
alter table webhook_log add column sent_headers text;

-- Adds the entry of an attempt to the log of a delivery. The answer to the latest attempt is in the columns
-- of the row alone, so a delivery with one attempt keeps it once; the next attempt moves it to its entry.
-- The answers of ten attempts before the latest one are kept: each manual retry of a dead letter adds one.
-- The parameters other than `entry` are the row's before the attempt.
create function add_attempt(log json, body text, headers json, entry text) returns json
language sql stable as $$
  select case
    when log is null then jsonb_build_array(entry::jsonb)
    else (jsonb_set(log::jsonb, '{-1}', (log::jsonb -> -1)
        || jsonb_build_object('responseHeaders', headers, 'responseBody', body)) || entry::jsonb)
      #- '{-12,responseHeaders}' #- '{-12,responseBody}'
  end::json
$$;
