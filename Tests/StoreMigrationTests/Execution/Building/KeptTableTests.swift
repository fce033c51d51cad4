import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

extension TestStore {
    fileprivate func migrate(
        _ plan: MigrationPlan, by writer: NewStoreWriter, _ options: MigrationOptions = MigrationOptions(),
        verifiesFully: Bool = true
    ) throws {
        var options = options
        (options.writer, options.verifiesFully) = (writer, verifiesFully)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: path), isSettled: true)
        _ = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
    }
}

/// Rows of tables that do not belong to the model, of history and of the mirror are the same whether they are built or
/// SQLite writes them.
@Suite struct KeptTableTests {
    private static let old = [
        entity("Note", [attribute("text")]), entity("Page", [attribute("text")]), entity("Tag", [attribute("name")]),
    ]
    /// Note gets the number 2, Page 3 and another property; Tag goes, and Label has nothing to do with it.
    private static let new = [
        entity("Label", [attribute("name")]), entity("Note", [attribute("text")]),
        entity("Page", [attribute("text"), attribute("title")]),
    ]

    /// Numbers of entities that stay, change and go, and that are of no entity or NULL; keys with gaps and below 0,
    /// values of all kinds, records without the last column, indexes that only SQLite fills, and rules that only it checks.
    private static let rows = """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
        WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 40)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT n, 1, 1, 'note ' || n FROM i;
        INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (7, 2, 1, 'a'), (10, 2, 1, 'b');
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER,
            ZCOLUMNS BLOB);
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZTIMESTAMP FLOAT);
        CREATE INDEX ACHANGE_ZENTITY_INDEX ON ACHANGE (ZENTITY);
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 300), (16002, 'TRANSACTION', 0, 300);
        CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER,
            UNIQUE (ZENTITYID, ZENTITYPK));
        CREATE TABLE Plain (a, b TEXT, c REAL, "order" BLOB);
        CREATE TABLE "own key" ("order" INTEGER PRIMARY KEY, value NUMERIC, UNIQUE (value));
        CREATE TABLE falling (id INTEGER PRIMARY KEY DESC, value);
        CREATE TABLE partial (id INTEGER PRIMARY KEY, value);
        CREATE INDEX partial_some ON partial (value) WHERE value > 3;
        CREATE INDEX partial_all ON partial (value);
        CREATE TABLE folded (name TEXT COLLATE NOCASE, UNIQUE (name));
        CREATE TABLE computed (name TEXT PRIMARY KEY COLLATE RTRIM, value REAL);
        CREATE UNIQUE INDEX computed_lower ON computed (lower(name) DESC, value);
        CREATE INDEX computed_value ON computed (value);
        CREATE TABLE ruled (id INTEGER PRIMARY KEY, a NOT NULL ON CONFLICT REPLACE DEFAULT 7 CHECK (a <> 3),
            UNIQUE (id, a) ON CONFLICT IGNORE);
        CREATE TABLE "strict" (id INTEGER PRIMARY KEY, any ANY, i INT, r REAL, t TEXT, b BLOB) STRICT;
        CREATE INDEX strict_any ON "strict" (any, r);
        WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 300),
        v(n, x) AS (SELECT n, CASE n % 6 WHEN 0 THEN NULL WHEN 1 THEN n WHEN 2 THEN n / 4.0 WHEN 3 THEN 'text ' || n
            WHEN 4 THEN zeroblob(n * 20) ELSE CAST(n AS TEXT) END FROM i)
        INSERT INTO ACHANGE SELECT n * iif(n < 200, 1, 9), 16001, nullif(n % 6, 5) + iif(n % 13, 0, 16010), n % 50,
            iif(n % 4, x, NULL) FROM v;
        INSERT INTO ATRANSACTION SELECT Z_PK, 16002, Z_PK / 2.0 FROM ACHANGE;
        INSERT INTO ANSCKRECORDMETADATA SELECT Z_PK, ZENTITY, Z_PK FROM ACHANGE;
        INSERT INTO Plain (rowid, a, b, c, "order") SELECT Z_PK * 3 - 90, ZCOLUMNS, ZCOLUMNS, ZCOLUMNS, ZCOLUMNS
            FROM ACHANGE;
        ALTER TABLE Plain ADD COLUMN added DEFAULT 'later';
        INSERT INTO Plain VALUES (1, 2, 3, 4, 5);
        INSERT INTO "own key" SELECT Z_PK - 20, iif(Z_PK % 3, Z_PK || '.5', NULL) FROM ACHANGE;
        INSERT INTO falling SELECT 1000 - Z_PK, ZCOLUMNS FROM ACHANGE WHERE Z_PK < 200;
        INSERT INTO partial SELECT Z_PK, ZENTITY FROM ACHANGE;
        INSERT INTO folded SELECT iif(Z_PK % 2, 'Name ', 'name ') || Z_PK FROM ACHANGE;
        INSERT INTO folded VALUES (NULL), (NULL);
        INSERT INTO computed SELECT iif(Z_PK % 2, 'Name ', 'name ') || Z_PK, Z_PK / 3 FROM ACHANGE;
        INSERT INTO ruled SELECT Z_PK, nullif(ifnull(ZCOLUMNS, 3), 3) FROM ACHANGE;
        INSERT INTO "strict" SELECT Z_PK, ZCOLUMNS, Z_PK, Z_PK / 2.0, Z_PK, zeroblob(Z_PK % 9) FROM ACHANGE;
        """

    private static let kept = [
        "ACHANGE", "ATRANSACTION", "ANSCKRECORDMETADATA", "Plain", "own key", "falling", "partial", "folded",
        "computed", "ruled", "strict",
    ]

    enum Kind: CaseIterable {
        case inferred, mapped, policy

        func plan(of store: TestStore) throws -> MigrationPlan {
            guard self != .inferred else { return try store.plan() }
            var policies = PolicyRegistry()
            policies.register(Nothing.self, as: "App.Nothing")
            let mappings = ["Note", "Page"].map { name in
                EntityMapping(
                    name: name, type: .transform, sourceEntityName: name, destinationEntityName: name,
                    attributeMappings: [PropertyMapping(name: "text", valueExpression: "$source.text")],
                    sourceFilter: name == "Note" ? "text != \"note 7\"" : nil,
                    migrationPolicyClassName: self == .policy && name == "Page" ? "App.Nothing" : nil)
            }
            return try store.plan(by: MappingModel(entityMappings: mappings), .refuse, policies: policies)
        }
    }

    final class Nothing: EntityMigrationPolicy {}

    private func migrated(
        _ kind: Kind, _ writer: NewStoreWriter, _ options: MigrationOptions,
        _ encoding: DatabaseFile.TextEncoding = .utf8
    ) throws -> (content: [String: [[SQLiteValue]]], built: Set<String>) {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.rows, encoding: encoding)
        let plan = try kind.plan(of: store)
        try store.migrate(plan, by: writer, options)
        let program = try #require(plan.program)
        let built =
            LinkedProgram(program)?.tables ?? Set(BuildableSteps(program).fills.map { program.steps[$0].table })
        #expect(
            !program.steps.contains {
                if case .statement = $0.work { $0.phase == .keptTables } else { false }
            }, "rows are copied as they are in the end")
        #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
        return (try databaseContent(store.path), built)
    }

    @Test(arguments: Kind.allCases, [1, 3, 1000]) func theyAreBuilt(kind: Kind, size: Int) throws {
        var random = RandomNumbers(seed: UInt64(size))
        let options = MigrationOptions.limited(size == 1000 ? nil : size, &random)
        let written = try migrated(kind, .sqlite, options).content
        let (content, built) = try migrated(kind, .builder, options)
        for table in Self.kept { #expect(built.contains(table), "\(table)") }
        for (table, rows) in written { #expect(content[table] == rows, "\(table)") }
        let numbers = Set((content["ACHANGE"] ?? []).map { $0[3] })
        #expect(
            numbers == [
                .null, .integer(2), .integer(3), .integer(16010), .integer(16011), .integer(16012),
                .integer(16013), .integer(16014),
            ])
        #expect(content["Plain"]?.count == 301)
    }

    @Test(arguments: Kind.allCases, [DatabaseFile.TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func theyAreBuiltInUTF16(kind: Kind, _ encoding: DatabaseFile.TextEncoding) throws {
        let written = try migrated(kind, .sqlite, MigrationOptions(), encoding).content
        let (content, built) = try migrated(kind, .builder, MigrationOptions(), encoding)
        #expect(built.isSuperset(of: Self.kept))
        for (table, rows) in written { #expect(content[table] == rows, "\(table)") }
    }

    /// Mapping models need a new file, in which SQLite writes the tables that cannot be built, and the builder the others.
    @Test(arguments: [Kind.mapped, .policy], [NewStoreWriter.builder, .sqlite])
    func tablesThatCannotBeBuiltAreKept(_ kind: Kind, _ writer: NewStoreWriter) throws {
        let rows = """
            CREATE TABLE keyed (name TEXT PRIMARY KEY COLLATE NOCASE, value) WITHOUT ROWID;
            CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, value);
            CREATE TABLE summed (a, b, total AS (a + b));
            CREATE INDEX summed_total ON summed (total);
            INSERT INTO keyed SELECT 'name ' || Z_PK, Z_PK FROM ACHANGE;
            INSERT INTO numbered SELECT Z_PK, ZCOLUMNS FROM ACHANGE;
            INSERT INTO numbered VALUES (9000, 'gone'); DELETE FROM numbered WHERE id = 9000;
            INSERT INTO summed SELECT Z_PK, ZENTITY FROM ACHANGE;
            """
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.rows + rows)
        let tables = ["keyed", "numbered", "summed", "sqlite_sequence"]
        func content() throws -> [[[SQLiteValue]]] {
            let connection = try Connection(path: store.path, access: .readOnly)
            defer { try? connection.close() }
            return try tables.map { try connection.rows("SELECT * FROM \($0)") }
        }
        let before = try content()
        let plan = try kind.plan(of: store)
        let program = try #require(plan.program)
        let built =
            LinkedProgram(program)?.tables ?? Set(BuildableSteps(program).fills.map { program.steps[$0].table })
        #expect(built.isSuperset(of: Self.kept) && built.isDisjoint(with: tables))
        try store.migrate(plan, by: writer)
        #expect(try content() == before)
        #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
    }

    /// Queries that use the indexes find the rows that a scan of the table finds.
    @Test(arguments: Kind.allCases) func indexesThatOnlySQLiteFillsHaveAllRows(_ kind: Kind) throws {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.rows)
        try store.migrate(kind.plan(of: store), by: .builder)
        for (table, index, condition) in [
            ("partial", "partial_some", "value > 3"), ("folded", "sqlite_autoindex_folded_1", "name > 'NAME 2'"),
            ("computed", "sqlite_autoindex_computed_1", "name > 'name 2'"),
            ("computed", "computed_lower", "lower(name) > 'name 2'"),
        ] {
            func count(_ way: String) throws -> [String] {
                try store.rows("SELECT count(*) FROM \(table) \(way) WHERE \(condition)")
            }
            let found = try count("INDEXED BY \(index)")
            #expect(try found == count("NOT INDEXED"), "\(index)")
            #expect(found != ["0"], "\(index)")
        }
    }

    /// Rows of a damaged source that are the same in a unique index are found when SQLite fills it.
    @Test func repeatedValuesInAUniqueIndexAreFound() throws {
        let rows = """
            CREATE TABLE folded (name TEXT COLLATE NOCASE, note, UNIQUE (name));
            INSERT INTO folded VALUES ('a', 1), ('B', 2);
            """
        let store = try TestStore(from: Self.old, to: Self.new, rows: rows)
        for (old, new) in [("NOCASE", "BINARY"), ("BINARY", "NOCASE")] {
            let connection = try Connection(path: store.path, access: .readWrite)
            connection.setDefensive(false)
            if old == "BINARY" { try connection.execute("INSERT INTO folded VALUES ('A', 3)") }
            try connection.execute(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') "
                    + "WHERE name = 'folded'")
            try connection.close()
        }
        let before = try store.rows("SELECT name FROM folded NOT INDEXED ORDER BY note")
        for writer in [NewStoreWriter.builder, .sqlite] {
            let error = #expect(throws: MigrationError.self) {
                try store.migrate(Kind.mapped.plan(of: store), by: writer, verifiesFully: false)
            }
            guard case .constraint? = error?.code else {
                Issue.record("\(writer): \(String(describing: error))")
                continue
            }
        }
        #expect(try store.rows("SELECT name FROM folded NOT INDEXED ORDER BY note") == before)
    }
}
