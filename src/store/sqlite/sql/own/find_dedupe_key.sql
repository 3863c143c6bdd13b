-- Who has a dedupe key, with the digest of its payload. Messages that came through the view
-- outrider_enqueue have none; then the payload itself is given while the message exists.
-- ?1 topic_id, ?2 tenant_id or '', ?3 dedupe_key.
SELECT d.id, d.digest,
       CASE WHEN d.digest IS NULL THEN (SELECT m.payload FROM outrider_message AS m WHERE m.id = d.id) END
FROM outrider_dedupe AS d
WHERE d.topic_id = ?1 AND d.tenant_id = ?2 AND d.dedupe_key = ?3;
