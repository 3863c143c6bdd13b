-- Takes a dedupe key; changes nothing if it is taken already. ?1 topic_id, ?2 tenant_id or '',
-- ?3 dedupe_key, ?4 id, ?5 digest, ?6 now.
INSERT INTO outrider_dedupe (topic_id, tenant_id, dedupe_key, id, digest, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (topic_id, tenant_id, dedupe_key) DO NOTHING;
