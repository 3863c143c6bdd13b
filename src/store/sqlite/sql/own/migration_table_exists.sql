-- Whether the table that remembers migrations is there.
SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'outrider_migration');
