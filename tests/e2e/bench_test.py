#!/usr/bin/env python3
"""bench_test.py BENCH: the benchmarks run, and report every contender of every contest with figures.

Says nothing about the figures themselves: a loaded machine must not fail it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ONE = ["bare INSERT, lean table", "bare INSERT, the log's columns", "C++ enqueue"]
MANY = [
    "bare INSERT ... unnest, lean table",
    "bare COPY, lean table",
    "bare INSERT ... unnest, the log's columns",
    "C++ enqueue of a span, as it comes",
    "C++ enqueue of a span, always unnest",
    "C++ enqueue of a span, always COPY",
    "outrider.enqueue_many",
]
EXPECTED = {
    "PostgreSQL, 1 message per transaction, prepared, 1 client": ONE + ["outrider.enqueue"],
    "PostgreSQL, 1 message per transaction, prepared, 8 clients": ONE + ["outrider.enqueue"],
    "PostgreSQL, 1 message per transaction, prepared, 1 client, synchronous_commit off": ONE
    + ["outrider.enqueue"],
    "PostgreSQL, 1 message per transaction, unnamed statements, 1 client": [ONE[0], ONE[2]],
    "PostgreSQL, 100 messages per transaction, 1 client": MANY,
    "PostgreSQL, 1000 messages per transaction, 1 client": MANY,
    "SQLite, 1 message per transaction": ONE,
    "SQLite, 100 messages per transaction": ONE,
}
ROW = re.compile(r"\| (?P<name>[^|]+) \| \d+ \| \d+\.\.\d+ \| \d+\.\d\d \| ")


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "benchmarks.md"
        run = subprocess.run(
            [sys.argv[1], "1", "0", str(page)], stdout=subprocess.PIPE, text=True, check=True
        )
        text = page.read_text(encoding="utf-8")
    assert run.stdout.rstrip("\n") == text.rstrip("\n"), "the page is not what was printed"
    found = {}
    for part in text.split("\n## ")[1:]:
        title, _, table = part.partition("\n")
        found[title] = [row["name"] for row in map(ROW.match, table.splitlines()) if row]
    assert found == EXPECTED, found


if __name__ == "__main__":
    main()
