"""Holds the tree to the rules of the house, and each rule to its purpose: planted in a small tree, what
the rule forbids is found. Usage: house_test.py SOURCE_DIR COMPILE_COMMANDS"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import house_rules as rules

SOURCE, COMPILE_COMMANDS = sys.argv[1:3]


def project():
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=SOURCE, capture_output=True, text=True, check=True).stdout
    return rules.Tree(SOURCE, [name for name in listed.split("\0") if name and Path(SOURCE, name).is_file()])


class TheTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = project()
        cls.commands = rules.read_compile_commands(COMPILE_COMMANDS)

    def holds(self, problems):
        self.assertEqual([], problems, "\n" + "\n".join(problems))

    def test_has_files(self):
        self.assertGreater(len(self.tree.under(["src"], ".cpp")), 20)

    def test_includes_only_go_down(self):
        self.holds(rules.layers(self.tree))

    def test_has_virtual_functions_in_few_places(self):
        self.holds(rules.interfaces(self.tree))

    def test_keeps_files_and_lines_short(self):
        self.holds(rules.limits(self.tree))

    def test_has_names_that_say_something(self):
        self.holds(rules.names(self.tree))

    def test_keeps_sql_in_files(self):
        self.holds(rules.sql_in_code(self.tree))

    def test_explains_every_error_code(self):
        self.holds(rules.error_codes(self.tree))

    def test_compiles_every_source(self):
        self.holds(rules.compiled(self.tree, self.commands))

    def test_compiles_every_header_alone(self):
        self.holds(rules.self_contained(self.tree, self.commands))

    def test_has_no_forbidden_words(self):
        self.holds(rules.forbidden_words(self.tree))

    def test_has_no_dead_links(self):
        self.holds(rules.links(self.tree))


class ARule(unittest.TestCase):
    def planted(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return rules.Tree(folder.name, files)

    def finds(self, rule, name, text, *more):
        problems = rule(self.planted({name: text}), *more)
        self.assertEqual(len(problems), 1, f"{text!r}: {problems}")
        self.assertIn(name, problems[0])

    def allows(self, rule, name, text, *more):
        self.assertEqual([], rule(self.planted({name: text}), *more), text)

    def test_of_layers_sees_an_arrow_that_goes_up(self):
        for name, path in [
            ("src/core/a.cpp", '"store/session.hpp"'),
            ("src/store/a.cpp", '"store/sqlite/session.hpp"'),
            ("src/store/postgres/a.cpp", '"store/sqlite/session.hpp"'),
            ("src/config/a.hpp", '"store/value.hpp"'),
            ("src/store/a.hpp", "<sqlite3.h>"),
            ("src/core/a.cpp", '"nowhere/a.hpp"'),
            ("src/attic/a.cpp", '"core/text.hpp"'),
            ("include/outrider/a.hpp", '"core/text.hpp"'),
            ("include/outrider/a.hpp", "<libpq-fe.h>"),
        ]:
            with self.subTest(name + path):
                self.finds(rules.layers, name, f"#include {path}\n")
        self.allows(rules.layers, "src/store/sqlite/a.cpp", '#include <sqlite3.h>\n#include "store/rows.hpp"\n')

    def test_of_interfaces_sees_virtual_but_not_in_comments(self):
        self.finds(rules.interfaces, "src/core/a.hpp", "class A { virtual void f() = 0; };")
        self.allows(rules.interfaces, "src/core/a.hpp", '// virtual\nconst char* a = "virtual";')
        self.allows(rules.interfaces, "src/store/session.hpp", "class Session { virtual void f() = 0; };")

    def test_of_limits_sees_long_files_and_lines(self):
        for name, lines in [("src/a.hpp", 250), ("src/a.cpp", 500), ("tests/a.cpp", 700), ("src/a.sql", 500)]:
            self.finds(rules.limits, name, "\n" * (lines + 1))
            self.allows(rules.limits, name, "\n" * lines)
        self.finds(rules.limits, "src/a.cpp", "x" * 101)
        self.finds(rules.limits, "src/a.sql", "x" * 141)
        self.allows(rules.limits, "src/a.sql", "x" * 140)

    def test_of_names_sees_files_and_types(self):
        for name in ("src/core/text_utils.cpp", "src/core/helper.hpp", "src/common/a.cpp"):
            self.finds(rules.names, name, "")
        for code in ("class ClaimManager {", "struct RowData {", "using Info =", "struct Job {", "class BaseSink : A"):
            self.finds(rules.names, "src/core/a.hpp", code + "\n1")
        self.allows(rules.names, "src/core/database.hpp", "struct Database { int data; };\nclass Info;\n")

    def test_of_sql_sees_statements_however_written(self):
        for text in ('"SELECT 1"', '"INSERT " "INTO t "\n"VALUES (1)"', 'R"sql(\nDELETE FROM t)sql"',
                     '"UPDATE message SET a = 1"', '"WITH due AS (SELECT 1)"', '"CREATE TABLE t (a)"',
                     '"\\n  COPY t FROM STDIN"', "20'000; \"SELECT id FROM t\""):
            self.finds(rules.sql_in_code, "src/store/a.cpp", f"const auto a = {text};")
        for text in ('"BEGIN IMMEDIATE"', '"PRAGMA busy_timeout"', '"ROLLBACK TO a; RELEASE a"',
                     '"Create or upgrade the schema"', '"select a store"', "1; // SELECT 1\n"):
            self.allows(rules.sql_in_code, "src/store/a.cpp", f"const auto a = {text};")

    def test_of_error_codes_compares_both_ways(self):
        header = "enum class Errc {\n  busy,  // locked\n  internal,\n};"
        busy = "| `busy` | The database is locked. | Repeat the whole transaction. |\n"
        internal = "| `internal` | A bug in it. | Report it with the text. |\n"
        for page, problems in [(busy + internal, 0), (busy, 1), (busy + internal + busy.replace("busy", "lazy"), 1),
                               (busy + "| `internal` | A bug in it. | |\n", 1), (internal + busy, 1)]:
            tree = self.planted({"include/outrider/error.hpp": header, "docs/reference/errors.md": page})
            self.assertEqual(len(rules.error_codes(tree)), problems, page)

    def test_of_compiling_sees_a_forgotten_file(self):
        self.finds(rules.compiled, "src/core/a.cpp", "", [])
        self.finds(rules.self_contained, "src/core/a.hpp", "", [])
        tree = self.planted({"fuzz/CMakeLists.txt": "file(GLOB sources fuzz_*.cpp)", "fuzz/a.cpp": "", "fuzz/fuzz_b.cpp": ""})
        self.assertEqual(len(rules.compiled(tree, [])), 1)
        built = [{"directory": str(tree.root), "file": "src/a.cpp"}]
        self.assertEqual([], rules.compiled(rules.Tree(tree.root, ["src/a.cpp"]), built))

    def test_of_words_sees_what_does_not_belong(self):
        for text in ("see /" + "work/x", "/" + "root/.cache", "// TODO", "// TODO: later", "FIXME", "issue #12",
                     "x = 1 "):
            self.finds(rules.forbidden_words, "docs/a.md", text)
        for text in ("the work/ folder", "// TODO: wait for the server's new clock call", "build/work/x", "XXXXXX"):
            self.allows(rules.forbidden_words, "docs/a.md", text)

    def test_of_links_sees_a_dead_one(self):
        self.finds(rules.links, "docs/a.md", "[b](b.md)")
        self.allows(rules.links, "docs/a.md", "[a](a.md#top), [far](https://example.org/b)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
