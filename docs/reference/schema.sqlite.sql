-- The schema after all migrations. Made by "make schema"; do not edit.

CREATE TABLE outrider_migration (
    line       TEXT NOT NULL,
    version    INTEGER NOT NULL,
    name       TEXT NOT NULL,
    breaking   INTEGER NOT NULL,
    applied_at INTEGER NOT NULL,
    PRIMARY KEY (line, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE outrider_topic (
    topic_id   INTEGER PRIMARY KEY,
    namespace  TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CONSTRAINT topic_name UNIQUE (namespace, name)
) STRICT;

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

CREATE INDEX outrider_message_id ON outrider_message (id);

CREATE TABLE outrider_dedupe (
    topic_id   INTEGER NOT NULL,
    tenant_id  TEXT NOT NULL,  -- '' for no tenant: NULLs would never be equal
    dedupe_key TEXT NOT NULL,
    id         TEXT NOT NULL,
    digest     BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, tenant_id, dedupe_key)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE outrider_worker (
    worker_id    TEXT PRIMARY KEY,
    host         TEXT NOT NULL,
    pid          INTEGER NOT NULL,
    version      TEXT NOT NULL,
    started_at   INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outrider_audit (
    audit_id INTEGER PRIMARY KEY AUTOINCREMENT,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    detail   TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE VIEW outrider_enqueue AS
SELECT t.namespace, t.name AS topic, m.payload, m.dedupe_key, m.tenant_id, m.ordering_key, m.headers,
       CAST(NULL AS INTEGER) AS deliver_after, m.id
FROM outrider_message AS m JOIN outrider_topic AS t USING (topic_id);

CREATE TRIGGER outrider_enqueue_insert INSTEAD OF INSERT ON outrider_enqueue
BEGIN
    SELECT CASE
        WHEN 'blob' IN (typeof(NEW.namespace), typeof(NEW.topic), typeof(NEW.payload), typeof(NEW.dedupe_key), typeof(NEW.tenant_id),
                        typeof(NEW.ordering_key), typeof(NEW.headers), typeof(NEW.id))
            THEN RAISE(ABORT, 'outrider: cannot enqueue: every column takes text, not a blob')
        WHEN instr(NEW.payload || coalesce(NEW.namespace || NEW.topic, '') || coalesce(NEW.dedupe_key, '') || coalesce(NEW.ordering_key, '')
                   || coalesce(NEW.headers, '') || coalesce(NEW.tenant_id, '') || coalesce(NEW.id, ''), char(0)) > 0
            THEN RAISE(ABORT, 'outrider: cannot enqueue: a column contains U+0000')
        WHEN NEW.namespace IS NULL OR length(NEW.namespace) NOT BETWEEN 1 AND 128 OR NEW.namespace GLOB '*[^A-Za-z0-9._:-]*'
            THEN RAISE(ABORT, 'outrider: cannot enqueue: namespace must be 1 to 128 characters of A-Z a-z 0-9 . _ : -')
        WHEN NEW.topic IS NULL OR length(NEW.topic) NOT BETWEEN 1 AND 128 OR NEW.topic GLOB '*[^A-Za-z0-9._:-]*'
            THEN RAISE(ABORT, 'outrider: cannot enqueue: topic must be 1 to 128 characters of A-Z a-z 0-9 . _ : -')
        WHEN length(CAST(NEW.payload AS BLOB)) > 262144
            THEN RAISE(ABORT, 'outrider: cannot enqueue: payload is larger than 262144 bytes')
        WHEN NEW.payload IS NULL OR typeof(NEW.payload) <> 'text' OR NOT json_valid(NEW.payload)
            THEN RAISE(ABORT, 'outrider: cannot enqueue: payload must be JSON text')
        WHEN NEW.dedupe_key = '' OR length(CAST(NEW.dedupe_key AS BLOB)) > 512
             OR NEW.dedupe_key GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
            THEN RAISE(ABORT, 'outrider: cannot enqueue: dedupe_key must be 1 to 512 bytes without control characters')
        WHEN NEW.ordering_key = '' OR length(CAST(NEW.ordering_key AS BLOB)) > 512
             OR NEW.ordering_key GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
            THEN RAISE(ABORT, 'outrider: cannot enqueue: ordering_key must be 1 to 512 bytes without control characters')
        WHEN NEW.deliver_after NOT BETWEEN 0 AND 31622400000 OR (NEW.deliver_after IS NOT NULL AND typeof(NEW.deliver_after) <> 'integer')
            THEN RAISE(ABORT, 'outrider: cannot enqueue: deliver_after must be a number of milliseconds from 0 to 31622400000')
        WHEN NEW.tenant_id IS NOT NULL AND lower(NEW.tenant_id) NOT GLOB replace('HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH', 'H', '[0-9a-f]')
            THEN RAISE(ABORT, 'outrider: cannot enqueue: tenant_id must be a UUID')
        WHEN NEW.id IS NOT NULL AND lower(NEW.id) NOT GLOB replace('HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH', 'H', '[0-9a-f]')
            THEN RAISE(ABORT, 'outrider: cannot enqueue: id must be a UUID')
        WHEN NEW.headers IS NOT NULL AND (NOT json_valid(NEW.headers) OR json_type(NEW.headers) <> 'object'
             OR length(CAST(NEW.headers AS BLOB)) > 16384)
            THEN RAISE(ABORT, 'outrider: cannot enqueue: headers must be a JSON object of at most 16384 bytes')
    END;
    SELECT RAISE(ABORT, 'outrider: cannot enqueue: headers must have lower-case token names and string values without control characters')
    WHERE NEW.headers IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each(NEW.headers) AS h
                  WHERE h.key = '' OR h.key GLOB '*[^a-z0-9!#$%&''*+.^_`|~-]*' OR h.type <> 'text'
                     OR h.value GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*');
    SELECT RAISE(ABORT, 'outrider: cannot enqueue: payload or headers have an object with a duplicate member name')
    WHERE EXISTS (SELECT 1 FROM json_tree(NEW.payload) AS j WHERE typeof(j.key) = 'text' GROUP BY j.parent, j.key HAVING count(*) > 1)
       OR NEW.headers IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(NEW.headers) AS h GROUP BY h.key HAVING count(*) > 1);
    -- With escaped backslashes out of the way, what looks like an escape is one. Surrogates are in
    -- order if behind each high one comes a low one, and there are as many of these as of those.
    SELECT RAISE(ABORT, 'outrider: cannot enqueue: payload or headers contain U+0000 or a lone surrogate')
    WHERE instr(NEW.payload || coalesce(NEW.headers, ''), '\u') > 0
      AND EXISTS (WITH given (text) AS MATERIALIZED (SELECT lower(replace(NEW.payload || coalesce(NEW.headers, ''), '\\', '  ')))
                  SELECT 1 FROM given
                  WHERE instr(text, '\u0000') > 0
                     OR text GLOB '*\ud[89ab]??[^\]*' OR text GLOB '*\ud[89ab]??\[^u]*'
                     OR text GLOB '*\ud[89ab]??\u[^d]*' OR text GLOB '*\ud[89ab]??\ud[^c-f]*'
                     OR length(replace(replace(replace(replace(text, '\ud8', ''), '\ud9', ''), '\uda', ''), '\udb', ''))
                        <> length(replace(replace(replace(replace(text, '\udc', ''), '\udd', ''), '\ude', ''), '\udf', '')));
    -- Valid UTF-8 is what stays the same when each character is decoded and encoded again. That is a
    -- row per character, so only texts outside ASCII take this walk. SQLite decodes U+FFFE and U+FFFF
    -- as U+FFFD, though they are characters.
    SELECT RAISE(ABORT, 'outrider: cannot enqueue: payload, headers or a key is not valid UTF-8')
    WHERE NEW.payload || coalesce(NEW.headers, '') || coalesce(NEW.dedupe_key, '') || coalesce(NEW.ordering_key, '')
          GLOB '*[^' || char(1) || '-' || char(127) || ']*'
      AND EXISTS (
          SELECT 1 FROM (SELECT NEW.payload AS text UNION ALL SELECT NEW.headers
                         UNION ALL SELECT NEW.dedupe_key UNION ALL SELECT NEW.ordering_key) AS given
          WHERE EXISTS (
              WITH RECURSIVE walk (at, found) AS (
                  SELECT 1, char(unicode(given.text))
                  UNION ALL
                  SELECT at + length(CAST(found AS BLOB)),
                         char(unicode(CAST(substr(CAST(given.text AS BLOB), at + length(CAST(found AS BLOB)), 4) AS TEXT)))
                  FROM walk WHERE at + length(CAST(found AS BLOB)) <= length(CAST(given.text AS BLOB)))
              SELECT 1 FROM walk
              WHERE CAST(found AS BLOB) <> substr(CAST(given.text AS BLOB), at, length(CAST(found AS BLOB)))
                AND substr(CAST(given.text AS BLOB), at, 3) NOT IN (X'EFBFBE', X'EFBFBF')));
    -- The walk over the nesting is dear, so only texts with enough brackets take it.
    SELECT RAISE(ABORT, 'outrider: cannot enqueue: payload is nested deeper than 64 levels')
    WHERE length(NEW.payload) - length(replace(replace(NEW.payload, '[', ''), '{', '')) > 64
      AND EXISTS (WITH RECURSIVE walk (value, depth) AS (
                      SELECT NEW.payload, 1
                      UNION ALL
                      SELECT j.value, walk.depth + 1 FROM walk, json_each(walk.value) AS j
                      WHERE j.type IN ('object', 'array') AND walk.depth <= 64)
                  SELECT 1 FROM walk WHERE depth > 64);

    INSERT OR IGNORE INTO outrider_topic (namespace, name, created_at)
    VALUES (NEW.namespace, NEW.topic, CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER));

    -- Leaves the message out when its dedupe key is taken. The id is a UUIDv7, unless given.
    INSERT INTO outrider_message
        (topic_id, created_at, id, tenant_id, deliver_at, dedupe_key, ordering_key, headers, payload)
    SELECT t.topic_id, n.now,
           coalesce(lower(NEW.id),
                    substr(n.ms, 1, 8) || '-' || substr(n.ms, 9, 4) || '-7' || substr(n.random, 1, 3) || '-'
                    || substr('89ab', 1 + (abs(random()) % 4), 1) || substr(n.random, 4, 3) || '-' || substr(n.random, 7, 12)),
           lower(NEW.tenant_id), n.now + 1000 * nullif(NEW.deliver_after, 0), NEW.dedupe_key, NEW.ordering_key, NEW.headers, NEW.payload
    FROM outrider_topic AS t,
         (SELECT CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER) AS now,
                 printf('%012x', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) AS ms,
                 lower(hex(randomblob(9))) AS random) AS n
    WHERE t.namespace = NEW.namespace AND t.name = NEW.topic
      AND (NEW.dedupe_key IS NULL
           OR NOT EXISTS (SELECT 1 FROM outrider_dedupe AS d
                          WHERE d.topic_id = t.topic_id AND d.tenant_id = coalesce(lower(NEW.tenant_id), '')
                            AND d.dedupe_key = NEW.dedupe_key));

    -- The message just written is the newest one; a key that was taken already changes nothing here.
    INSERT OR IGNORE INTO outrider_dedupe (topic_id, tenant_id, dedupe_key, id, created_at)
    SELECT m.topic_id, coalesce(m.tenant_id, ''), m.dedupe_key, m.id, m.created_at
    FROM outrider_message AS m
    WHERE NEW.dedupe_key IS NOT NULL AND m.position = (SELECT max(position) FROM outrider_message)
      AND m.dedupe_key = NEW.dedupe_key AND coalesce(m.tenant_id, '') = coalesce(lower(NEW.tenant_id), '');
END;

CREATE VIEW outrider_named_message AS
SELECT m.position, m.id, m.topic_id, t.namespace, t.name AS topic, m.tenant_id, m.dedupe_key, m.ordering_key,
       m.headers, m.payload, m.created_at, m.deliver_at
FROM outrider_message AS m JOIN outrider_topic AS t USING (topic_id);

CREATE VIEW outrider_claimed_message AS
SELECT l.listener_id, m.position, max(c.seq) AS seq, c.worker_id, c.claimed_at, c.locked_until, c.completed_at,
       EXISTS (SELECT 1 FROM json_each(c.done) AS i
               WHERE m.position BETWEEN json_extract(i.value, '$[0]') AND json_extract(i.value, '$[1]')) AS done
FROM outrider_message AS m
JOIN outrider_claim AS c ON c.first <= m.position AND c.last >= m.position
JOIN outrider_listener AS l ON l.listener_id = c.listener_id AND l.epoch = c.epoch
WHERE EXISTS (SELECT 1 FROM json_each(c.claimed) AS i
              WHERE m.position BETWEEN json_extract(i.value, '$[0]') AND json_extract(i.value, '$[1]'))
GROUP BY l.listener_id, m.position;

CREATE VIEW outrider_message_status AS
SELECT l.listener_id, l.name AS listener, m.position, m.id, m.namespace, m.topic, m.tenant_id, m.dedupe_key,
       m.ordering_key, m.headers, m.payload, m.created_at, m.deliver_at,
       CASE WHEN d.state IS NOT NULL THEN d.state
            WHEN c.completed_at IS NOT NULL OR c.done THEN 'delivered'
            WHEN c.seq IS NOT NULL THEN 'processing'
            WHEN m.position <= l.start_position THEN 'skipped'
            ELSE 'pending' END AS status,
       coalesce(d.attempts, CASE WHEN c.seq IS NULL THEN 0 ELSE 1 END) AS attempts,
       coalesce(d.next_attempt_at, m.deliver_at, m.created_at) AS next_attempt_at,
       CASE WHEN d.position IS NOT NULL THEN d.locked_by
            WHEN c.completed_at IS NULL AND NOT c.done THEN c.worker_id END AS locked_by,
       CASE WHEN d.position IS NOT NULL THEN d.locked_until
            WHEN c.completed_at IS NULL AND NOT c.done THEN c.locked_until END AS locked_until,
       d.last_error,
       CASE WHEN d.state = 'delivered' THEN d.updated_at WHEN d.position IS NULL THEN c.completed_at END AS delivered_at,
       max(m.created_at, coalesce(d.updated_at, 0), coalesce(c.claimed_at, 0), coalesce(c.completed_at, 0)) AS updated_at
FROM outrider_named_message AS m
JOIN outrider_listener AS l
  ON EXISTS (SELECT 1 FROM json_each(l.topics) AS p
             WHERE p.value IN ('*', m.namespace || '/*', m.namespace || '/' || m.topic))
LEFT JOIN outrider_delivery AS d ON d.listener_id = l.listener_id AND d.position = m.position
LEFT JOIN outrider_claimed_message AS c ON c.listener_id = l.listener_id AND c.position = m.position;
