-- Registers a topic: with one writer nobody waits for it. ?1 namespace, ?2 topic, ?3 now.
INSERT INTO outrider_topic (namespace, name, created_at) VALUES (?1, ?2, ?3) RETURNING topic_id;
