-- Appends many messages without dedupe keys, in the order of the arrays. $1, $2 the distinct topics'
-- ids and names; per message $3 the index of its topic (from 1), $4 id, $5 tenant_id,
-- $6 ordering_key, $7 headers, $8 payload, $9 delay in milliseconds or NULL.
-- The registry is asked once per topic, not once per message.
WITH topic AS MATERIALIZED (
    SELECT pg_catalog.array_agg(outrider.unregistered(t.id, t.name) ORDER BY t.n) AS names
    FROM pg_catalog.unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS t (id, name, n)
)
INSERT INTO outrider.message (topic_id, topic_name, id, tenant_id, ordering_key, headers, payload, deliver_at)
SELECT ($1::bigint[])[m.topic], (SELECT names FROM topic)[m.topic], m.id, m.tenant_id, m.ordering_key, m.headers,
       m.payload, pg_catalog.clock_timestamp() + m.delay * interval '1 millisecond'
FROM pg_catalog.unnest($3::bigint[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bigint[])
     AS m (topic, id, tenant_id, ordering_key, headers, payload, delay);
