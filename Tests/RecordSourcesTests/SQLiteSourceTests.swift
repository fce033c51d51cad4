import RecordSources
import SQLiteAccess
import TestSupport
import Testing

@Suite struct SQLiteSourceTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("shop.db")
        let connection = try Connection(path: path, access: .create)
        try connection.execute(
            """
            CREATE TABLE city (code TEXT PRIMARY KEY, name VARCHAR(20) NOT NULL UNIQUE) WITHOUT ROWID;
            CREATE TABLE "odd ""name" (
                id INTEGER PRIMARY KEY, city TEXT REFERENCES city, price REAL DEFAULT 1.5, data BLOB, anything,
                a INTEGER, b INTEGER, UNIQUE (a, b), FOREIGN KEY (a, b) REFERENCES pair (x, y));
            CREATE TABLE pair (x INTEGER, y INTEGER, PRIMARY KEY (y, x));
            CREATE UNIQUE INDEX partial ON pair (x) WHERE y > 0;
            CREATE VIEW cities AS SELECT name FROM city;
            INSERT INTO city VALUES ('b', 'Berlin'), ('p', 'Paris');
            INSERT INTO "odd ""name" VALUES (1, 'b', 2.0, x'00ff', 'text', 1, 1), (2, NULL, NULL, '', 7, 1, 2),
                (3, cast(x'ff41' AS TEXT), 0.1, 'a' || char(0) || 'b', 8.5, 1, 3), (9, '', -1, x'', NULL, NULL, NULL);
            """)
    }

    @Test func aTablesValuesHaveTheTypesThatTheyHaveThere() throws {
        var source = try SQLiteSource(path: path, selection: .relation("odd \"name"))
        #expect(source.columns.map(\.name) == ["id", "city", "price", "data", "anything", "a", "b"])
        #expect(source.columns.map(\.declaredType) == ["INTEGER", "TEXT", "REAL", "BLOB", "", "INTEGER", "INTEGER"])
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect(batch.count == 4)
        func kinds(_ record: Int) -> [RecordField.Kind] { (0..<5).map { batch.field($0, of: record).kind } }
        #expect(kinds(0) == [.integer, .text, .real, .blob, .text])
        #expect(kinds(1) == [.integer, .null, .null, .quoted, .integer])
        #expect(kinds(3) == [.integer, .quoted, .real, .blob, .null])
        #expect(batch.integer(of: batch.field(0, of: 3)) == 9)
        #expect(batch.real(of: batch.field(2, of: 2)) == 0.1)
        #expect(Array(batch.bytes(of: batch.field(3, of: 0))) == [0, 255])
        #expect(batch.text(of: batch.field(3, of: 2)) == "a\u{0}b")
        #expect(batch.problem(of: 2)?.code == .undecodable)
        #expect(batch.problem(of: 1) == nil)
        #expect(try !source.next(into: &batch))
    }

    @Test func viewsAndQueriesAreReadAndReadingGoesOnFromAPosition() throws {
        var view = try SQLiteSource(path: path, selection: .relation("cities"))
        var batch = RecordBatch(limits: .init(rows: 1))
        #expect(try view.next(into: &batch))
        #expect(batch.text(of: batch.field(0, of: 0)) == "Berlin")
        var rest = try SQLiteSource(path: path, selection: .relation("cities"), from: batch.end)
        #expect(try rest.next(into: &batch))
        #expect(batch.text(of: batch.field(0, of: 0)) == "Paris")
        #expect(batch[0].line == 2)
        #expect(try !rest.next(into: &batch))
        var query = try SQLiteSource(path: path, selection: .query("SELECT count(*) AS n, 'x' FROM city"))
        #expect(query.columns.map(\.name) == ["n", "'x'"])
        #expect(try query.next(into: &batch))
        #expect(batch.integer(of: batch.field(0, of: 0)) == 2)
    }

    @Test(arguments: ["DELETE FROM city", "SELECT ?", "PRAGMA user_version = 3"])
    func aQueryThatWritesOrHasParametersIsRefused(query: String) {
        #expect(throws: (any Error).self) { try SQLiteSource(path: path, selection: .query(query)) }
    }

    @Test func aTableThatIsMissingIsToldWithThoseThatThereAre() {
        let error = #expect(throws: SourceError.self) { try SQLiteSource(path: path, selection: .relation("x")) }
        #expect(error?.description.contains("city, odd \"name, pair, cities") == true)
    }

    @Test func theSchemaHasKeysAndReferencesForADraft() throws {
        let schema = try SQLiteSchema(path: path)
        #expect(schema.relations.map(\.name) == ["city", "odd \"name", "pair", "cities"])
        #expect(schema.relations.map(\.isView) == [false, false, false, true])
        #expect(schema.relations.map(\.primaryKey) == [["code"], ["id"], ["y", "x"], []])
        #expect(schema.relations.map(\.uniqueKeys) == [[["name"]], [["a", "b"]], [], []])
        let odd = schema.relations[1]
        #expect(odd.columns[2].defaultExpression == "1.5")
        #expect(schema.relations[0].columns[1].isMandatory)
        #expect(odd.foreignKeys.map(\.columns) == [["city"], ["a", "b"]])
        #expect(odd.foreignKeys.map(\.relation) == ["city", "pair"])
        #expect(odd.foreignKeys.map(\.referencedColumns) == [[], ["x", "y"]])
    }

    @Test func nothingIsWrittenBesideTheDatabase() throws {
        var source = try SQLiteSource(path: path, selection: .relation("city"))
        var batch = RecordBatch()
        #expect(try source.next(into: &batch))
        #expect(try directory.names() == ["shop.db"])
    }
}
