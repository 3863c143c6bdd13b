-- The newest messages, newest first. ?1 namespace, ?2 topic, ?3 tenant_id, each NULL for any;
-- ?4 only positions below it; ?5 how many.
SELECT m.position, m.id, m.namespace, m.topic, m.tenant_id, m.dedupe_key, m.ordering_key, m.created_at, m.deliver_at,
       length(CAST(m.payload AS BLOB))
FROM outrider_named_message AS m
WHERE (?1 IS NULL OR m.namespace = ?1) AND (?2 IS NULL OR m.topic = ?2) AND (?3 IS NULL OR m.tenant_id = ?3)
  AND m.position < ?4
ORDER BY m.position DESC LIMIT ?5;
