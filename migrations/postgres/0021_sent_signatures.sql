-- How the latest attempt of a delivery was signed, so that a receiver's check can be compared with it, also
-- after the secret was replaced: Unix seconds (4 bytes), the HMAC of x-service-signature (32 bytes) and, where
-- the endpoint asked for it, that of webhook-signature (32 bytes).
alter table webhook_queue add column signed bytea;
alter table webhook_log add column signed bytea;
