-- The newest messages with their status for each listener that wants them, newest first. ?1
-- namespace, ?2 topic, ?3 tenant_id, ?6 listener, ?7 status, each NULL for any; ?4 only positions
-- below it; ?5 how many. 'failed' is pending with a failed attempt behind it.
SELECT s.position, s.id, s.namespace, s.topic, s.tenant_id, s.dedupe_key, s.ordering_key, s.created_at, s.deliver_at,
       length(CAST(s.payload AS BLOB)), s.listener, s.status, s.attempts, s.next_attempt_at, s.last_error
FROM outrider_message_status AS s
WHERE (?1 IS NULL OR s.namespace = ?1) AND (?2 IS NULL OR s.topic = ?2) AND (?3 IS NULL OR s.tenant_id = ?3)
  AND s.position < ?4 AND (?6 IS NULL OR s.listener = ?6)
  AND (?7 IS NULL OR s.status = ?7 OR (?7 = 'failed' AND s.status = 'pending' AND s.attempts > 0))
ORDER BY s.position DESC, s.listener LIMIT ?5;
