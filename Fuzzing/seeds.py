"""Collects the first inputs of each target: seeds.py FOLDER [CORPUS]. Files of the corpus are copied there, no further."""
import collections
import hashlib
import os
import re
import sqlite3
import sys
import tempfile
import zlib

folder, corpus = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None


def put(target, content, limit=20_000):
    """Large inputs make fuzzing slow, and show nothing that small ones do not."""
    if isinstance(content, str):
        content = content.encode()
    if len(content) > limit:
        return
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    with open(os.path.join(folder, target, hashlib.sha256(content).hexdigest()), "wb") as file:
        file.write(content)


def deflated(content):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


OWN = {
    "predicate": [
        'name BEGINSWITH[cd] "a" AND age BETWEEN {1, 3}', "SUBQUERY(a, $x, $x.b > 3).@count > 0",
        'ANY a.b IN {"x"} OR NOT (c LIKE "*a?")', 'FUNCTION(a, "b:", 3) == CAST(4, "NSDate")', "0x1F == 1e308",
        "TERNARY(a > 1, 2, 3) == a[FIRST]", "@sum.a + 3 ** 2 % 1 << 2", "a UNION b == {1}", 'x MATCHES "a+" && y == nil',
    ],
    "swift": [
        "@Model class A { var a: [String]?\n @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: [B] = [] }\n"
        "@Model class B { @Attribute(.unique) var x = 1\n var a: A?\n var s: S? }\n"
        "struct S: Codable { var k: K\n var d: Double }\nenum K: String, Codable { case a, b }\n"
        "let container = try ModelContainer(for: A.self, B.self)\n",
    ],
    "plist": [
        '{ key = (a, "b\\U00e9", <0fbd77>); /* c */ other = { x = y; }; n = <*I5>; }', '"a" = "b";\n/* x */ "c" = "d";',
        '<plist version="1.0"><dict><key>a</key><array><real>2.5</real><date>2001-01-01T00:00:00Z</date>'
        "<data>AQID</data><true/></array></dict></plist>",
    ],
    "xml": ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "v">]><a x="&lt;"><![CDATA[<]]>&e;<!-- c --></a>'],
    "yaml": ["a: &x {b: [1, 'c', \"d\\u00e9\"]}\ne: |\n  text\nf: *x\n"],
    "csv": ['\0\0id,name\n1,"Ada, Countess"\n2,"a ""b"""\n', "\3\7a;b\r\n1;'x'\r\n", "\x80\1\\N\t\\N\n"],
    "json": ['\0\0[{"a": 1, "b": [1, 2.5e3, "x\\u00e9"], "c": {"d": null}}]', '\4\1{"data": {"items": [{"a": 1}]}}', '\0\2{"a": 1}\n{"a": 2}\n'],
    "xmlsource": ["\0\0<a><r x='1'><b>t</b>tail</r><r/></a>", "\0\3<n:a xmlns:n='u'><n:r n:x='1'/></n:a>"],
    "draft": ['\0\0a,b\n1,"x"\n', '\0\1[{"a": 1}]', "\0\2<a><r x='1'/></a>"],
    "importmap": [
        "import: 1\nsettings: {nullTokens: [NA]}\nfiles: a.csv\nentity: A\nkey: [a]\nattributes:\n  a: A\n"
        "  b: {from: [B], default: '1', trim: true}\n  d: {expression: 'x * 2', columns: {x: X}}\n"
        "relationships:\n  e: {by: {k.l: K}, onMissing: error, add: true}\n"
    ],
    "stages": ["stages:\n  - from: A\n    to: B\n"],
    "schema": [
        "UPDATE Z_PRIMARYKEY SET Z_ENT = 99999999999999, Z_NAME = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
        "UPDATE ZA SET Z_PK = 9223372036854775807, Z_ENT = -1", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
        "ALTER TABLE ZA RENAME TO ZZ; CREATE VIEW ZA AS SELECT * FROM ZZ",
        "UPDATE ZA SET ZNUMBER = 9e999, ZID = zeroblob(3), ZLINK = x'FF00', ZDATA = x'02FF'",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT); INSERT INTO Z_MODELCACHE VALUES (zeroblob(999))",
    ],
}
def databases():
    """Small databases with pages of all kinds; some with a log behind them (`PageComparison`)."""
    for number in range(24):
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "a.sqlite")
            connection = sqlite3.connect(path, isolation_level=None)
            size = (512, 1024, 4096)[number % 3]
            connection.execute(f"PRAGMA page_size = {size}")
            connection.execute(f"PRAGMA auto_vacuum = {number % 4 if number % 4 < 3 else 0}")
            connection.execute("CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, c FLOAT, d BLOB)")
            connection.execute("CREATE TABLE U (x, y REAL, z INTEGER DEFAULT 7)")
            connection.execute("CREATE INDEX I ON T (b, a)")
            if number % 2:
                connection.execute("CREATE UNIQUE INDEX J ON T (a)")
                connection.execute("CREATE TABLE W (k PRIMARY KEY, v) WITHOUT ROWID")
                connection.execute("INSERT INTO W VALUES ('a', 1), (2, x'00')")
            if number >= 12:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA wal_autocheckpoint = 0")
            for row in range((3, 12, 40)[number // 2 % 3]):
                connection.execute(
                    "INSERT INTO T VALUES (?, ?, ?, ?, ?)",
                    (row * 3 + 1, row * 10 ** (row % 12), "text %d" % row * (row % 9), row / 4, bytes(row * 37 % 900)))
                connection.execute("INSERT INTO U (x, y) VALUES (?, ?)", ((None, row, "x", 1.5)[row % 4], row))
            connection.execute("ALTER TABLE U ADD COLUMN w")
            connection.execute("DELETE FROM T WHERE Z_PK % 4 = 1 AND Z_PK > 20")
            if number >= 12:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)" if number % 4 == 3 else "SELECT 1").fetchall()
                connection.execute("UPDATE T SET b = b || '!' WHERE Z_PK < 8")
            content = open(path, "rb").read()
            log = path + "-wal"
            if os.path.exists(log):
                content += open(log, "rb").read()
            put("pages", content, 60_000)
            connection.close()


databases()
for target, texts in OWN.items():
    for text in texts:
        put(target, text.encode("latin-1") if target in ("csv", "json", "xmlsource", "draft") else text)

# Ferry's own mappings and models.
KEYS = {"mapping:": "mapping", "import:": "importmap", "stages:": "stages"}
project = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
for part in ("Mappings", "Samples"):
    for directory, _, names in os.walk(os.path.join(project, part)):
        for name in sorted(names):
            if name.endswith(".swift"):
                with open(os.path.join(directory, name), encoding="utf-8") as file:
                    put("swift", file.read())
            if not name.endswith(".yaml"):
                continue
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                text = file.read()
            put("yaml", text)
            for key, target in KEYS.items():
                if text.startswith(key) or "\n" + key in text:
                    put(target, text)

# By the ends of the files' names: the targets that they are inputs of.
KINDS = {
    ".mom": ["mom", "archive", "plist"], ".omo": ["archive", "plist"], ".plist": ["plist"], ".strings": ["plist"],
    ".xccurrentversion": ["plist"], "/elements": ["elements"], "/contents": ["contents", "lint"], ".cdm": ["mapping"],
    "xcmapping.xml": ["mapping", "xmlstore"], ".csv": ["csv", "draft"], ".json": ["json", "draft"],
    ".swift": ["swift"], ".gpx": ["xmlsource", "xml"], ".rss": ["xmlsource", "xml"],
}
for directory, _, names in os.walk(corpus) if corpus else []:
    for name in sorted(names):
        path = os.path.join(directory, name)
        for ending, targets in KINDS.items():
            if not path.endswith(ending):
                continue
            with open(path, "rb") as file:
                content = file.read()
            for target in targets:
                if target in ("csv", "json", "xmlsource", "draft"):
                    put(target, b"\0\0" + content[:1500])
                else:
                    put(target, content)
            if ending == ".mom":
                put("deflate", deflated(content))

# libFuzzer does not see what Swift compares texts with: the words that most inputs of a target hold are told to it.
for target in os.listdir(folder):
    counts = collections.Counter()
    for name in os.listdir(os.path.join(folder, target)):
        with open(os.path.join(folder, target, name), "rb") as file:
            counts.update(set(re.findall(rb"[A-Za-z$@_][A-Za-z0-9$@_:.-]{2,40}", file.read())))
    os.makedirs(folder + ".words", exist_ok=True)
    with open(os.path.join(folder + ".words", target), "w", encoding="ascii") as file:
        for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:300]:
            file.write(f'"{word.decode()}"\n')
