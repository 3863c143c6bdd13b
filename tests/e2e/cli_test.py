"""Drives the real program as a person would, on SQLite. Usage: cli_test.py OUTRIDER PLACE_ORDER SOURCE_DIR"""

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

OUTRIDER, PLACE_ORDER, SOURCE = sys.argv[1:4]


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "app.db")

    def run_program(self, *words, stdin="", code=0, program=OUTRIDER, store=True, env=None):
        command = [program, *words] + (["--store", "sqlite:" + self.file] if store else [])
        clean = {k: v for k, v in os.environ.items() if not k.startswith("OUTRIDER_")}
        done = subprocess.run(command, input=os.fsencode(stdin), capture_output=True, cwd=self.folder.name,
                              env={**clean, **(env or {})}, timeout=60)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def migrated(self):
        self.run_program("migrate")


class Commands(Program):
    def test_migrate_is_repeatable_and_checked(self):
        self.assertIn("behind", self.run_program("migrate", "--check", code=1).stdout)
        self.assertIn("CREATE TABLE outrider_message", self.run_program("migrate", "--plan").stdout)
        self.assertIn("applied 4 migrations", self.run_program("migrate").stdout)
        self.assertIn("nothing to do", self.run_program("migrate").stdout)
        self.assertIn("up to date", self.run_program("migrate", "--check").stdout)

    def test_enqueue_list_and_show_tell_the_same_story(self):
        self.migrated()
        words = ("enqueue", "shop", "order:placed", '{"n": 1.50}', "--dedupe-key", "k", "--header", "a=b", "--delay", "5m",
                 "--tenant", "5d0f7c3e-9a60-4f0e-9a77-4a4f5c8b1d21", "--ordering-key", "o")
        first = json.loads(self.run_program(*words).stdout)
        again = json.loads(self.run_program(*words).stdout)
        self.assertTrue(first["inserted"])
        self.assertEqual(again, {"id": first["id"], "inserted": False})
        listed = json.loads(self.run_program("list", "--json").stdout)
        self.assertEqual([m["id"] for m in listed["messages"]], [first["id"]])
        self.assertIsNone(listed["after"])
        shown = self.run_program("show", first["id"], "--json").stdout
        self.assertIn('"payload":{"n": 1.50}', shown, "byte for byte")
        self.assertEqual(json.loads(shown)["headers"], {"a": "b"})
        self.assertIn("shop/order:placed", self.run_program("show", first["id"]).stdout)
        self.assertIn(first["id"], self.run_program("list").stdout)

    def test_payload_from_a_file_and_from_standard_input(self):
        self.migrated()
        with open(os.path.join(self.folder.name, "p.json"), "w") as file:
            file.write('{"from": "file"}')
        self.run_program("enqueue", "a", "b", "@p.json")
        self.run_program("enqueue", "a", "b", "-", stdin='{"from": "stdin"}')
        self.run_program("enqueue", "a", "b", "@missing.json", code=2)
        self.assertEqual(len(json.loads(self.run_program("list", "--json").stdout)["messages"]), 2)

    def test_batch_is_all_or_nothing_per_batch(self):
        self.migrated()
        lines = [json.dumps({"namespace": "a", "topic": "b", "payload": n, "dedupe_key": str(n % 4)}) for n in range(5)]
        answer = json.loads(self.run_program("enqueue", "--batch", stdin="\n".join(lines)).stdout)
        self.assertEqual(answer, {"enqueued": 5, "inserted": 4, "duplicates": 1})
        bad = "\n".join(['{"namespace":"a","topic":"b","payload":1}'] * 3 + ['{"namespace":"a","topik":"b","payload":1}'])
        error = self.run_program("enqueue", "--batch", "--batch-size", "2", stdin=bad, code=2).stderr
        self.assertIn("line 4", error)
        self.assertIn("topik", error)
        self.assertEqual(len(json.loads(self.run_program("list", "--json").stdout)["messages"]), 6)

    def test_pages_are_walked_by_after(self):
        self.migrated()
        lines = "\n".join(json.dumps({"namespace": "a", "topic": "b", "payload": n}) for n in range(25))
        self.run_program("enqueue", "--batch", stdin=lines)
        seen, after = [], None
        while True:
            page = json.loads(self.run_program("list", "--json", "--limit", "10", *(["--after", after] if after else [])).stdout)
            seen += [m["position"] for m in page["messages"]]
            after = page["after"]
            if not after:
                break
        self.assertEqual(seen, list(range(25, 0, -1)))

    def test_config_is_checked_and_printed(self):
        with open(os.path.join(self.folder.name, "outrider.toml"), "w") as file:
            file.write('[store]\nurl = "sqlite:x.db"\n[mesage]\ndepth_max = 3\n')
        error = self.run_program("config", "check", store=False, code=1).stderr
        self.assertRegex(error, r"outrider\.toml:\d+:\d+")
        with open(os.path.join(self.folder.name, "outrider.toml"), "w") as file:
            file.write('[store]\nurl = "postgres://u:secret@h/d"\n')
        printed = self.run_program("config", "print", store=False).stdout
        self.assertIn("outrider.toml:2", printed)
        self.assertNotIn("secret", printed)
        entries = json.loads(self.run_program("config", "print", "--json", store=False,
                                              env={"OUTRIDER_STORE": "sqlite:y.db"}).stdout)["settings"]
        self.assertIn({"key": "store.url", "value": "sqlite:y.db", "source": "OUTRIDER_STORE"}, entries)

    def test_version_and_help(self):
        self.assertRegex(self.run_program("--version", store=False).stdout, r"^outrider \d+\.\d+\.\d+\n$")
        self.assertIn("OUTRIDER_STORE", self.run_program("--help", store=False).stdout)
        for words in (["enqueue"], ["migrate"], ["list"], ["show"], ["config"]):
            shown = self.run_program(*words, "--help", store=False).stdout
            self.assertIn("--store URL", shown, "a command's help tells of the options that all have")
            self.assertEqual(shown.count("Start here"), 0)
            self.assertNotRegex(shown, r"Needs:|Excludes:|INT in \[", "no notes of the parser's own")
            self.assertNotIn("\n\n\n", shown)


class WrongUse(Program):
    def test_each_has_its_code_and_says_what_to_do(self):
        cases = [
            ([], 2, "There are migrate, enqueue"),
            (["enqeue"], 2, '"enqeue" is not a command; did you mean "outrider enqueue"'),
            (["frobnicate"], 2, "there are migrate, enqueue"),
            (["config"], 2, "There are check, print"),
            (["config", "chek"], 2, 'did you mean "outrider config check"'),
            (["list", "--nonsense"], 2, 'see "outrider list --help"'),
            (["list", "--limt", "3"], 2, 'did you mean "--limit"'),
            (["enqueue", "a"], 2, "PAYLOAD"),
            (["enqueue", "a", "b", "1", "2"], 2, '"2" is not expected here'),
            (["enqueue", "--batch", "a"], 2, 'takes no "a"'),
            (["list"], 1, "outrider migrate --store sqlite:"),
            (["enqueue", "a", "b", "1"], 1, "outrider migrate --store sqlite:"),
            (["show", "not-an-id"], 2, "UUID"),
        ]
        for words, code, text in cases:
            with self.subTest(words):
                self.assertIn(text, self.run_program(*words, code=code).stderr)

    def test_looking_at_a_file_that_is_not_there_does_not_make_it(self):
        self.run_program("list", code=1)
        self.run_program("show", "01890a5d-ac96-774b-bcce-b302099a8057", code=1)
        self.run_program("enqueue", "a", "b", "1", code=1)
        self.run_program("migrate", "--check", code=1)
        self.run_program("migrate", "--plan")
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_database_without_the_schema_is_told_to_be_migrated(self):
        sqlite3.connect(self.file).execute("CREATE TABLE mine (a)")
        for words in (["list"], ["enqueue", "a", "b", "1"]):
            error = self.run_program(*words, code=1).stderr
            self.assertIn("schema", error)
            self.assertIn('run "outrider migrate"', error)

    def test_a_store_that_cannot_be_opened_says_why(self):
        for url, reason in [("sqlite:nowhere/x.db", "No such file or directory"),
                            ("host=/nowhere dbname=x", "cannot connect to PostgreSQL")]:
            error = self.run_program("migrate", "--store", url, store=False, code=1).stderr
            self.assertIn(reason, error)
            self.assertNotIn("repeating a commit", error, "nothing was committed")

    def test_an_option_takes_only_its_own_word(self):
        self.migrated()
        answer = json.loads(self.run_program("enqueue", "--header", "a=b", "--header", "c=d", "shop", "t", "1").stdout)
        shown = json.loads(self.run_program("show", answer["id"], "--json").stdout)
        self.assertEqual(shown["headers"], {"a": "b", "c": "d"})
        self.assertEqual((shown["namespace"], shown["topic"]), ("shop", "t"))

    # Bytes that are not UTF-8 are written as Python's own surrogates, "\udcff" for 0xff.
    BAD_PAYLOADS = [
        ("{", "expected a member name"),
        ('{"a":1,}', "expected a member name"),
        ("1 2", "after the value"),
        ('"\\u0000"', "U+0000"),
        ('"\\ud800"', "surrogate"),
        ('{"a":1,"a":2}', "duplicate member name"),
        ('"\udcff"', "UTF-8"),
        ("[" * 65 + "]" * 65, "nesting is too deep"),
    ]
    # Too long for an argument of the operating system, or impossible in one.
    BAD_LONG_PAYLOADS = [
        ("[" * 1000000, "262144"),
        ('{"a":' * 200000, "262144"),
        ("[" * 262144, "nesting is too deep"),
        ('"' + "x" * 262143 + '"', "262144"),
        ('"\0"', "U+0000"),
    ]
    LARGEST = '"' + "x" * 262142 + '"'

    def refuse(self, *words, says, stdin=""):
        with self.subTest(words=[word[:40] for word in words], stdin=stdin[:80]):
            error = self.run_program("enqueue", *words, stdin=stdin, code=2).stderr
            self.assertIn("cannot", error)
            self.assertIn(says, error)
            self.assertLess(len(error), 1000, "says what is wrong without repeating the input")

    def refuse_payload(self, payload, says):
        path = os.path.join(self.folder.name, "payload.json")
        with open(path, "wb") as file:
            file.write(os.fsencode(payload))
        self.refuse("a", "t", "@payload.json", says=says)
        self.refuse("a", "t", "-", says=says, stdin=payload)

    def test_bad_payloads_are_refused_and_nothing_is_written(self):
        self.migrated()
        for payload, says in self.BAD_PAYLOADS:
            self.refuse("a", "t", payload, says=says)
            self.refuse_payload(payload, says)
        for payload, says in self.BAD_LONG_PAYLOADS:
            self.refuse_payload(payload, says)
        self.refuse("a", "t", "[" * 100000, says="nesting is too deep")
        self.assertIn("no messages", self.run_program("list").stdout)

    def test_bad_lines_are_refused_with_their_number_and_nothing_is_written(self):
        self.migrated()
        good = '{"namespace":"a","topic":"b","payload":1}\n'
        for payload, _ in self.BAD_PAYLOADS + self.BAD_LONG_PAYLOADS:
            self.refuse("--batch", says="line 2", stdin=good + '{"namespace":"a","topic":"b","payload":%s}' % payload)
        for line in ("x", "[]", "1", "{}", '{"namespace":"a","topic":"b"}', '{"namespace":"a b","topic":"b","payload":1}',
                     '{"namespace":7,"topic":"b","payload":1}', '{"namespace":"a","topic":"b","payload":1,"tenant":"x"}',
                     '{"namespace":"a","topic":"b","payload":1,"headers":{"a":1e99999}}', "[" * 1000000, '{"a":' * 1000000):
            self.refuse("--batch", says="line 2", stdin=good + line)
        self.assertIn("no messages", self.run_program("list").stdout)

    def test_bad_names_and_options_are_refused_and_nothing_is_written(self):
        self.migrated()
        for name in ("a b", "a/b", "a\n", "gr\u00fcn", "\udcff", "x" * 129):
            self.refuse(name, "t", "1", says="namespace must be")
            self.refuse("a", name, "1", says="topic must be")
        for option, value, says in (
            ("--tenant", "x", "UUID"),
            ("--delay", "soon", "duration"),
            ("--delay", "36525d", "deliver_after"),
            ("--header", "x", "NAME=VALUE"),
            ("--header", "A=x", "headers"),
            ("--header", "a=x\ny", "control character"),
            ("--dedupe-key", "a\nb", "control character"),
            ("--dedupe-key", "\udcff", "UTF-8"),
            ("--ordering-key", "k" * 513, "513 bytes"),
        ):
            self.refuse("a", "t", "1", option, value, says=says)
        self.assertIn("no messages", self.run_program("list").stdout)
        self.run_program("show", "01890a5d-ac96-774b-bcce-b302099a8057", code=3)

    def test_the_largest_payload_is_taken_every_way(self):
        self.migrated()
        with open(os.path.join(self.folder.name, "payload.json"), "w") as file:
            file.write(self.LARGEST)
        self.run_program("enqueue", "a", "t", "@payload.json")
        self.run_program("enqueue", "a", "t", "-", stdin=self.LARGEST)
        self.run_program("enqueue", "--batch", stdin='{"namespace":"a","topic":"t","payload":%s}' % self.LARGEST)
        # A number that no machine type holds is JSON all the same.
        self.run_program("enqueue", "--batch", stdin='{"namespace":"a","topic":"t","p\\u0061yload":1e99999999999}')
        messages = json.loads(self.run_program("list", "--json").stdout)["messages"]
        self.assertEqual([m["payload_bytes"] for m in messages], [13, 262144, 262144, 262144])

    def test_a_store_that_does_not_fit_is_refused_with_what_to_do(self):
        line = '{"namespace":"a","topic":"b","payload":1}'
        for words in (["a", "b", "1"], ["--batch"]):
            error = self.run_program("enqueue", *words, stdin=line, code=1).stderr
            self.assertIn("outrider migrate", error)
        self.migrated()
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            connection.execute("INSERT INTO outrider_migration VALUES ('outbox', 9999, 'from_the_future', 1, 0)")
            connection.commit()
        for words in (["enqueue", "a", "b", "1"], ["enqueue", "--batch"], ["migrate"]):
            self.assertIn("upgrade outrider", self.run_program(*words, stdin=line, code=1).stderr)
        with open(self.file, "wb") as file:
            file.write(b"this is not a database, whatever its name says")
        for words in (["enqueue", "a", "b", "1"], ["migrate"], ["list"]):
            self.assertIn("outrider: cannot", self.run_program(*words, code=1).stderr)

    def test_an_unknown_setting_is_named_with_its_place_and_the_nearest(self):
        with open(os.path.join(self.folder.name, "outrider.toml"), "w") as file:
            file.write("[message]\npayload_byte_max = 5\n")
        for words in (["enqueue", "a", "b", "1"], ["migrate"], ["list"]):
            error = self.run_program(*words, code=2).stderr
            self.assertIn("outrider.toml:2:1", error)
            self.assertIn('did you mean "message.payload_bytes_max"', error)
        self.assertFalse(os.path.exists(self.file), "nothing is opened with a configuration that is wrong")

    def test_a_strange_store_is_named_with_the_forms_there_are(self):
        error = self.run_program("list", "--store", "mysql:x", store=False, code=2).stderr
        self.assertIn("sqlite:PATH", error)


class Readme(Program):
    def test_its_example_is_the_example_file(self):
        with open(os.path.join(SOURCE, "README.md")) as readme, open(os.path.join(SOURCE, "examples/place_order.cpp")) as code:
            text = code.read()
            self.assertIn("```cpp\n" + text + "```", readme.read())
            self.assertLess(len(text.splitlines()), 40)

    def test_its_example_runs(self):
        self.migrated()
        self.assertIn("enqueued", self.run_program(self.file, program=PLACE_ORDER, store=False).stdout)
        self.assertIn("was enqueued before", self.run_program(self.file, program=PLACE_ORDER, store=False).stdout)

    def test_its_commands_run(self):
        with open(os.path.join(SOURCE, "README.md")) as readme:
            commands = re.findall(r"^build/outrider .*$", readme.read(), re.MULTILINE)
        self.assertGreaterEqual(len(commands), 3)
        for command in commands:
            done = subprocess.run(command.replace("build/outrider", OUTRIDER, 1), shell=True, cwd=self.folder.name,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, command + done.stderr)

    def test_its_sql_for_sqlite_runs(self):
        self.migrated()
        with open(os.path.join(SOURCE, "README.md")) as readme:
            statements = re.findall(r"^```sql\n(INSERT INTO outrider_enqueue .*?)```", readme.read(), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(statements), 1)
        with sqlite3.connect(self.file) as connection:
            connection.execute(statements[0])
        self.assertIn("shop/order:placed", self.run_program("list").stdout)

    def test_make_run_shows_what_it_promises(self):
        shown = self.run_program(OUTRIDER, os.path.join(self.folder.name, "run"), store=False,
                                 program=os.path.join(SOURCE, "scripts/demonstration")).stdout
        self.assertEqual(shown.count('"inserted":true'), 4)
        self.assertEqual(shown.count('"inserted":false'), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
