-- The registry's number for a topic. ?1 namespace, ?2 topic.
SELECT topic_id FROM outrider_topic WHERE namespace = ?1 AND name = ?2;
