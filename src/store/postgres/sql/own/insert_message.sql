-- Appends one message without a dedupe key. $1 topic_id, $2 "namespace/topic" while the registry does
-- not know the topic, else NULL, $3 id, $4 tenant_id, $5 ordering_key, $6 headers, $7 payload,
-- $8 delay in milliseconds or NULL.
-- Needs only the producer's right to insert: it reads nothing back.
INSERT INTO outrider.message (topic_id, topic_name, id, tenant_id, ordering_key, headers, payload, deliver_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, pg_catalog.clock_timestamp() + $8::bigint * interval '1 millisecond');
