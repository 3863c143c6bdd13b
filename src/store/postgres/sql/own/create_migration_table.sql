-- Makes the schema and the table that remembers migrations. Several may do it at once: the loser of
-- the race gets a unique violation from the catalog and tries again.
CREATE SCHEMA IF NOT EXISTS outrider;
CREATE TABLE IF NOT EXISTS outrider.migration (
    line       text NOT NULL,
    version    integer NOT NULL,
    name       text NOT NULL,
    breaking   boolean NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (line, version)
);
