"""Enqueues through the view outrider_enqueue with Python's sqlite3, in the transaction of a change.

Usage: python3 enqueue.py FILE
"""

import json
import sqlite3
import sys

connection = sqlite3.connect(sys.argv[1], isolation_level=None)
insert = "INSERT INTO outrider_enqueue (namespace, topic, payload, dedupe_key) VALUES (?, ?, ?, ?)"

connection.execute("BEGIN IMMEDIATE")
connection.execute("INSERT INTO change VALUES (7)")
connection.execute(insert, ("shop", "order", json.dumps({"order": 7}), "order-7"))
connection.execute(insert, ("shop", "order", json.dumps({"order": 7}), "order-7"))
connection.execute("COMMIT")

connection.execute("BEGIN IMMEDIATE")
connection.execute(insert, ("shop", "order", "8", None))
connection.execute("ROLLBACK")

refused = []
connection.execute("BEGIN IMMEDIATE")
deep = "[" * 65 + "]" * 65
for bad in ("{", '{"a":1,"a":2}', '"\\u0000"', "[" * 100000, deep, '"' + "x" * 262143 + '"', None, b"1"):
    try:
        connection.execute(insert, ("shop", "order", bad, None))
        refused.append(f"accepted: {bad!r:.40}")
    except sqlite3.IntegrityError as error:
        if not str(error).startswith("outrider: cannot enqueue: "):
            refused.append(str(error))
for namespace in ("", "a b", "a/b", "x" * 129, None):
    try:
        connection.execute(insert, (namespace, "order", "1", None))
        refused.append(f"accepted: {namespace!r}")
    except sqlite3.IntegrityError:
        pass
connection.execute(insert, ("shop", "order", '"\\\\u0000 is only text"', None))
connection.execute("COMMIT")

ids = [row[0] for row in connection.execute("SELECT id FROM outrider_enqueue WHERE dedupe_key = 'order-7'")]
print(json.dumps({"ids": len(ids), "wrong": refused}))
