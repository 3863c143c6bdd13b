-- Appends messages of which some have dedupe keys; answers one row per message, in order. Per
-- message: $1 topic_id, $2 "namespace/topic", $3 id, $4 payload, $5 dedupe_key, $6 tenant_id,
-- $7 ordering_key, $8 headers, $9 delay in milliseconds or NULL.
SELECT id, inserted, payload_differs
FROM outrider.write_messages($1::bigint[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::text[],
                             $8::text[], $9::bigint[]);
