-- The registry's number for a topic, or NULL, and the newest migration that builds which do not know it
-- must not write through, or NULL. Fails to prepare when there is no schema. ?1 namespace, ?2 topic.
SELECT (SELECT topic_id FROM outrider_topic WHERE namespace = ?1 AND name = ?2),
       (SELECT max(version) FROM outrider_migration WHERE line = 'outbox' AND breaking);
