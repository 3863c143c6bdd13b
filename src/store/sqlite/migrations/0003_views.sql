-- The public face of the tables: names and meanings here are stable, the tables are not.

-- Every message with its names.
CREATE VIEW outrider_named_message AS
SELECT m.position, m.id, m.topic_id, t.namespace, t.name AS topic, m.tenant_id, m.dedupe_key, m.ordering_key,
       m.headers, m.payload, m.created_at, m.deliver_at
FROM outrider_message AS m JOIN outrider_topic AS t USING (topic_id);

-- The newest claim of the listener's epoch that took a position.
CREATE VIEW outrider_claimed_message AS
SELECT l.listener_id, m.position, max(c.seq) AS seq, c.worker_id, c.claimed_at, c.locked_until, c.completed_at,
       EXISTS (SELECT 1 FROM json_each(c.done) AS i
               WHERE m.position BETWEEN json_extract(i.value, '$[0]') AND json_extract(i.value, '$[1]')) AS done
FROM outrider_message AS m
JOIN outrider_claim AS c ON c.first <= m.position AND c.last >= m.position
JOIN outrider_listener AS l ON l.listener_id = c.listener_id AND l.epoch = c.epoch
WHERE EXISTS (SELECT 1 FROM json_each(c.claimed) AS i
              WHERE m.position BETWEEN json_extract(i.value, '$[0]') AND json_extract(i.value, '$[1]'))
GROUP BY l.listener_id, m.position;

-- One row per message and listener that wants it, with the derived status.
CREATE VIEW outrider_message_status AS
SELECT l.listener_id, l.name AS listener, m.position, m.id, m.namespace, m.topic, m.tenant_id, m.dedupe_key,
       m.ordering_key, m.headers, m.payload, m.created_at, m.deliver_at,
       CASE WHEN d.state IS NOT NULL THEN d.state
            WHEN c.completed_at IS NOT NULL OR c.done THEN 'delivered'
            WHEN c.seq IS NOT NULL THEN 'processing'
            WHEN m.position <= l.start_position THEN 'skipped'
            ELSE 'pending' END AS status,
       coalesce(d.attempts, CASE WHEN c.seq IS NULL THEN 0 ELSE 1 END) AS attempts,
       coalesce(d.next_attempt_at, m.deliver_at, m.created_at) AS next_attempt_at,
       CASE WHEN d.position IS NOT NULL THEN d.locked_by
            WHEN c.completed_at IS NULL AND NOT c.done THEN c.worker_id END AS locked_by,
       CASE WHEN d.position IS NOT NULL THEN d.locked_until
            WHEN c.completed_at IS NULL AND NOT c.done THEN c.locked_until END AS locked_until,
       d.last_error,
       CASE WHEN d.state = 'delivered' THEN d.updated_at WHEN d.position IS NULL THEN c.completed_at END AS delivered_at,
       max(m.created_at, coalesce(d.updated_at, 0), coalesce(c.claimed_at, 0), coalesce(c.completed_at, 0)) AS updated_at
FROM outrider_named_message AS m
JOIN outrider_listener AS l
  ON EXISTS (SELECT 1 FROM json_each(l.topics) AS p
             WHERE p.value IN ('*', m.namespace || '/*', m.namespace || '/' || m.topic))
LEFT JOIN outrider_delivery AS d ON d.listener_id = l.listener_id AND d.position = m.position
LEFT JOIN outrider_claimed_message AS c ON c.listener_id = l.listener_id AND c.position = m.position;

CREATE VIEW outbox_events AS
SELECT id, namespace, topic, tenant_id, dedupe_key, payload, status, attempts, next_attempt_at, locked_by,
       locked_until, last_error, created_at, updated_at, listener
FROM outrider_message_status;

CREATE VIEW outbox_messages AS
SELECT id AS "Id", tenant_id AS "TenantId", namespace || '/' || topic AS "EventType", payload AS "Payload",
       created_at AS "CreatedAt", max(attempts - 1, 0) AS "RetryCount", dedupe_key AS "IdempotencyKey",
       delivered_at AS "ProcessedAt", status = 'delivered' AS "IsProcessed", last_error AS "Error", listener AS "Listener"
FROM outrider_message_status;

CREATE VIEW outbox_listeners AS
SELECT l.name AS listener_id,
       max(l.start_position,
           coalesce((SELECT min(n.settled) FROM (SELECT c.settled, max(c.seq) FROM outrider_claim AS c
                     WHERE c.listener_id = l.listener_id AND c.epoch = l.epoch GROUP BY c.lane) AS n), 0)) AS last_processed_id,
       (SELECT max(c.completed_at) FROM outrider_claim AS c WHERE c.listener_id = l.listener_id) AS last_processed_at,
       coalesce((SELECT max(d.attempts) FROM outrider_delivery AS d
                 WHERE d.listener_id = l.listener_id AND d.state IN ('pending', 'processing')), 0) AS retry_count,
       (SELECT min(d.next_attempt_at) FROM outrider_delivery AS d
        WHERE d.listener_id = l.listener_id AND d.state IN ('pending', 'processing') AND d.attempts > 0) AS retry_after,
       (SELECT d.last_error FROM outrider_delivery AS d
        WHERE d.listener_id = l.listener_id AND d.state IN ('pending', 'processing') AND d.attempts > 0
        ORDER BY d.updated_at DESC LIMIT 1) AS last_error,
       l.created_at, l.updated_at
FROM outrider_listener AS l;

CREATE VIEW outbox_dead_letters AS
SELECT d.id, l.name AS listener_id, d.position AS outbox_event_id, d.last_error AS error, d.updated_at AS failed_at
FROM outrider_delivery AS d JOIN outrider_listener AS l USING (listener_id)
WHERE d.state = 'dead';

-- IF NOT EXISTS: an application may have a table of this plain name, and keeps it.
CREATE VIEW IF NOT EXISTS stats AS
SELECT l.name AS listener,
       coalesce(sum(m.status IN ('pending', 'processing')), 0) AS backlog,
       coalesce(sum(m.status = 'pending' AND m.attempts > 0), 0) AS failed_pending,
       coalesce(sum(m.status = 'processing'), 0) AS in_flight,
       coalesce(sum(m.status = 'dead'), 0) AS dead,
       coalesce((julianday('now') - 2440587.5) * 86400
                - min(CASE WHEN m.status IN ('pending', 'processing') THEN m.created_at END) / 1e6, 0.0) AS oldest_age_seconds
FROM outrider_listener AS l LEFT JOIN outrider_message_status AS m ON m.listener_id = l.listener_id
GROUP BY l.listener_id;
