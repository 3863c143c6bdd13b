"""The rules of the house, each a function from a Tree to a list of problems, one line of text each."""

import json
import re
from pathlib import Path

# Which folders of src/ a folder may include from, besides itself and the public headers. An include
# only goes down; a new arrow needs a reason here.
ARROWS = {
    "core": set(),
    "config": {"core"},
    "http": {"core"},
    "observe": {"core"},
    "sinks": {"core", "http"},  # a webhook is sent with the client of http
    "store": {"core"},
    "store/postgres": {"core", "store"},
    "store/sqlite": {"core", "store"},
    "dispatch": {"core", "store"},
    "api": {"core", "store", "dispatch", "http", "observe"},
    "quota": {"core", "store", "dispatch"},
    "receipts": {"core", "store", "dispatch"},
    "realtime": {"core", "store", "dispatch", "http"},
    "workflow": {"core", "store", "dispatch"},
}
# A driver is seen by its own store alone.
DRIVERS = {"libpq-fe.h": "store/postgres", "libpq-events.h": "store/postgres", "sqlite3.h": "store/sqlite"}
# Every interface has two implementations, one of them perhaps in the tests. Today there are session
# and clock; sink and listener come with delivery.
INTERFACES = {"session.hpp", "clock.hpp", "sink.hpp", "listener.hpp"}

HEADER_LINES, SOURCE_LINES, TEST_LINES = 250, 500, 700
CODE_COLUMNS, SQL_COLUMNS = 100, 140

# Words that say nothing about the job done, and, for types, second names for words of the glossary.
EMPTY_NAMES = set("manager helper util common misc base impl handler processor service data info".split())
RETIRED_NAMES = set("event job task record".split())

CODE = ("include", "src", "apps", "tests", "fuzz", "bench", "examples")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\s\\]{0,16})\((?P<body>.*?)\)(?P=mark)")
      | (?P<text>(?:u8|[uUL])?"(?P<inner>(?:\\.|[^"\\\n])*)")
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:'?[\w.])*)
      | (?P<letter>'(?:\\.|[^'\\\n])*')
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


class Tree:
    """The files of the project: those under a folder, or those that git knows or would add."""

    def __init__(self, root, names):
        self.root = Path(root)
        self.names = sorted(names)

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def under(self, folders, *endings):
        return [n for n in self.names if n.startswith(tuple(f + "/" for f in folders)) and n.endswith(endings)]


def tokens(code):
    """(kind, text, line) without comments and spaces; adjacent literals are one, as the compiler has it."""
    found, line = [], 1
    for match in TOKEN.finditer(code):
        kind, text = match.lastgroup, match.group()
        if match["raw"] is not None:
            kind, value = "literal", match["body"]
        elif match["text"] is not None:
            kind, value = "literal", match["inner"]
        else:
            kind, value = next(k for k in ("comment", "word", "number", "letter", "space", "other") if match[k]), text
        if kind == "literal" and found and found[-1][0] == "literal":
            found[-1] = ("literal", found[-1][1] + value, found[-1][2])
        elif kind not in ("comment", "space"):
            found.append((kind, value, line))
        line += text.count("\n")
    return found


def includes(code):
    return re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', code, re.MULTILINE)


def folder_of(path):
    """The module of a path below src/: "store/sqlite", "core"; None for what is no module."""
    parts = path.split("/")
    for length in (2, 1):
        if len(parts) > length and "/".join(parts[:length]) in ARROWS:
            return "/".join(parts[:length])
    return None


def layers(tree):
    problems = []
    for name in tree.under(["src"], ".hpp", ".cpp"):
        home = folder_of(name.removeprefix("src/"))
        if home is None:
            problems.append(f"{name}: its folder is not in ARROWS, which says what it may include")
            continue
        for bracket, path in includes(tree.read(name)):
            target = folder_of(path)
            if bracket == '"' and target is None:
                problems.append(f'{name}: includes "{path}", which is no module of src/')
            if target and target != home and target not in ARROWS[home]:
                problems.append(f"{name}: {home} may not include {path}")
            if path in DRIVERS and home != DRIVERS[path]:
                problems.append(f"{name}: only {DRIVERS[path]} sees {path}")
    for name in tree.under(["include"], ".hpp"):
        for bracket, path in includes(tree.read(name)):
            if bracket == '"' or path in DRIVERS or folder_of(path):
                problems.append(f"{name}: a public header may not include {path}")
    return problems


def interfaces(tree):
    return [
        f"{name}:{line}: virtual belongs to {', '.join(sorted(INTERFACES))} only"
        for name in tree.under(["include", "src", "apps"], ".hpp", ".cpp")
        if Path(name).name not in INTERFACES
        for kind, text, line in tokens(tree.read(name))
        if (kind, text) == ("word", "virtual")
    ]


def limits(tree):
    problems = []
    for name in tree.under(CODE, ".hpp", ".cpp", ".sql"):
        lines = tree.read(name).splitlines()
        is_sql = name.endswith(".sql")
        most = (
            TEST_LINES if name.startswith("tests/") else HEADER_LINES if name.endswith(".hpp") else SOURCE_LINES
        )
        if len(lines) > most:
            problems.append(f"{name}: {len(lines)} lines, the limit is {most}: it does more than one thing")
        columns = SQL_COLUMNS if is_sql else CODE_COLUMNS
        for number, line in enumerate(lines, 1):
            if len(line) > columns:
                problems.append(f"{name}:{number}: {len(line)} columns, the limit is {columns}")
    return problems


def words_of(name):
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def found_in(name, refused):
    return [w for w in words_of(name) if w in refused or w.removesuffix("s") in refused]


def names(tree):
    problems = []
    for name in tree.under(CODE, ".hpp", ".cpp", ".py", ".sql"):
        for part in Path(name).with_suffix("").parts:
            for word in found_in(part, EMPTY_NAMES):
                problems.append(f'{name}: "{word}" does not say what the file is for')
    for name in tree.under(CODE, ".hpp", ".cpp"):
        code = tokens(tree.read(name))
        for (_, word, line), (kind, type_name, _), (_, after, _) in zip(code, code[1:], code[2:]):
            defines = word in ("class", "struct", "concept", "using", "union") and after in ("{", ":", "=", "final")
            if kind == "word" and defines:
                for refused in found_in(type_name, EMPTY_NAMES | RETIRED_NAMES):
                    problems.append(f'{name}:{line}: "{refused}" in {type_name} says nothing, or has another name here')
    return problems


THING = r"(TABLE|INDEX|UNIQUE|VIEW|MATERIALIZED|FUNCTION|PROCEDURE|TRIGGER|SCHEMA|SEQUENCE|TYPE|ROLE|DATABASE|TEMP)"
STATEMENT = re.compile(
    rf"""\bSELECT\s+(\S.*\sFROM\s|[\w.]+\(|[\d'$*])
       | ^SELECT\s
       | \bINSERT\s+(OR\s+\w+\s+)?INTO\s
       | \bUPDATE\s+\S+\s+(AS\s+\w+\s+)?SET\s
       | \bDELETE\s+FROM\s
       | \b(CREATE|ALTER|DROP)\s+(OR\s+REPLACE\s+)?{THING}\b
       | ^WITH\s+(RECURSIVE\s+)?\w+.*\sAS\s
       | ^(COPY|MERGE|REPLACE|TRUNCATE|GRANT|REVOKE|COMMENT\s+ON|LOCK|VALUES|EXPLAIN)\s""",
    re.VERBOSE | re.DOTALL,
)


def sql_in_code(tree):
    """Statements that touch tables. Beginning and ending a transaction, and a connection's own settings
    (PRAGMA, SET), are calls of the driver that happen to be spelled as text."""
    return [
        f"{name}:{line}: SQL in a literal ({text.strip()[:30]}...): put it into a .sql file"
        for name in tree.under(["include", "src", "apps"], ".hpp", ".cpp")
        for kind, text, line in tokens(tree.read(name))
        if kind == "literal" and STATEMENT.search(re.sub(r"^(\s|\\n|--[^\n]*\n)*", "", text))
    ]


def error_codes(tree):
    header = tree.read("include/outrider/error.hpp")
    body = re.search(r"enum class Errc \{(.*?)\};", header, re.DOTALL)[1]
    codes = [text for kind, text, _ in tokens(body) if kind == "word"]
    rows = {}
    for line in tree.read("docs/reference/errors.md").splitlines():
        if row := re.match(r"\| `(\w+)` \|(.*)\|(.*)\|$", line):
            rows[row[1]] = (row[2].strip(), row[3].strip())
    problems = [f"docs/reference/errors.md: {c} is not explained" for c in codes if c not in rows]
    problems += [f"docs/reference/errors.md: {c} is no code of Errc" for c in rows if c not in codes]
    for code, (meaning, advice) in rows.items():
        if len(meaning.split()) < 3 or len(advice.split()) < 3:
            problems.append(f"docs/reference/errors.md: {code} has no meaning or no advice")
    if list(rows) != codes and not problems:
        problems.append("docs/reference/errors.md: the rows stand in another order than Errc")
    return problems


def compiled(tree, compile_commands):
    """Every source is part of a build. Fuzz targets and benchmarks have presets of their own, so for them
    it is the CMake file that has to name or find the source."""
    built = {str(Path(entry["directory"], entry["file"]).resolve()) for entry in compile_commands}
    problems = []
    for name in tree.under(["src", "apps", "tests", "examples"], ".cpp"):
        if str((tree.root / name).resolve()) not in built:
            problems.append(f"{name}: no target compiles it")
    for name in tree.under(["fuzz", "bench"], ".cpp"):
        path = Path(name)
        rules = tree.read(f"{path.parts[0]}/CMakeLists.txt")
        patterns = re.findall(r"[\w.*-]+\.cpp", rules)
        if not any(path.match(pattern) for pattern in patterns):
            problems.append(f"{name}: {path.parts[0]}/CMakeLists.txt does not find it")
    return problems


def self_contained(tree, compile_commands):
    """Every header is compiled alone: tests/CMakeLists.txt makes a source that includes nothing else."""
    alone = {str(e["file"]).rpartition("/alone/")[2] for e in compile_commands if "/alone/" in str(e["file"])}
    return [
        f"{name}: it is not compiled alone"
        for name in tree.under(["include", "src", "apps"], ".hpp")
        if name + ".cpp" not in alone
    ]


FORBIDDEN = [
    (r"(?<![\w.])/(work|root|home)/", "a path of one machine"),
    (r"\bTODO\b(?!: (\w\S*\s+){3})", "a TODO without its reason"),
    (r"\b(FIXME|XXX|HACK)\b", "say what is wrong, or put it right"),
    (r"\b(issue|ticket|pull request|PR) ?#?\d+\b", "a number that means nothing to a reader"),
    (r"^(<<<<<<<|>>>>>>>) ", "an unfinished merge"),
    (r"[ \t]+$", "spaces at the end of the line"),
]
BINARY = (".png", ".ico", ".woff2")


def forbidden_words(tree):
    problems = []
    for name in tree.names:
        # The corpus holds whatever bytes it needs; this folder has to name what it forbids.
        if name.startswith(("fuzz/corpus/", "tests/house/")) or name.endswith(BINARY):
            continue
        for number, line in enumerate(tree.read(name).splitlines(), 1):
            for pattern, reason in FORBIDDEN:
                if re.search(pattern, line, re.IGNORECASE if pattern.islower() else 0):
                    problems.append(f"{name}:{number}: {reason}")
    return problems


def links(tree):
    """A relative link in a page leads to a file or folder of the tree."""
    problems = []
    for name in [n for n in tree.names if n.endswith(".md")]:
        prose = re.sub(r"^```.*?^```", "", tree.read(name), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", prose):
            if "://" not in target and not (tree.root / name).parent.joinpath(target).exists():
                problems.append(f"{name}: there is no {target}")
    return problems


def read_compile_commands(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))
