-- Remembers an applied migration, in its own transaction. ?1 version, ?2 name, ?3 breaking.
INSERT INTO outrider_migration (line, version, name, breaking, applied_at)
VALUES ('outbox', ?1, ?2, ?3, CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER));
