-- The schema after all migrations. Made by "make schema"; do not edit.

CREATE SCHEMA outrider;

COMMENT ON SCHEMA outrider IS 'outrider schema 4, compatible 1';

CREATE FUNCTION outrider.as_json(payload text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN payload::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN to_jsonb(payload);
END
$$;

CREATE FUNCTION outrider.delay_problem(deliver_after interval) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN deliver_after NOT BETWEEN interval '0' AND interval '366 days'
                THEN 'deliver_after must be from 0 to 366 days' END
$$;

CREATE FUNCTION outrider.enqueue(namespace text, topic text, payload jsonb, dedupe_key text DEFAULT NULL::text, tenant_id uuid DEFAULT NULL::uuid, ordering_key text DEFAULT NULL::text, headers jsonb DEFAULT NULL::jsonb, deliver_after interval DEFAULT NULL::interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    AS $$
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

CREATE FUNCTION outrider.enqueue_checked(namespace text, topic text, payload text, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE FUNCTION outrider.enqueue_many(namespace text, topic text, payloads jsonb[], dedupe_keys text[] DEFAULT NULL::text[], tenant_ids uuid[] DEFAULT NULL::uuid[], ordering_keys text[] DEFAULT NULL::text[], headers jsonb[] DEFAULT NULL::jsonb[], deliver_after interval DEFAULT NULL::interval) RETURNS TABLE(id uuid, inserted boolean, payload_differs boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE FUNCTION outrider.header_problem(headers jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
$_$;

CREATE FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text DEFAULT '0'::text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION outrider.is_key(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((octet_length(value) >= 1) AND (octet_length(value) <= 512)) AND (value !~ '[\u0001-\u001f\u007f-\u009f]'::text));

CREATE FUNCTION outrider.is_plain(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT value !~ '[\u0001-\u001f\u007f-\u009f]'
$$;

CREATE FUNCTION outrider.is_surely_payload(value text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((octet_length(translate(value, '[{'::text, ''::text)) >= (octet_length(value) - 64)) AND (octet_length(translate(value, '[{'::text, ''::text)) <= (262144 - 64)));

CREATE FUNCTION outrider.message_problem(namespace text, topic text, payload text, dedupe_key text, ordering_key text, headers jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
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
$_$;

CREATE FUNCTION outrider.new_id() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (encode(OVERLAY(uuid_send(gen_random_uuid()) PLACING int8send(((((date_part('epoch'::text, clock_timestamp()) * (65536000)::double precision))::bigint & ('-61441'::integer)::bigint) | (28672)::bigint)) FROM 1 FOR 8), 'hex'::text))::uuid;

CREATE FUNCTION outrider.publish_version() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    EXECUTE (SELECT format('COMMENT ON SCHEMA outrider IS %L',
                           format('outrider schema %s, compatible %s', max(version), max(version) FILTER (WHERE breaking OR version = 1)))
             FROM outrider.migration WHERE line = 'outbox');
END
$$;

CREATE FUNCTION outrider.topic_id(namespace text, topic text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT ('x' || encode(substring(sha256(replace(namespace || '/' || topic, '\', '\\')::bytea) FOR 8), 'hex'))::bit(64)::bigint
$$;

CREATE FUNCTION outrider.topic_matches(topics text[], namespace text, topic text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT topics && ARRAY['*', namespace || '/*', namespace || '/' || topic]
$$;

CREATE FUNCTION outrider.unregistered(topic_id bigint, topic_name text) RETURNS text
    LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM 1 FROM outrider.topic AS t WHERE t.topic_id = unregistered.topic_id;
    IF FOUND THEN
        RETURN NULL;
    END IF;
    RETURN topic_name;
END
$$;

CREATE FUNCTION outrider.write_messages(topic_ids bigint[], topic_names text[], ids uuid[], payloads text[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers text[], delays bigint[]) RETURNS TABLE(id uuid, inserted boolean, payload_differs boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE TABLE outrider.attempt (
    listener_id integer NOT NULL,
    "position" bigint NOT NULL,
    n integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    worker_id uuid NOT NULL,
    error text
);

CREATE TABLE outrider.audit (
    audit_id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE outrider.audit ALTER COLUMN audit_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME outrider.audit_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE outrider.claim (
    listener_id integer NOT NULL,
    lane integer NOT NULL,
    seq bigint NOT NULL,
    epoch integer NOT NULL,
    open_from bigint NOT NULL,
    settled bigint NOT NULL,
    settled_new bigint NOT NULL,
    waited_for integer[] DEFAULT '{}'::integer[] NOT NULL,
    high bigint NOT NULL,
    late int8multirange DEFAULT '{}'::int8multirange NOT NULL,
    claimed int8multirange NOT NULL,
    done int8multirange DEFAULT '{}'::int8multirange NOT NULL,
    worker_id uuid NOT NULL,
    token uuid NOT NULL,
    claimed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    locked_until timestamp with time zone NOT NULL,
    completed_at timestamp with time zone
);

CREATE TABLE outrider.dedupe (
    topic_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    id uuid NOT NULL,
    tenant_id uuid,
    dedupe_key text NOT NULL,
    digest bytea NOT NULL
);

CREATE TABLE outrider.delivery (
    listener_id integer NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    topic_id bigint NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    redrives integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    locked_by uuid,
    token uuid,
    locked_until timestamp with time zone,
    ordering_key text,
    last_error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    message jsonb,
    CONSTRAINT delivery_attempts CHECK ((attempts >= 0)),
    CONSTRAINT delivery_lease CHECK (((state = 'processing'::text) = (token IS NOT NULL))),
    CONSTRAINT delivery_state CHECK ((state = ANY (ARRAY['pending'::text, 'processing'::text, 'delivered'::text, 'dead'::text])))
)
WITH (fillfactor='80');

CREATE TABLE outrider.listener (
    listener_id integer NOT NULL,
    name text NOT NULL,
    topics text[] NOT NULL,
    ordering text DEFAULT 'none'::text NOT NULL,
    key_lanes integer DEFAULT 1 NOT NULL,
    max_attempts integer DEFAULT 5 NOT NULL,
    base_delay interval DEFAULT '00:00:01'::interval NOT NULL,
    max_delay interval DEFAULT '00:05:00'::interval NOT NULL,
    exponential boolean DEFAULT true NOT NULL,
    lease interval DEFAULT '00:00:30'::interval NOT NULL,
    batch_size integer DEFAULT 500 NOT NULL,
    concurrency integer DEFAULT 32 NOT NULL,
    poll_interval interval DEFAULT '00:00:01'::interval NOT NULL,
    max_error_length integer DEFAULT 2000 NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    start_position bigint DEFAULT 0 NOT NULL,
    epoch integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT listener_batch_size_check CHECK ((batch_size >= 1)),
    CONSTRAINT listener_concurrency_check CHECK ((concurrency >= 1)),
    CONSTRAINT listener_key_lanes_check CHECK (((key_lanes >= 1) AND (key_lanes <= 256))),
    CONSTRAINT listener_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT listener_max_error_length_check CHECK ((max_error_length >= 1)),
    CONSTRAINT listener_name_form CHECK ((name ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
    CONSTRAINT listener_ordering CHECK ((ordering = ANY (ARRAY['none'::text, 'key'::text, 'total'::text]))),
    CONSTRAINT listener_topics_given CHECK ((cardinality(topics) > 0))
);

ALTER TABLE outrider.listener ALTER COLUMN listener_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME outrider.listener_listener_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE outrider.message (
    "position" bigint NOT NULL,
    topic_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    id uuid NOT NULL,
    xid integer DEFAULT ((txid_current() & (2147483647)::bigint))::integer NOT NULL,
    tenant_id uuid,
    deliver_at timestamp with time zone,
    dedupe_key text,
    ordering_key text,
    topic_name text,
    headers text,
    payload text NOT NULL
)
PARTITION BY RANGE ("position");

CREATE TABLE outrider.message_0 (
    "position" bigint NOT NULL,
    topic_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    id uuid NOT NULL,
    xid integer DEFAULT ((txid_current() & (2147483647)::bigint))::integer NOT NULL,
    tenant_id uuid,
    deliver_at timestamp with time zone,
    dedupe_key text,
    ordering_key text,
    topic_name text,
    headers text,
    payload text NOT NULL
);

ALTER TABLE outrider.message ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME outrider.message_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE outrider.topic (
    topic_id bigint NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE VIEW outrider.named_message AS
 SELECT m."position",
    m.id,
    m.topic_id,
    COALESCE(t.namespace, split_part(m.topic_name, '/'::text, 1)) AS namespace,
    COALESCE(t.name, split_part(m.topic_name, '/'::text, 2)) AS topic,
    m.tenant_id,
    m.dedupe_key,
    m.ordering_key,
    m.headers,
    m.payload,
    m.created_at,
    m.deliver_at
   FROM (outrider.message m
     LEFT JOIN outrider.topic t USING (topic_id));

CREATE VIEW outrider.message_status AS
 SELECT l.listener_id,
    l.name AS listener,
    m."position",
    m.id,
    m.namespace,
    m.topic,
    m.tenant_id,
    m.dedupe_key,
    m.ordering_key,
    m.headers,
    m.payload,
    m.created_at,
    m.deliver_at,
        CASE
            WHEN (d.state IS NOT NULL) THEN d.state
            WHEN ((c.completed_at IS NOT NULL) OR (c.done @> m."position")) THEN 'delivered'::text
            WHEN (c.seq IS NOT NULL) THEN 'processing'::text
            WHEN (m."position" <= l.start_position) THEN 'skipped'::text
            ELSE 'pending'::text
        END AS status,
    COALESCE(d.attempts,
        CASE
            WHEN (c.seq IS NULL) THEN 0
            ELSE 1
        END) AS attempts,
    COALESCE(d.next_attempt_at, m.deliver_at, m.created_at) AS next_attempt_at,
        CASE
            WHEN (d."position" IS NOT NULL) THEN d.locked_by
            WHEN ((c.completed_at IS NULL) AND (NOT (c.done @> m."position"))) THEN c.worker_id
            ELSE NULL::uuid
        END AS locked_by,
        CASE
            WHEN (d."position" IS NOT NULL) THEN d.locked_until
            WHEN ((c.completed_at IS NULL) AND (NOT (c.done @> m."position"))) THEN c.locked_until
            ELSE NULL::timestamp with time zone
        END AS locked_until,
    d.last_error,
        CASE
            WHEN (d.state = 'delivered'::text) THEN d.updated_at
            WHEN (d."position" IS NULL) THEN c.completed_at
            ELSE NULL::timestamp with time zone
        END AS delivered_at,
    GREATEST(m.created_at, d.updated_at, c.claimed_at, c.completed_at) AS updated_at
   FROM (((outrider.named_message m
     JOIN outrider.listener l ON (outrider.topic_matches(l.topics, m.namespace, m.topic)))
     LEFT JOIN outrider.delivery d ON (((d.listener_id = l.listener_id) AND (d."position" = m."position"))))
     LEFT JOIN LATERAL ( SELECT c_1.seq,
            c_1.worker_id,
            c_1.claimed_at,
            c_1.locked_until,
            c_1.completed_at,
            c_1.done
           FROM outrider.claim c_1
          WHERE ((c_1.listener_id = l.listener_id) AND (c_1.epoch = l.epoch) AND (c_1.claimed @> m."position"))
          ORDER BY c_1.seq DESC
         LIMIT 1) c ON (true));

CREATE TABLE outrider.message_tail (
    "position" bigint NOT NULL,
    topic_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    id uuid NOT NULL,
    xid integer DEFAULT ((txid_current() & (2147483647)::bigint))::integer NOT NULL,
    tenant_id uuid,
    deliver_at timestamp with time zone,
    dedupe_key text,
    ordering_key text,
    topic_name text,
    headers text,
    payload text NOT NULL
);

CREATE TABLE outrider.migration (
    line text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    breaking boolean NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE VIEW outrider.outbox_dead_letters AS
 SELECT d.id,
    l.name AS listener_id,
    d."position" AS outbox_event_id,
    d.last_error AS error,
    d.updated_at AS failed_at
   FROM (outrider.delivery d
     JOIN outrider.listener l USING (listener_id))
  WHERE (d.state = 'dead'::text);

CREATE VIEW outrider.outbox_events AS
 SELECT message_status.id,
    message_status.namespace,
    message_status.topic,
    message_status.tenant_id,
    message_status.dedupe_key,
    outrider.as_json(message_status.payload) AS payload,
    message_status.status,
    message_status.attempts,
    message_status.next_attempt_at,
    message_status.locked_by,
    message_status.locked_until,
    message_status.last_error,
    message_status.created_at,
    message_status.updated_at,
    message_status.listener
   FROM outrider.message_status;

CREATE VIEW outrider.outbox_listeners AS
 SELECT l.name AS listener_id,
    GREATEST(l.start_position, COALESCE(c.passed, (0)::bigint)) AS last_processed_id,
    c.last_processed_at,
    COALESCE(d.retry_count, 0) AS retry_count,
    d.retry_after,
    d.last_error,
    l.created_at,
    GREATEST(l.updated_at, c.last_processed_at) AS updated_at
   FROM ((outrider.listener l
     LEFT JOIN LATERAL ( SELECT min(n.settled) AS passed,
            max(n.completed_at) AS last_processed_at
           FROM ( SELECT DISTINCT ON (c_1.lane) c_1.settled,
                    c_1.completed_at
                   FROM outrider.claim c_1
                  WHERE ((c_1.listener_id = l.listener_id) AND (c_1.epoch = l.epoch))
                  ORDER BY c_1.lane, c_1.seq DESC) n) c ON (true))
     LEFT JOIN LATERAL ( SELECT max(d_1.attempts) AS retry_count,
            min(d_1.next_attempt_at) AS retry_after,
            (array_agg(d_1.last_error ORDER BY d_1.updated_at DESC))[1] AS last_error
           FROM outrider.delivery d_1
          WHERE ((d_1.listener_id = l.listener_id) AND (d_1.state = ANY (ARRAY['pending'::text, 'processing'::text])) AND (d_1.attempts > 0))) d ON (true));

CREATE VIEW outrider.outbox_messages AS
 SELECT message_status.id AS "Id",
    message_status.tenant_id AS "TenantId",
    ((message_status.namespace || '/'::text) || message_status.topic) AS "EventType",
    outrider.as_json(message_status.payload) AS "Payload",
    message_status.created_at AS "CreatedAt",
    GREATEST((message_status.attempts - 1), 0) AS "RetryCount",
    message_status.dedupe_key AS "IdempotencyKey",
    message_status.delivered_at AS "ProcessedAt",
    (message_status.status = 'delivered'::text) AS "IsProcessed",
    message_status.last_error AS "Error",
    message_status.listener AS "Listener"
   FROM outrider.message_status;

CREATE VIEW outrider.stats AS
 SELECT l.name AS listener,
    s.backlog,
    s.failed_pending,
    s.in_flight,
    s.dead,
    COALESCE((EXTRACT(epoch FROM (clock_timestamp() - s.oldest)))::double precision, (0)::double precision) AS oldest_age_seconds
   FROM (outrider.listener l
     LEFT JOIN LATERAL ( SELECT count(*) FILTER (WHERE (m.status = ANY (ARRAY['pending'::text, 'processing'::text]))) AS backlog,
            count(*) FILTER (WHERE ((m.status = 'pending'::text) AND (m.attempts > 0))) AS failed_pending,
            count(*) FILTER (WHERE (m.status = 'processing'::text)) AS in_flight,
            count(*) FILTER (WHERE (m.status = 'dead'::text)) AS dead,
            min(m.created_at) FILTER (WHERE (m.status = ANY (ARRAY['pending'::text, 'processing'::text]))) AS oldest
           FROM outrider.message_status m
          WHERE (m.listener_id = l.listener_id)) s ON (true));

CREATE TABLE outrider.worker (
    worker_id uuid NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    heartbeat_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY outrider.message ATTACH PARTITION outrider.message_0 FOR VALUES FROM ('0') TO ('4000000');

ALTER TABLE ONLY outrider.message ATTACH PARTITION outrider.message_tail FOR VALUES FROM ('32000000') TO (MAXVALUE);

ALTER TABLE ONLY outrider.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (listener_id, "position", n);

ALTER TABLE ONLY outrider.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (audit_id);

ALTER TABLE ONLY outrider.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (listener_id, lane, seq);

ALTER TABLE ONLY outrider.dedupe
    ADD CONSTRAINT dedupe_once UNIQUE NULLS NOT DISTINCT (topic_id, tenant_id, dedupe_key);

ALTER TABLE ONLY outrider.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (listener_id, "position");

ALTER TABLE ONLY outrider.listener
    ADD CONSTRAINT listener_name UNIQUE (name);

ALTER TABLE ONLY outrider.listener
    ADD CONSTRAINT listener_pkey PRIMARY KEY (listener_id);

ALTER TABLE ONLY outrider.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (line, version);

ALTER TABLE ONLY outrider.topic
    ADD CONSTRAINT topic_name UNIQUE (namespace, name);

ALTER TABLE ONLY outrider.topic
    ADD CONSTRAINT topic_pkey PRIMARY KEY (topic_id);

ALTER TABLE ONLY outrider.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (worker_id);

CREATE INDEX claim_positions ON outrider.claim USING gist (claimed);

CREATE INDEX dedupe_age ON outrider.dedupe USING brin (created_at);

CREATE INDEX delivery_dead ON outrider.delivery USING btree (listener_id, "position") WHERE (state = 'dead'::text);

CREATE INDEX delivery_due ON outrider.delivery USING btree (listener_id, next_attempt_at, "position") WHERE (state = 'pending'::text);

CREATE INDEX delivery_leased ON outrider.delivery USING btree (listener_id, locked_until) WHERE (state = 'processing'::text);

CREATE INDEX delivery_parked ON outrider.delivery USING btree (listener_id, ordering_key, "position") WHERE ((state = ANY (ARRAY['pending'::text, 'processing'::text])) AND (ordering_key IS NOT NULL));

CREATE INDEX message_range ON ONLY outrider.message USING brin ("position", id, xid) WITH (pages_per_range='16');

CREATE INDEX message_0_position_id_xid_idx ON outrider.message_0 USING brin ("position", id, xid) WITH (pages_per_range='16');

CREATE INDEX message_topic_position ON ONLY outrider.message USING btree (topic_id, "position");

CREATE INDEX message_0_topic_id_position_idx ON outrider.message_0 USING btree (topic_id, "position");

CREATE INDEX message_unregistered ON ONLY outrider.message USING btree (topic_id, topic_name) WHERE (topic_name IS NOT NULL);

CREATE INDEX message_0_topic_id_topic_name_idx ON outrider.message_0 USING btree (topic_id, topic_name) WHERE (topic_name IS NOT NULL);

CREATE INDEX message_tail_position_id_xid_idx ON outrider.message_tail USING brin ("position", id, xid) WITH (pages_per_range='16');

CREATE INDEX message_tail_topic_id_position_idx ON outrider.message_tail USING btree (topic_id, "position");

CREATE INDEX message_tail_topic_id_topic_name_idx ON outrider.message_tail USING btree (topic_id, topic_name) WHERE (topic_name IS NOT NULL);

ALTER INDEX outrider.message_range ATTACH PARTITION outrider.message_0_position_id_xid_idx;

ALTER INDEX outrider.message_topic_position ATTACH PARTITION outrider.message_0_topic_id_position_idx;

ALTER INDEX outrider.message_unregistered ATTACH PARTITION outrider.message_0_topic_id_topic_name_idx;

ALTER INDEX outrider.message_range ATTACH PARTITION outrider.message_tail_position_id_xid_idx;

ALTER INDEX outrider.message_topic_position ATTACH PARTITION outrider.message_tail_topic_id_position_idx;

ALTER INDEX outrider.message_unregistered ATTACH PARTITION outrider.message_tail_topic_id_topic_name_idx;

ALTER TABLE ONLY outrider.attempt
    ADD CONSTRAINT attempt_listener_id_position_fkey FOREIGN KEY (listener_id, "position") REFERENCES outrider.delivery(listener_id, "position") ON DELETE CASCADE;

ALTER TABLE ONLY outrider.claim
    ADD CONSTRAINT claim_listener_id_fkey FOREIGN KEY (listener_id) REFERENCES outrider.listener(listener_id) ON DELETE CASCADE;

ALTER TABLE ONLY outrider.delivery
    ADD CONSTRAINT delivery_listener_id_fkey FOREIGN KEY (listener_id) REFERENCES outrider.listener(listener_id) ON DELETE CASCADE;

GRANT USAGE ON SCHEMA outrider TO outrider_producer;
GRANT USAGE ON SCHEMA outrider TO outrider_reader;
GRANT USAGE ON SCHEMA outrider TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.as_json(payload text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.as_json(payload text) TO outrider_reader;
GRANT ALL ON FUNCTION outrider.as_json(payload text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.delay_problem(deliver_after interval) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.delay_problem(deliver_after interval) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.enqueue(namespace text, topic text, payload jsonb, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.enqueue(namespace text, topic text, payload jsonb, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.enqueue(namespace text, topic text, payload jsonb, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.enqueue_checked(namespace text, topic text, payload text, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.enqueue_checked(namespace text, topic text, payload text, dedupe_key text, tenant_id uuid, ordering_key text, headers jsonb, deliver_after interval, OUT id uuid, OUT inserted boolean, OUT payload_differs boolean) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.enqueue_many(namespace text, topic text, payloads jsonb[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers jsonb[], deliver_after interval) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.enqueue_many(namespace text, topic text, payloads jsonb[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers jsonb[], deliver_after interval) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.enqueue_many(namespace text, topic text, payloads jsonb[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers jsonb[], deliver_after interval) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.header_problem(headers jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.header_problem(headers jsonb) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text) TO outrider_reader;
GRANT ALL ON FUNCTION outrider.idempotency_key(tenant text, category text, entity text, kind text, version text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.is_key(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.is_key(value text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.is_plain(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.is_plain(value text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.is_surely_payload(value text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.is_surely_payload(value text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.message_problem(namespace text, topic text, payload text, dedupe_key text, ordering_key text, headers jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.message_problem(namespace text, topic text, payload text, dedupe_key text, ordering_key text, headers jsonb) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.new_id() FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.new_id() TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.publish_version() FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.publish_version() TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.topic_id(namespace text, topic text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.topic_id(namespace text, topic text) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.topic_id(namespace text, topic text) TO outrider_reader;
GRANT ALL ON FUNCTION outrider.topic_id(namespace text, topic text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.topic_matches(topics text[], namespace text, topic text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.topic_matches(topics text[], namespace text, topic text) TO outrider_reader;
GRANT ALL ON FUNCTION outrider.topic_matches(topics text[], namespace text, topic text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.unregistered(topic_id bigint, topic_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.unregistered(topic_id bigint, topic_name text) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.unregistered(topic_id bigint, topic_name text) TO outrider_worker;

REVOKE ALL ON FUNCTION outrider.write_messages(topic_ids bigint[], topic_names text[], ids uuid[], payloads text[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers text[], delays bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION outrider.write_messages(topic_ids bigint[], topic_names text[], ids uuid[], payloads text[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers text[], delays bigint[]) TO outrider_producer;
GRANT ALL ON FUNCTION outrider.write_messages(topic_ids bigint[], topic_names text[], ids uuid[], payloads text[], dedupe_keys text[], tenant_ids uuid[], ordering_keys text[], headers text[], delays bigint[]) TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.attempt TO outrider_worker;

GRANT SELECT,INSERT ON TABLE outrider.audit TO outrider_worker;

GRANT SELECT,USAGE ON SEQUENCE outrider.audit_audit_id_seq TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.claim TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.dedupe TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.delivery TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.listener TO outrider_worker;

GRANT SELECT,USAGE ON SEQUENCE outrider.listener_listener_id_seq TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.message TO outrider_worker;

GRANT INSERT(topic_id) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(id) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(tenant_id) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(deliver_at) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(dedupe_key) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(ordering_key) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(topic_name) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(headers) ON TABLE outrider.message TO outrider_producer;

GRANT INSERT(payload) ON TABLE outrider.message TO outrider_producer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.message_0 TO outrider_worker;

GRANT SELECT,USAGE ON SEQUENCE outrider.message_position_seq TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.topic TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.named_message TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.message_status TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.message_tail TO outrider_worker;

GRANT SELECT ON TABLE outrider.migration TO outrider_worker;

GRANT SELECT ON TABLE outrider.outbox_dead_letters TO outrider_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.outbox_dead_letters TO outrider_worker;

GRANT SELECT ON TABLE outrider.outbox_events TO outrider_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.outbox_events TO outrider_worker;

GRANT SELECT ON TABLE outrider.outbox_listeners TO outrider_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.outbox_listeners TO outrider_worker;

GRANT SELECT ON TABLE outrider.outbox_messages TO outrider_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.outbox_messages TO outrider_worker;

GRANT SELECT ON TABLE outrider.stats TO outrider_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.stats TO outrider_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE outrider.worker TO outrider_worker;
