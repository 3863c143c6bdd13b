-- Nothing to do: an enqueue registers its topic itself.
SELECT 1;
