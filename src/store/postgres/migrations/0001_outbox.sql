-- The outbox: an append-only log of messages, a ledger of batch claims, and rows only for exceptions.
-- The tables are private; programs use the functions and views of the later migrations.

-- Puts the schema's version into its comment: producers may read no table, but the catalog is open
-- to all. "compatible" is the oldest build, by the newest migration it knows, that may still write.
CREATE FUNCTION outrider.publish_version() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE (SELECT format('COMMENT ON SCHEMA outrider IS %L',
                           format('outrider schema %s, compatible %s', max(version), max(version) FILTER (WHERE breaking OR version = 1)))
             FROM outrider.migration WHERE line = 'outbox');
END
$$;

-- Which names exist. Written by upkeep, never by an enqueue, so that the first use of a topic waits
-- for nobody. topic_id is a hash of the name (outrider.topic_id), not a counter.
CREATE TABLE outrider.topic (
    topic_id   bigint PRIMARY KEY,
    namespace  text NOT NULL,
    name       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT topic_name UNIQUE (namespace, name)
);

-- The log. One heap tuple and one index entry per message; nothing here is ever updated.
-- Fixed-width columns come first, so that no byte is lost to alignment.
CREATE TABLE outrider.message (
    -- Taken inside the INSERT, after its table lock: the settled position rests on that order, on
    -- CACHE 1, and on nobody being able to supply a position.
    position     bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    topic_id     bigint NOT NULL,
    -- Of the statement, not of the row: a volatile default would make COPY insert row by row.
    created_at   timestamptz NOT NULL DEFAULT statement_timestamp(),
    id           uuid NOT NULL,
    -- The writing transaction, modulo 2^31: compared for equality only, within a window of positions
    -- that is far smaller than that.
    xid          integer NOT NULL DEFAULT (txid_current() & 2147483647)::integer,
    tenant_id    uuid,
    deliver_at   timestamptz,
    dedupe_key   text,
    ordering_key text,
    -- "namespace/topic", only while the registry does not know the topic.
    topic_name   text,
    headers      text,
    payload      text NOT NULL
) PARTITION BY RANGE (position);

-- The only b-tree. Ids are time-ordered, so a block range index finds a message by id at almost no
-- cost per insert; likewise a stretch of the log across all topics, and the rows of one transaction.
CREATE INDEX message_topic_position ON outrider.message (topic_id, position);
CREATE INDEX message_range ON outrider.message USING brin (position, id, xid) WITH (pages_per_range = 16);
-- Empty but for messages of topics that are not registered yet.
CREATE INDEX message_unregistered ON outrider.message (topic_id, topic_name) WHERE topic_name IS NOT NULL;

-- Partitions ahead of need. The last one has no upper end, so an enqueue never lacks a partition.
DO $$
DECLARE
    width constant bigint := 4000000;
BEGIN
    FOR n IN 0..7 LOOP
        EXECUTE format('CREATE TABLE outrider.message_%s PARTITION OF outrider.message FOR VALUES FROM (%s) TO (%s)',
                       n * width, n * width, (n + 1) * width);
    END LOOP;
    EXECUTE format('CREATE TABLE outrider.message_tail PARTITION OF outrider.message FOR VALUES FROM (%s) TO (MAXVALUE)',
                   8 * width);
END
$$;

-- Which dedupe keys are taken, and by which message. Outlives the message by its own window.
CREATE TABLE outrider.dedupe (
    topic_id   bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    id         uuid NOT NULL,
    tenant_id  uuid,
    dedupe_key text NOT NULL,
    digest     bytea NOT NULL,
    CONSTRAINT dedupe_once UNIQUE NULLS NOT DISTINCT (topic_id, tenant_id, dedupe_key)
);
CREATE INDEX dedupe_age ON outrider.dedupe USING brin (created_at);

-- Durable readers and their settings. topics holds "namespace/topic", "namespace/*" or "*".
CREATE TABLE outrider.listener (
    listener_id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name             text NOT NULL CONSTRAINT listener_name UNIQUE
                     CONSTRAINT listener_name_form CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$'),
    topics           text[] NOT NULL CONSTRAINT listener_topics_given CHECK (cardinality(topics) > 0),
    ordering         text NOT NULL DEFAULT 'none'
                     CONSTRAINT listener_ordering CHECK (ordering IN ('none', 'key', 'total')),
    key_lanes        integer NOT NULL DEFAULT 1 CHECK (key_lanes BETWEEN 1 AND 256),
    max_attempts     integer NOT NULL DEFAULT 5 CHECK (max_attempts >= 1),
    base_delay       interval NOT NULL DEFAULT '1 second',
    max_delay        interval NOT NULL DEFAULT '5 minutes',
    exponential      boolean NOT NULL DEFAULT true,
    lease            interval NOT NULL DEFAULT '30 seconds',
    batch_size       integer NOT NULL DEFAULT 500 CHECK (batch_size >= 1),
    concurrency      integer NOT NULL DEFAULT 32 CHECK (concurrency >= 1),
    poll_interval    interval NOT NULL DEFAULT '1 second',
    max_error_length integer NOT NULL DEFAULT 2000 CHECK (max_error_length >= 1),
    paused           boolean NOT NULL DEFAULT false,
    -- Messages at or below it are skipped: where the listener began, or where a seek put it.
    start_position   bigint NOT NULL DEFAULT 0,
    epoch            integer NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL DEFAULT now(),
    updated_at       timestamptz NOT NULL DEFAULT now()
);

-- The ledger: one row per claimed batch, inserted with the next seq of its lane. The newest row of a
-- lane carries everything a successor needs.
CREATE TABLE outrider.claim (
    listener_id  integer NOT NULL REFERENCES outrider.listener ON DELETE CASCADE,
    lane         integer NOT NULL,
    seq          bigint NOT NULL,
    epoch        integer NOT NULL,
    open_from    bigint NOT NULL,              -- the lowest seq of the lane that may still be open
    settled      bigint NOT NULL,              -- every position up to it is decided
    settled_new  bigint NOT NULL,              -- the same, leaving out transactions in waited_for
    waited_for   integer[] NOT NULL DEFAULT '{}',
    high         bigint NOT NULL,              -- the highest position the lane has passed
    late         int8multirange NOT NULL DEFAULT '{}',  -- taken positions above settled_new
    claimed      int8multirange NOT NULL,
    done         int8multirange NOT NULL DEFAULT '{}',
    worker_id    uuid NOT NULL,
    token        uuid NOT NULL,
    claimed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    locked_until timestamptz NOT NULL,
    completed_at timestamptz,
    PRIMARY KEY (listener_id, lane, seq)
);
-- Which claim took a position, for the views; one entry per batch.
CREATE INDEX claim_positions ON outrider.claim USING gist (claimed);

-- Messages that left the fast path: delayed, failed, taken over, dead. payload and what belongs to
-- it are copied only when the message's partition is about to go.
CREATE TABLE outrider.delivery (
    listener_id     integer NOT NULL REFERENCES outrider.listener ON DELETE CASCADE,
    position        bigint NOT NULL,
    id              uuid NOT NULL,
    topic_id        bigint NOT NULL,
    state           text NOT NULL
                    CONSTRAINT delivery_state CHECK (state IN ('pending', 'processing', 'delivered', 'dead')),
    attempts        integer NOT NULL DEFAULT 0 CONSTRAINT delivery_attempts CHECK (attempts >= 0),
    redrives        integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    locked_by       uuid,
    token           uuid,
    locked_until    timestamptz,
    ordering_key    text,
    last_error      text,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    message         jsonb,
    PRIMARY KEY (listener_id, position),
    CONSTRAINT delivery_lease CHECK ((state = 'processing') = (token IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX delivery_due ON outrider.delivery (listener_id, next_attempt_at, position) WHERE state = 'pending';
CREATE INDEX delivery_leased ON outrider.delivery (listener_id, locked_until) WHERE state = 'processing';
CREATE INDEX delivery_dead ON outrider.delivery (listener_id, position) WHERE state = 'dead';
CREATE INDEX delivery_parked ON outrider.delivery (listener_id, ordering_key, position)
    WHERE state IN ('pending', 'processing') AND ordering_key IS NOT NULL;

-- Failed attempts, the newest few of each message.
CREATE TABLE outrider.attempt (
    listener_id integer NOT NULL,
    position    bigint NOT NULL,
    n           integer NOT NULL,
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    worker_id   uuid NOT NULL,
    error       text,
    PRIMARY KEY (listener_id, position, n),
    FOREIGN KEY (listener_id, position) REFERENCES outrider.delivery ON DELETE CASCADE
);

-- Running dispatchers.
CREATE TABLE outrider.worker (
    worker_id    uuid PRIMARY KEY,
    host         text NOT NULL,
    pid          integer NOT NULL,
    version      text NOT NULL,
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Who did what through the command line or the admin API.
CREATE TABLE outrider.audit (
    audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor    text NOT NULL,
    action   text NOT NULL,
    subject  text NOT NULL,
    detail   jsonb NOT NULL DEFAULT '{}'
);

-- A block range index on an empty table starts with a summary of its first range, which every insert
-- there would have to widen. Without it, ranges are summarised when they are full, by vacuum.
DO $$
BEGIN
    PERFORM brin_desummarize_range(c.oid, 0)
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_am AS a ON a.oid = c.relam
    WHERE a.amname = 'brin' AND c.relkind = 'i' AND c.relnamespace = 'outrider'::regnamespace;
END
$$;
