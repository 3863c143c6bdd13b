-- The server's clock, for rows that go through COPY.
SELECT pg_catalog.clock_timestamp();
