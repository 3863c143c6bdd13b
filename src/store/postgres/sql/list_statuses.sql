-- The newest messages with their status for each listener that wants them, newest first. $1
-- namespace, $2 topic, $3 tenant_id, $6 listener, $7 status, each NULL for any; $4 only positions
-- below it; $5 how many. 'failed' is pending with a failed attempt behind it.
SELECT s.position, s.id, s.namespace, s.topic, s.tenant_id, s.dedupe_key, s.ordering_key, s.created_at, s.deliver_at,
       octet_length(s.payload), s.listener, s.status, s.attempts, s.next_attempt_at, s.last_error
FROM outrider.message_status AS s
WHERE ($1::text IS NULL OR s.namespace = $1::text) AND ($2::text IS NULL OR s.topic = $2::text)
  AND ($3::uuid IS NULL OR s.tenant_id = $3::uuid) AND s.position < $4::bigint
  AND ($6::text IS NULL OR s.listener = $6::text)
  AND ($7::text IS NULL OR s.status = $7::text OR ($7::text = 'failed' AND s.status = 'pending' AND s.attempts > 0))
ORDER BY s.position DESC, s.listener LIMIT $5::bigint;
