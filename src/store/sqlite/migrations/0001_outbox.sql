-- The outbox in the application's own file: an append-only log of messages, a ledger of batch
-- claims, and rows only for exceptions. The tables are private and carry the prefix outrider_.
-- Times are microseconds since 1970 UTC; UUIDs are lower-case text.

-- Which names exist. SQLite has one writer at a time, so an enqueue may register its topic itself.
CREATE TABLE outrider_topic (
    topic_id   INTEGER PRIMARY KEY,
    namespace  TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CONSTRAINT topic_name UNIQUE (namespace, name)
) STRICT;

-- The log. A new position is the newest one plus one, so retention never deletes the newest message:
-- a position is not used twice. AUTOINCREMENT would promise the same for one more write per message.
CREATE TABLE outrider_message (
    position     INTEGER PRIMARY KEY,
    topic_id     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    id           TEXT NOT NULL,
    tenant_id    TEXT,
    deliver_at   INTEGER,
    dedupe_key   TEXT,
    ordering_key TEXT,
    headers      TEXT,
    payload      TEXT NOT NULL
) STRICT;
-- The only index: readers follow the log by position and pass over the topics that are not theirs.
CREATE INDEX outrider_message_id ON outrider_message (id);

-- Which dedupe keys are taken, and by which message. digest is NULL for messages that came through
-- the view outrider_enqueue, because SQL here cannot hash; their payloads are compared instead.
CREATE TABLE outrider_dedupe (
    topic_id   INTEGER NOT NULL,
    tenant_id  TEXT NOT NULL,  -- '' for no tenant: NULLs would never be equal
    dedupe_key TEXT NOT NULL,
    id         TEXT NOT NULL,
    digest     BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, tenant_id, dedupe_key)
) STRICT, WITHOUT ROWID;

-- Durable readers and their settings. topics is a JSON array of "namespace/topic", "namespace/*"
-- or "*"; durations are milliseconds.
CREATE TABLE outrider_listener (
    listener_id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name             TEXT NOT NULL CONSTRAINT listener_name UNIQUE
                     CONSTRAINT listener_name_form CHECK (length(name) BETWEEN 1 AND 64 AND name NOT GLOB '*[^A-Za-z0-9._-]*'),
    topics           TEXT NOT NULL CONSTRAINT listener_topics_given CHECK (json_array_length(topics) > 0),
    ordering         TEXT NOT NULL DEFAULT 'none'
                     CONSTRAINT listener_ordering CHECK (ordering IN ('none', 'key', 'total')),
    key_lanes        INTEGER NOT NULL DEFAULT 1 CHECK (key_lanes BETWEEN 1 AND 256),
    max_attempts     INTEGER NOT NULL DEFAULT 5 CHECK (max_attempts >= 1),
    base_delay       INTEGER NOT NULL DEFAULT 1000,
    max_delay        INTEGER NOT NULL DEFAULT 300000,
    exponential      INTEGER NOT NULL DEFAULT 1,
    lease            INTEGER NOT NULL DEFAULT 30000,
    batch_size       INTEGER NOT NULL DEFAULT 500 CHECK (batch_size >= 1),
    concurrency      INTEGER NOT NULL DEFAULT 32 CHECK (concurrency >= 1),
    poll_interval    INTEGER NOT NULL DEFAULT 1000,
    max_error_length INTEGER NOT NULL DEFAULT 2000 CHECK (max_error_length >= 1),
    paused           INTEGER NOT NULL DEFAULT 0,
    start_position   INTEGER NOT NULL DEFAULT 0,
    epoch            INTEGER NOT NULL DEFAULT 1,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT;

-- The ledger. Sets of positions are JSON, [[first,last],...] with both ends inclusive. There is
-- always just one mark: with one writer every position is settled.
CREATE TABLE outrider_claim (
    listener_id  INTEGER NOT NULL REFERENCES outrider_listener ON DELETE CASCADE,
    lane         INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    epoch        INTEGER NOT NULL,
    open_from    INTEGER NOT NULL,
    settled      INTEGER NOT NULL,
    settled_new  INTEGER NOT NULL,
    waited_for   TEXT NOT NULL DEFAULT '[]',
    high         INTEGER NOT NULL,
    late         TEXT NOT NULL DEFAULT '[]',
    claimed      TEXT NOT NULL,
    done         TEXT NOT NULL DEFAULT '[]',
    -- The ends of claimed, so that a position finds its claim through an index.
    first        INTEGER NOT NULL AS (json_extract(claimed, '$[0][0]')) STORED,
    last         INTEGER NOT NULL AS (json_extract(claimed, '$[#-1][1]')) STORED,
    worker_id    TEXT NOT NULL,
    token        TEXT NOT NULL,
    claimed_at   INTEGER NOT NULL,
    locked_until INTEGER NOT NULL,
    completed_at INTEGER,
    PRIMARY KEY (listener_id, lane, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX outrider_claim_positions ON outrider_claim (listener_id, epoch, last, first);

-- Messages that left the fast path: delayed, failed, taken over, dead.
CREATE TABLE outrider_delivery (
    listener_id     INTEGER NOT NULL REFERENCES outrider_listener ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    id              TEXT NOT NULL,
    topic_id        INTEGER NOT NULL,
    state           TEXT NOT NULL
                    CONSTRAINT delivery_state CHECK (state IN ('pending', 'processing', 'delivered', 'dead')),
    attempts        INTEGER NOT NULL DEFAULT 0 CONSTRAINT delivery_attempts CHECK (attempts >= 0),
    redrives        INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,
    locked_by       TEXT,
    token           TEXT,
    locked_until    INTEGER,
    ordering_key    TEXT,
    last_error      TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    message         TEXT,
    PRIMARY KEY (listener_id, position),
    CONSTRAINT delivery_lease CHECK ((state = 'processing') = (token IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX outrider_delivery_due ON outrider_delivery (listener_id, next_attempt_at, position) WHERE state = 'pending';
CREATE INDEX outrider_delivery_leased ON outrider_delivery (listener_id, locked_until) WHERE state = 'processing';
CREATE INDEX outrider_delivery_dead ON outrider_delivery (listener_id, position) WHERE state = 'dead';
CREATE INDEX outrider_delivery_parked ON outrider_delivery (listener_id, ordering_key, position)
    WHERE state IN ('pending', 'processing') AND ordering_key IS NOT NULL;

-- Failed attempts, the newest few of each message.
CREATE TABLE outrider_attempt (
    listener_id INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    worker_id   TEXT NOT NULL,
    error       TEXT,
    PRIMARY KEY (listener_id, position, n),
    FOREIGN KEY (listener_id, position) REFERENCES outrider_delivery ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Running dispatchers.
CREATE TABLE outrider_worker (
    worker_id    TEXT PRIMARY KEY,
    host         TEXT NOT NULL,
    pid          INTEGER NOT NULL,
    version      TEXT NOT NULL,
    started_at   INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who did what through the command line or the admin API.
CREATE TABLE outrider_audit (
    audit_id INTEGER PRIMARY KEY AUTOINCREMENT,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    detail   TEXT NOT NULL DEFAULT '{}'
) STRICT;
