-- The newest migration that builds which do not know it must not write through, or NULL. Fails to
-- prepare when there is no schema.
SELECT max(version) FROM outrider_migration WHERE line = 'outbox' AND breaking;
