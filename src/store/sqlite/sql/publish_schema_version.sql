-- Nothing to do: who may open the file may read the table.
SELECT 1;
