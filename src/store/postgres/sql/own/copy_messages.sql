-- Appends many messages without dedupe keys, in the order they are sent.
COPY outrider.message (topic_id, topic_name, id, tenant_id, ordering_key, headers, payload, deliver_at)
FROM STDIN (FORMAT binary);
