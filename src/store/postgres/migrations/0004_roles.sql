-- Three roles without login, to be granted to the accounts that do the work. Roles belong to the
-- whole cluster, so another database may have made them already.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['outrider_producer', 'outrider_reader', 'outrider_worker'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION 'cannot create role %: % may not create roles', wanted, current_user
                        USING ERRCODE = 'insufficient_privilege',
                              HINT = 'migrate as a role with CREATEROLE, or have an administrator create the roles '
                                     'outrider_producer, outrider_reader and outrider_worker first';
            END;
        END IF;
    END LOOP;
END
$$;

GRANT USAGE ON SCHEMA outrider TO outrider_producer, outrider_reader, outrider_worker;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA outrider FROM PUBLIC;

-- Producers enqueue and can do nothing else: they read nothing, and of the log they may insert just
-- the producer's columns, never a position, a transaction id or a time.
GRANT EXECUTE ON FUNCTION
    outrider.enqueue, outrider.enqueue_many, outrider.write_messages, outrider.unregistered,
    outrider.topic_id, outrider.idempotency_key TO outrider_producer;
GRANT INSERT (topic_id, id, tenant_id, deliver_at, dedupe_key, ordering_key, topic_name, headers, payload)
    ON outrider.message TO outrider_producer;

GRANT SELECT ON outrider.outbox_events, outrider.outbox_messages, outrider.outbox_listeners,
    outrider.outbox_dead_letters, outrider.stats TO outrider_reader;
GRANT EXECUTE ON FUNCTION outrider.topic_matches, outrider.as_json, outrider.topic_id, outrider.idempotency_key
    TO outrider_reader;

GRANT outrider_producer, outrider_reader TO outrider_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA outrider TO outrider_worker;
REVOKE INSERT, UPDATE, DELETE ON outrider.migration FROM outrider_worker;
REVOKE UPDATE, DELETE ON outrider.audit FROM outrider_worker;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA outrider TO outrider_worker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA outrider TO outrider_worker;
