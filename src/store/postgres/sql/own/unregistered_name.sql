-- The topic's name if the registry does not know it yet, else NULL. $1 topic_id, $2 name.
SELECT outrider.unregistered($1, $2);
