-- Deliveries are looked up by the event that caused them. These indexes replace those on the workspace alone, which
-- purges use, so that a delivery writes no more index entries than before.
create index webhook_queue_of_event on webhook_queue (workspace_id, event_id);
create index webhook_log_of_event on webhook_log (workspace_id, event_id);
drop index webhook_queue_of_workspace;
drop index webhook_log_of_workspace;

-- The parts of the list of deliveries, with the columns of its filters and of the row policy: the total of a filter
-- is counted in the index alone, several times as fast as in the rows.
drop index webhook_queue_pending_of_endpoint;
drop index webhook_queue_failed_of_endpoint;
drop index webhook_log_completed_of_endpoint;
drop index webhook_log_dead_of_endpoint;
create index webhook_queue_pending_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where attempts = 0 or is_hurried;
create index webhook_queue_failed_of_endpoint on webhook_queue (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where attempts > 0 and not is_hurried;
create index webhook_log_completed_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where status = 2;
create index webhook_log_dead_of_endpoint on webhook_log (endpoint_id, created_at desc, id desc)
  include (workspace_id, event_type, response_status) where status = 4;
