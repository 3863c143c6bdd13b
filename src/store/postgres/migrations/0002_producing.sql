-- What a producer calls. Everything is schema-qualified and the search path is pinned, because these
-- functions run with their owner's rights.

-- The place of a name in the log: the first eight bytes of the SHA-256 of "namespace/topic".
CREATE FUNCTION outrider.topic_id(namespace text, topic text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ('x' || encode(substring(sha256(convert_to(namespace || '/' || topic, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint
$$;

-- The name if the registry does not know the topic yet, else NULL: what message.topic_name holds.
CREATE FUNCTION outrider.unregistered(topic_id bigint, topic_name text) RETURNS text
LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM outrider.topic AS t WHERE t.topic_id = unregistered.topic_id;
    IF FOUND THEN
        RETURN NULL;
    END IF;
    RETURN topic_name;
END
$$;

-- The key of a logical fact: SHA-256 over length-prefixed parts, as a UUID of version 8. Equal to
-- outrider::create_key in C++, which has the rule in words.
CREATE FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text DEFAULT '0')
RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    encoded bytea := 'outrider.key.v1'::bytea;
    part text;
    hash bytea;
BEGIN
    FOREACH part IN ARRAY ARRAY[tenant, lower(category COLLATE "C"), entity, lower(kind COLLATE "C"), version] LOOP
        encoded := encoded || int4send(octet_length(convert_to(part, 'UTF8'))) || convert_to(part, 'UTF8');
    END LOOP;
    hash := substring(sha256(encoded) FOR 16);
    hash := set_byte(hash, 6, (get_byte(hash, 6) & 15) | 128);
    hash := set_byte(hash, 8, (get_byte(hash, 8) & 63) | 128);
    RETURN encode(hash, 'hex')::uuid;
END
$$;

-- A UUIDv7 of the server's clock.
CREATE FUNCTION outrider.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(set_byte(v.bytes, 6, (get_byte(v.bytes, 6) & 15) | 112), 'hex')::uuid
    FROM (SELECT overlay(uuid_send(gen_random_uuid())
                         PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                         FROM 1 FOR 6) AS bytes) AS v
$$;

-- Refuses what may not enter the log. Raises invalid_parameter_value; returns nothing otherwise.
CREATE FUNCTION outrider.check_message(namespace text, topic text, payload jsonb, dedupe_key text, ordering_key text, headers jsonb)
RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    problem text;
    depth_max constant integer := 64;
BEGIN
    problem := CASE
        WHEN namespace IS NULL OR namespace !~ '^[A-Za-z0-9._:-]{1,128}$'
            THEN 'namespace must be 1 to 128 characters of A-Z a-z 0-9 . _ : -'
        WHEN topic IS NULL OR topic !~ '^[A-Za-z0-9._:-]{1,128}$'
            THEN 'topic must be 1 to 128 characters of A-Z a-z 0-9 . _ : -'
        WHEN payload IS NULL
            THEN 'payload must not be NULL; the JSON null is ''null''::jsonb'
        WHEN octet_length(payload::text) > 262144
            THEN 'payload is ' || octet_length(payload::text) || ' bytes, the limit is 262144'
        WHEN dedupe_key = '' OR octet_length(dedupe_key) > 512 OR dedupe_key ~ '[\u0001-\u001f\u007f-\u009f]'
            THEN 'dedupe_key must be 1 to 512 bytes without control characters'
        WHEN ordering_key = '' OR octet_length(ordering_key) > 512 OR ordering_key ~ '[\u0001-\u001f\u007f-\u009f]'
            THEN 'ordering_key must be 1 to 512 bytes without control characters'
        WHEN headers IS NOT NULL AND jsonb_typeof(headers) <> 'object'
            THEN 'headers must be a JSON object of strings'
        WHEN headers IS NOT NULL AND octet_length(headers::text) > 16384
            THEN 'headers are larger than 16384 bytes'
        WHEN headers IS NOT NULL AND EXISTS (
                SELECT FROM jsonb_each(headers) AS h
                WHERE h.key !~ '^[a-z0-9!#$%&''*+.^_`|~-]+$' OR jsonb_typeof(h.value) <> 'string'
                   OR h.value #>> '{}' ~ '[\u0001-\u001f\u007f-\u009f]')
            THEN 'headers must have lower-case token names and string values without control characters'
    END;
    -- The walk over the nesting is dear, so only texts with enough brackets take it.
    IF problem IS NULL
       AND length(payload::text) - length(translate(payload::text, '[{', '')) > depth_max
       AND jsonb_path_exists(payload, 'strict $.**{64 to last} ? (@.type() == "object" || @.type() == "array")') THEN
        problem := 'payload is nested deeper than ' || depth_max || ' levels';
    END IF;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cannot enqueue: %', problem USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- Writes messages that were checked already, in the order of the arrays. Rows with a dedupe key that
-- is taken are left out and answered with the first message's id. A unique violation is never
-- raised: it would abort the caller's transaction. Keys are taken in one order by everybody, so that
-- two batches cannot wait for each other in a circle.
CREATE FUNCTION outrider.write_messages(
    topic_ids bigint[], topic_names text[], ids uuid[], payloads text[], dedupe_keys text[], tenant_ids uuid[],
    ordering_keys text[], headers text[], delays bigint[])
RETURNS TABLE (id uuid, inserted boolean, payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO outrider.dedupe (topic_id, id, tenant_id, dedupe_key, digest)
    SELECT m.topic_id, m.id, m.tenant_id, m.dedupe_key, sha256(convert_to(m.payload, 'UTF8'))
    FROM unnest(topic_ids, ids, payloads, dedupe_keys, tenant_ids)
         WITH ORDINALITY AS m (topic_id, id, payload, dedupe_key, tenant_id, n)
    WHERE m.dedupe_key IS NOT NULL
    ORDER BY m.topic_id, m.tenant_id, m.dedupe_key COLLATE "C", m.n
    ON CONFLICT (topic_id, tenant_id, dedupe_key) DO NOTHING;

    RETURN QUERY
    WITH given AS MATERIALIZED (
        SELECT m.*, d.id AS first_id, d.digest
        FROM unnest(topic_ids, topic_names, ids, payloads, dedupe_keys, tenant_ids, ordering_keys, headers, delays)
             WITH ORDINALITY AS m (topic_id, topic_name, id, payload, dedupe_key, tenant_id, ordering_key, headers, delay, n)
        LEFT JOIN LATERAL (
            SELECT d.id, d.digest FROM outrider.dedupe AS d
            WHERE d.topic_id = m.topic_id AND d.dedupe_key = m.dedupe_key AND d.tenant_id IS NOT DISTINCT FROM m.tenant_id
        ) AS d ON m.dedupe_key IS NOT NULL
    ), unregistered AS MATERIALIZED (
        SELECT t.topic_id, outrider.unregistered(t.topic_id, t.topic_name) AS topic_name
        FROM (SELECT DISTINCT g.topic_id, g.topic_name FROM given AS g) AS t
    ), written AS (
        INSERT INTO outrider.message
            (topic_id, id, tenant_id, deliver_at, dedupe_key, ordering_key, topic_name, headers, payload)
        SELECT g.topic_id, g.id, g.tenant_id, clock_timestamp() + g.delay * interval '1 millisecond',
               g.dedupe_key, g.ordering_key, u.topic_name, g.headers, g.payload
        FROM given AS g JOIN unregistered AS u USING (topic_id)
        WHERE g.first_id IS NULL OR g.first_id = g.id
        ORDER BY g.n
    )
    SELECT coalesce(g.first_id, g.id), coalesce(g.first_id = g.id, true),
           coalesce(g.digest <> sha256(convert_to(g.payload, 'UTF8')), false)
    FROM given AS g
    ORDER BY g.n;
END
$$;

-- Enqueues one message in the caller's transaction.
CREATE FUNCTION outrider.enqueue(
    namespace text, topic text, payload jsonb, dedupe_key text DEFAULT NULL, tenant_id uuid DEFAULT NULL,
    ordering_key text DEFAULT NULL, headers jsonb DEFAULT NULL, deliver_after interval DEFAULT NULL,
    OUT id uuid, OUT inserted boolean, OUT payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    message_topic bigint := outrider.topic_id(namespace, topic);
    payload_digest bytea;
BEGIN
    PERFORM outrider.check_message(namespace, topic, payload, dedupe_key, ordering_key, headers);
    id := outrider.new_id();
    inserted := true;
    payload_differs := false;
    IF dedupe_key IS NOT NULL THEN
        payload_digest := sha256(convert_to(payload::text, 'UTF8'));
        INSERT INTO outrider.dedupe (topic_id, id, tenant_id, dedupe_key, digest)
        VALUES (message_topic, enqueue.id, enqueue.tenant_id, enqueue.dedupe_key, payload_digest)
        ON CONFLICT ON CONSTRAINT dedupe_once DO NOTHING;
        IF NOT FOUND THEN
            SELECT d.id, false, d.digest <> payload_digest INTO id, inserted, payload_differs
            FROM outrider.dedupe AS d
            WHERE d.topic_id = message_topic AND d.dedupe_key = enqueue.dedupe_key
              AND d.tenant_id IS NOT DISTINCT FROM enqueue.tenant_id;
            RETURN;
        END IF;
    END IF;
    INSERT INTO outrider.message
        (topic_id, id, tenant_id, deliver_at, dedupe_key, ordering_key, topic_name, headers, payload)
    VALUES (message_topic, enqueue.id, enqueue.tenant_id, clock_timestamp() + deliver_after, enqueue.dedupe_key,
            enqueue.ordering_key, outrider.unregistered(message_topic, namespace || '/' || topic), headers::text, payload::text);
END
$$;

-- Enqueues many messages of one topic in one statement. Arrays are as long as payloads, or NULL.
CREATE FUNCTION outrider.enqueue_many(
    namespace text, topic text, payloads jsonb[], dedupe_keys text[] DEFAULT NULL, tenant_ids uuid[] DEFAULT NULL,
    ordering_keys text[] DEFAULT NULL, headers jsonb[] DEFAULT NULL, deliver_after interval DEFAULT NULL)
RETURNS TABLE (id uuid, inserted boolean, payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    message_topic bigint := outrider.topic_id(namespace, topic);
    count integer := coalesce(cardinality(payloads), 0);
BEGIN
    IF cardinality(dedupe_keys) <> count OR cardinality(tenant_ids) <> count OR cardinality(ordering_keys) <> count
       OR cardinality(headers) <> count THEN
        RAISE EXCEPTION 'cannot enqueue: the arrays must all have % elements, as payloads has', count
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM outrider.check_message(namespace, topic, m.payload, m.dedupe_key, m.ordering_key, m.headers)
    FROM unnest(payloads, dedupe_keys, ordering_keys, headers) AS m (payload, dedupe_key, ordering_key, headers);
    RETURN QUERY
    SELECT w.id, w.inserted, w.payload_differs
    FROM outrider.write_messages(
        array_fill(message_topic, ARRAY[count]), array_fill(namespace || '/' || topic, ARRAY[count]),
        ARRAY(SELECT outrider.new_id() FROM generate_series(1, count)),
        ARRAY(SELECT p.payload::text FROM unnest(payloads) WITH ORDINALITY AS p (payload, n) ORDER BY p.n),
        dedupe_keys, tenant_ids, ordering_keys,
        ARRAY(SELECT h.header::text FROM unnest(headers) WITH ORDINALITY AS h (header, n) ORDER BY h.n),
        array_fill((extract(epoch FROM deliver_after) * 1000)::bigint, ARRAY[count])) AS w;
END
$$;
