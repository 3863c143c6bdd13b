-- For each topic ($1 ids, $2 names) its name if the registry does not know it yet, else NULL, with
-- the server's time; in order.
SELECT outrider.unregistered(t.id, t.name), pg_catalog.clock_timestamp()
FROM pg_catalog.unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS t (id, name, n)
ORDER BY t.n;
