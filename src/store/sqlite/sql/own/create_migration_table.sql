-- Makes the table that remembers migrations.
CREATE TABLE IF NOT EXISTS outrider_migration (
    line       TEXT NOT NULL,
    version    INTEGER NOT NULL,
    name       TEXT NOT NULL,
    breaking   INTEGER NOT NULL,
    applied_at INTEGER NOT NULL,
    PRIMARY KEY (line, version)
) STRICT, WITHOUT ROWID;
