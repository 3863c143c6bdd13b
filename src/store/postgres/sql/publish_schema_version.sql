-- Writes the schema's version where producers, who may read no table, can see it.
SELECT outrider.publish_version()::text;
