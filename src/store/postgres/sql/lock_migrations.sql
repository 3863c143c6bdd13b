-- Lets one migrator in at a time; the others wait until it commits.
LOCK TABLE outrider.migration IN SHARE ROW EXCLUSIVE MODE;
