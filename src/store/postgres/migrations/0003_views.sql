-- The public face of the tables: names and meanings here are stable, the tables are not.

-- Whether a listener's topics ("namespace/topic", "namespace/*", "*") take in a topic.
CREATE FUNCTION outrider.topic_matches(topics text[], namespace text, topic text) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT topics && ARRAY['*', namespace || '/*', namespace || '/' || topic]
$$;

-- A payload as jsonb. A text that is not JSON, which only a producer with table rights can have
-- written, is shown as a JSON string, so that one bad row does not hide the others.
CREATE FUNCTION outrider.as_json(payload text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN payload::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN to_jsonb(payload);
END
$$;

-- Every message with its names, whether the registry knows them yet or not.
CREATE VIEW outrider.named_message AS
SELECT m.position, m.id, m.topic_id,
       coalesce(t.namespace, split_part(m.topic_name, '/', 1)) AS namespace,
       coalesce(t.name, split_part(m.topic_name, '/', 2)) AS topic,
       m.tenant_id, m.dedupe_key, m.ordering_key, m.headers, m.payload, m.created_at, m.deliver_at
FROM outrider.message AS m LEFT JOIN outrider.topic AS t USING (topic_id);

-- One row per message and listener that wants it. The status is derived, nothing stores it: a
-- delivery row knows it; else a claim took the message and is open or done; else it waits, or lies
-- before the listener's start.
CREATE VIEW outrider.message_status AS
SELECT l.listener_id, l.name AS listener, m.position, m.id, m.namespace, m.topic, m.tenant_id, m.dedupe_key,
       m.ordering_key, m.headers, m.payload, m.created_at, m.deliver_at,
       CASE WHEN d.state IS NOT NULL THEN d.state
            WHEN c.completed_at IS NOT NULL OR c.done @> m.position THEN 'delivered'
            WHEN c.seq IS NOT NULL THEN 'processing'
            WHEN m.position <= l.start_position THEN 'skipped'
            ELSE 'pending' END AS status,
       coalesce(d.attempts, CASE WHEN c.seq IS NULL THEN 0 ELSE 1 END) AS attempts,
       coalesce(d.next_attempt_at, m.deliver_at, m.created_at) AS next_attempt_at,
       CASE WHEN d.position IS NOT NULL THEN d.locked_by
            WHEN c.completed_at IS NULL AND NOT c.done @> m.position THEN c.worker_id END AS locked_by,
       CASE WHEN d.position IS NOT NULL THEN d.locked_until
            WHEN c.completed_at IS NULL AND NOT c.done @> m.position THEN c.locked_until END AS locked_until,
       d.last_error,
       CASE WHEN d.state = 'delivered' THEN d.updated_at WHEN d.position IS NULL THEN c.completed_at END AS delivered_at,
       greatest(m.created_at, d.updated_at, c.claimed_at, c.completed_at) AS updated_at
FROM outrider.named_message AS m
JOIN outrider.listener AS l ON outrider.topic_matches(l.topics, m.namespace, m.topic)
LEFT JOIN outrider.delivery AS d ON d.listener_id = l.listener_id AND d.position = m.position
LEFT JOIN LATERAL (
    SELECT c.seq, c.worker_id, c.claimed_at, c.locked_until, c.completed_at, c.done
    FROM outrider.claim AS c
    WHERE c.listener_id = l.listener_id AND c.epoch = l.epoch AND c.claimed @> m.position
    ORDER BY c.seq DESC LIMIT 1
) AS c ON true;

CREATE VIEW outrider.outbox_events AS
SELECT id, namespace, topic, tenant_id, dedupe_key, outrider.as_json(payload) AS payload, status, attempts,
       next_attempt_at, locked_by, locked_until, last_error, created_at, updated_at, listener
FROM outrider.message_status;

CREATE VIEW outrider.outbox_messages AS
SELECT id AS "Id", tenant_id AS "TenantId", namespace || '/' || topic AS "EventType",
       outrider.as_json(payload) AS "Payload", created_at AS "CreatedAt", greatest(attempts - 1, 0) AS "RetryCount",
       dedupe_key AS "IdempotencyKey", delivered_at AS "ProcessedAt", status = 'delivered' AS "IsProcessed",
       last_error AS "Error", listener AS "Listener"
FROM outrider.message_status;

CREATE VIEW outrider.outbox_listeners AS
SELECT l.name AS listener_id,
       greatest(l.start_position, coalesce(c.passed, 0)) AS last_processed_id,
       c.last_processed_at,
       coalesce(d.retry_count, 0) AS retry_count, d.retry_after, d.last_error,
       l.created_at, greatest(l.updated_at, c.last_processed_at) AS updated_at
FROM outrider.listener AS l
LEFT JOIN LATERAL (
    SELECT min(n.settled) AS passed, max(n.completed_at) AS last_processed_at
    FROM (SELECT DISTINCT ON (c.lane) c.settled, c.completed_at FROM outrider.claim AS c
          WHERE c.listener_id = l.listener_id AND c.epoch = l.epoch ORDER BY c.lane, c.seq DESC) AS n
) AS c ON true
LEFT JOIN LATERAL (
    SELECT max(d.attempts) AS retry_count, min(d.next_attempt_at) AS retry_after,
           (array_agg(d.last_error ORDER BY d.updated_at DESC))[1] AS last_error
    FROM outrider.delivery AS d
    WHERE d.listener_id = l.listener_id AND d.state IN ('pending', 'processing') AND d.attempts > 0
) AS d ON true;

CREATE VIEW outrider.outbox_dead_letters AS
SELECT d.id, l.name AS listener_id, d.position AS outbox_event_id, d.last_error AS error, d.updated_at AS failed_at
FROM outrider.delivery AS d JOIN outrider.listener AS l USING (listener_id)
WHERE d.state = 'dead';

-- One row per listener: what waits, what failed, how old the oldest waiting message is.
CREATE VIEW outrider.stats AS
SELECT l.name AS listener, s.backlog, s.failed_pending, s.in_flight, s.dead,
       coalesce(extract(epoch FROM clock_timestamp() - s.oldest)::double precision, 0) AS oldest_age_seconds
FROM outrider.listener AS l
LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE m.status IN ('pending', 'processing')) AS backlog,
           count(*) FILTER (WHERE m.status = 'pending' AND m.attempts > 0) AS failed_pending,
           count(*) FILTER (WHERE m.status = 'processing') AS in_flight,
           count(*) FILTER (WHERE m.status = 'dead') AS dead,
           min(m.created_at) FILTER (WHERE m.status IN ('pending', 'processing')) AS oldest
    FROM outrider.message_status AS m WHERE m.listener_id = l.listener_id
) AS s ON true;
