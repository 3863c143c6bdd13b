-- Appends one message. ?1 topic_id, ?2 now, ?3 id, ?4 tenant_id, ?5 deliver_at, ?6 dedupe_key,
-- ?7 ordering_key, ?8 headers, ?9 payload.
INSERT INTO outrider_message
    (topic_id, created_at, id, tenant_id, deliver_at, dedupe_key, ordering_key, headers, payload)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);
