-- Nothing to do: BEGIN IMMEDIATE has let this migrator in alone.
SELECT 1;
