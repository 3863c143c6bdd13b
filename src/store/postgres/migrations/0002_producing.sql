-- What a producer calls. Everything is schema-qualified and the search path is pinned, because these
-- functions run with their owner's rights.

-- The place of a name in the log: the first eight bytes of the SHA-256 of "namespace/topic". One
-- plain expression, like the other small functions here, so that the planner puts it into the caller
-- instead of calling it; convert_to() would forbid that.
CREATE FUNCTION outrider.topic_id(namespace text, topic text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ('x' || encode(substring(sha256(replace(namespace || '/' || topic, '\', '\\')::bytea) FOR 8), 'hex'))::bit(64)::bigint
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

-- A UUIDv7 of the server's clock: 48 bits of milliseconds, the version, 12 bits of the fraction of
-- the millisecond, then the variant and random bits of a UUIDv4. RETURN binds the names here and now,
-- whatever the search path of a later caller.
CREATE FUNCTION outrider.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE
RETURN encode(overlay(uuid_send(gen_random_uuid())
    PLACING int8send((date_part('epoch', clock_timestamp()) * 65536000)::bigint & -61441 | 28672) FROM 1 FOR 8), 'hex')::uuid;

-- Whether a text is free of control characters.
CREATE FUNCTION outrider.is_plain(value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT value !~ '[\u0001-\u001f\u007f-\u009f]'
$$;

-- What keeps headers out of the log, or NULL.
CREATE FUNCTION outrider.header_problem(headers jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF jsonb_typeof(headers) <> 'object' OR octet_length(headers::text) > 16384 THEN
        RETURN 'headers must be a JSON object of at most 16384 bytes';
    END IF;
    PERFORM FROM jsonb_each(headers) AS h
    WHERE h.key !~ '^[a-z0-9!#$%&''*+.^_`|~-]+$' OR jsonb_typeof(h.value) <> 'string'
       OR NOT outrider.is_plain(h.value #>> '{}');
    IF FOUND THEN
        RETURN 'headers must have lower-case token names and string values without control characters';
    END IF;
    RETURN NULL;
END
$$;

-- What keeps a delay from being one, or NULL.
CREATE FUNCTION outrider.delay_problem(deliver_after interval) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN deliver_after NOT BETWEEN interval '0' AND interval '366 days'
                THEN 'deliver_after must be from 0 to 366 days' END
$$;

-- Whether a text may be a dedupe key or an ordering key.
CREATE FUNCTION outrider.is_key(value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(value) BETWEEN 1 AND 512 AND value !~ '[\u0001-\u001f\u007f-\u009f]';

-- Whether the text of a jsonb surely may be a payload: the cheap test that nearly every one passes.
-- Fewer than 65 brackets nest at most 64 deep.
CREATE FUNCTION outrider.is_surely_payload(value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(translate(value, '[{', '')) BETWEEN octet_length(value) - 64 AND 262144 - 64;

-- What keeps a message out of the log, or NULL. payload is the text of a jsonb. Written for speed:
-- plain expressions only, the dear checks behind cheap ones.
CREATE FUNCTION outrider.message_problem(namespace text, topic text, payload text, dedupe_key text, ordering_key text, headers jsonb)
RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF namespace IS NULL OR length(namespace) NOT BETWEEN 1 AND 128 OR namespace ~ '[^A-Za-z0-9._:-]' THEN
        RETURN 'namespace must be 1 to 128 characters of A-Z a-z 0-9 . _ : -';
    END IF;
    IF topic IS NULL OR length(topic) NOT BETWEEN 1 AND 128 OR topic ~ '[^A-Za-z0-9._:-]' THEN
        RETURN 'topic must be 1 to 128 characters of A-Z a-z 0-9 . _ : -';
    END IF;
    IF payload IS NULL THEN
        RETURN 'payload must not be NULL; the JSON null is ''null''::jsonb';
    END IF;
    IF octet_length(payload) > 262144 THEN
        RETURN 'payload is ' || octet_length(payload) || ' bytes, the limit is 262144';
    END IF;
    IF octet_length(payload) > 128 AND length(payload) - length(translate(payload, '[{', '')) > 64
       AND jsonb_path_exists(payload::jsonb, 'strict $.**{64 to last} ? (@.type() == "object" || @.type() == "array")') THEN
        RETURN 'payload is nested deeper than 64 levels';
    END IF;
    IF NOT outrider.is_key(dedupe_key) THEN
        RETURN 'dedupe_key must be 1 to 512 bytes without control characters';
    END IF;
    IF NOT outrider.is_key(ordering_key) THEN
        RETURN 'ordering_key must be 1 to 512 bytes without control characters';
    END IF;
    RETURN CASE WHEN headers IS NOT NULL THEN outrider.header_problem(headers) END;
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

-- Enqueues one message whatever it is like: checks everything, then writes.
CREATE FUNCTION outrider.enqueue_checked(
    namespace text, topic text, payload text, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb,
    deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_variable
DECLARE
    problem text := coalesce(outrider.message_problem(namespace, topic, payload, dedupe_key, ordering_key, headers),
                             outrider.delay_problem(deliver_after));
BEGIN
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cannot enqueue: %', problem USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT w.id, w.inserted, w.payload_differs INTO id, inserted, payload_differs
    FROM outrider.write_messages(
        ARRAY[outrider.topic_id(namespace, topic)], ARRAY[namespace || '/' || topic], ARRAY[outrider.new_id()],
        ARRAY[payload], ARRAY[dedupe_key], ARRAY[tenant_id], ARRAY[ordering_key], ARRAY[headers::text],
        ARRAY[(date_part('epoch', deliver_after) * 1000)::bigint]) AS w;
END
$$;

-- Enqueues one message in the caller's transaction. A plain message of a registered topic, whose
-- names are therefore good, takes one INSERT; the rest goes the longer way.
-- Written for speed: as few expressions as can be, because PostgreSQL prepares each anew in every
-- transaction, and no SET clause, because setting the search path costs a tenth of the call. So every
-- name, type and operator here must say its schema: a caller's search path must not choose what runs
-- with the owner's rights.
CREATE FUNCTION outrider.enqueue(
    namespace text, topic text, payload jsonb, dedupe_key text DEFAULT NULL, tenant_id uuid DEFAULT NULL,
    ordering_key text DEFAULT NULL, headers jsonb DEFAULT NULL, deliver_after interval DEFAULT NULL,
    OUT id uuid, OUT inserted boolean, OUT payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
#variable_conflict use_variable
DECLARE
    payload_text pg_catalog.text := payload;
BEGIN
    INSERT INTO outrider.message AS m (topic_id, id, tenant_id, ordering_key, payload)
    SELECT t.topic_id, outrider.new_id(), enqueue.tenant_id, enqueue.ordering_key, payload_text
    FROM outrider.topic AS t
    WHERE t.namespace OPERATOR(pg_catalog.=) enqueue.namespace AND t.name OPERATOR(pg_catalog.=) enqueue.topic
      AND dedupe_key IS NULL AND headers IS NULL AND deliver_after IS NULL AND outrider.is_surely_payload(payload_text)
      AND (enqueue.ordering_key IS NULL OR outrider.is_key(enqueue.ordering_key))
    RETURNING m.id, true, false INTO id, inserted, payload_differs;
    IF NOT FOUND THEN
        SELECT c.id, c.inserted, c.payload_differs INTO id, inserted, payload_differs
        FROM outrider.enqueue_checked(namespace, topic, payload_text, dedupe_key, tenant_id, ordering_key, headers,
                                      deliver_after) AS c;
    END IF;
END
$$;

-- Enqueues many messages of one topic in one statement. Arrays are as long as payloads, or NULL.
CREATE FUNCTION outrider.enqueue_many(
    namespace text, topic text, payloads jsonb[], dedupe_keys text[] DEFAULT NULL, tenant_ids uuid[] DEFAULT NULL,
    ordering_keys text[] DEFAULT NULL, headers jsonb[] DEFAULT NULL, deliver_after interval DEFAULT NULL)
RETURNS TABLE (id uuid, inserted boolean, payload_differs boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_variable
DECLARE
    message_topic bigint := outrider.topic_id(namespace, topic);
    topic_name text := outrider.unregistered(message_topic, namespace || '/' || topic);
    payload_texts text[] := payloads::text[];
    count integer := coalesce(cardinality(payloads), 0);
    problem text := outrider.message_problem(namespace, topic, '0', NULL, NULL, NULL);
    number bigint;
BEGIN
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cannot enqueue: %', problem USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF cardinality(dedupe_keys) <> count OR cardinality(tenant_ids) <> count OR cardinality(ordering_keys) <> count
       OR cardinality(headers) <> count THEN
        RAISE EXCEPTION 'cannot enqueue: the arrays must all have % elements, as payloads has', count
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    problem := outrider.delay_problem(deliver_after);
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cannot enqueue: %', problem USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT p.problem, p.n INTO problem, number
    FROM (SELECT outrider.message_problem(namespace, topic, m.payload, m.dedupe_key, m.ordering_key, m.headers) AS problem, m.n
          FROM unnest(payload_texts, dedupe_keys, ordering_keys, headers)
               WITH ORDINALITY AS m (payload, dedupe_key, ordering_key, headers, n)
          WHERE outrider.is_surely_payload(m.payload) IS NOT TRUE OR NOT outrider.is_key(m.dedupe_key)
             OR NOT outrider.is_key(m.ordering_key) OR m.headers IS NOT NULL
          OFFSET 0) AS p
    WHERE p.problem IS NOT NULL
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'cannot enqueue message % of %: %', number, count, problem USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF dedupe_keys IS NULL THEN
        RETURN QUERY
        INSERT INTO outrider.message AS w (topic_id, id, tenant_id, deliver_at, ordering_key, topic_name, headers, payload)
        SELECT message_topic, outrider.new_id(), m.tenant_id, clock_timestamp() + deliver_after, m.ordering_key, topic_name,
               m.headers::text, m.payload
        FROM unnest(payload_texts, tenant_ids, ordering_keys, headers) AS m (payload, tenant_id, ordering_key, headers)
        RETURNING w.id, true, false;
    ELSE
        RETURN QUERY
        SELECT w.id, w.inserted, w.payload_differs
        FROM outrider.write_messages(
            array_fill(message_topic, ARRAY[count]), array_fill(namespace || '/' || topic, ARRAY[count]),
            ARRAY(SELECT outrider.new_id() FROM generate_series(1, count)), payload_texts, dedupe_keys, tenant_ids,
            ordering_keys, headers::text[],
            array_fill((date_part('epoch', deliver_after) * 1000)::bigint, ARRAY[count])) AS w;
    END IF;
END
$$;
