-- The newest messages, newest first. $1 namespace, $2 topic, $3 tenant_id, each NULL for any;
-- $4 only positions below it; $5 how many.
-- There is no index on position alone, so each topic's newest are taken through its own index and
-- then merged.
WITH known AS (
    SELECT t.topic_id, t.namespace, t.name FROM outrider.topic AS t
    UNION
    SELECT u.topic_id, split_part(u.topic_name, '/', 1), split_part(u.topic_name, '/', 2)
    FROM outrider.message AS u WHERE u.topic_name IS NOT NULL
)
SELECT m.position, m.id, k.namespace, k.name, m.tenant_id, m.dedupe_key, m.ordering_key, m.created_at, m.deliver_at,
       octet_length(m.payload)
FROM known AS k
CROSS JOIN LATERAL (
    SELECT * FROM outrider.message AS m
    WHERE m.topic_id = k.topic_id AND m.position < $4::bigint AND ($3::uuid IS NULL OR m.tenant_id = $3::uuid)
    ORDER BY m.position DESC LIMIT $5::bigint
) AS m
WHERE ($1::text IS NULL OR k.namespace = $1::text) AND ($2::text IS NULL OR k.name = $2::text)
ORDER BY m.position DESC LIMIT $5::bigint;
