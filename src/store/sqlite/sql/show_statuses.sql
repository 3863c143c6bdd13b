-- What became of one message at each listener that wants it. ?1 id.
SELECT s.listener, s.status, s.attempts, s.next_attempt_at, s.last_error
FROM outrider_message_status AS s WHERE s.id = ?1 ORDER BY s.listener;
