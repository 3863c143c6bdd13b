-- Appends many messages without dedupe keys, in the order of the arrays. Per message: $1 topic_id,
-- $2 topic_name or NULL, $3 id, $4 tenant_id, $5 ordering_key, $6 headers, $7 payload, $8 delay in
-- milliseconds or NULL.
INSERT INTO outrider.message (topic_id, topic_name, id, tenant_id, ordering_key, headers, payload, deliver_at)
SELECT m.topic_id, m.topic_name, m.id, m.tenant_id, m.ordering_key, m.headers, m.payload,
       pg_catalog.clock_timestamp() + m.delay * interval '1 millisecond'
FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[])
     AS m (topic_id, topic_name, id, tenant_id, ordering_key, headers, payload, delay);
