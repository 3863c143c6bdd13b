-- Enters topics into the registry that only messages know so far. After that their messages no
-- longer carry the name.
INSERT INTO outrider.topic (topic_id, namespace, name)
SELECT DISTINCT m.topic_id, split_part(m.topic_name, '/', 1), split_part(m.topic_name, '/', 2)
FROM outrider.message AS m
WHERE m.topic_name IS NOT NULL AND NOT EXISTS (SELECT FROM outrider.topic AS t WHERE t.topic_id = m.topic_id)
ON CONFLICT DO NOTHING;
