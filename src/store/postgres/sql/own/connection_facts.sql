-- What a producer has to know of a connection before it writes: the schema's comment, which carries
-- its version (NULL when there is no schema), and whether this transaction can write. Reads only the
-- catalog, so it never fails and never aborts the caller's transaction.
SELECT pg_catalog.obj_description((SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = 'outrider'), 'pg_namespace'),
       pg_catalog.current_setting('transaction_read_only') = 'on';
