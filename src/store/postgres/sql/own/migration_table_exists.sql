-- Whether the table that remembers migrations is there. Needs no right on the schema.
SELECT EXISTS (SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
               WHERE n.nspname = 'outrider' AND c.relname = 'migration');
