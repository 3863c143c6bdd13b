-- The newest migration that was applied, 0 for none.
SELECT coalesce(max(version), 0) FROM outrider.migration WHERE line = 'outbox';
