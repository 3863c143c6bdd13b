-- One message by id, with everything the producer gave. ?1 id.
SELECT m.position, m.id, m.namespace, m.topic, m.tenant_id, m.dedupe_key, m.ordering_key, m.created_at, m.deliver_at,
       length(CAST(m.payload AS BLOB)), m.headers, m.payload
FROM outrider_named_message AS m WHERE m.id = ?1;
