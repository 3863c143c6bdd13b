-- Remembers an applied migration, in its own transaction. $1 version, $2 name, $3 breaking.
INSERT INTO outrider.migration (line, version, name, breaking) VALUES ('outbox', $1::bigint, $2, $3);
