import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

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
    /// values of all kinds, records without the last column, and tables that only SQLite writes.
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
        CREATE TABLE folded (name TEXT COLLATE NOCASE, UNIQUE (name));
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
        INSERT INTO folded SELECT 'name ' || Z_PK FROM ACHANGE;
        """

    enum Kind: CaseIterable {
        case inferred, mapped, policy
    }

    final class Nothing: EntityMigrationPolicy {}

    private func migrated(
        _ kind: Kind, _ writer: NewStoreWriter, _ options: MigrationOptions
    ) throws -> (content: [String: [[SQLiteValue]]], built: Set<String>) {
        let store = try TestStore(from: Self.old, to: Self.new, rows: Self.rows)
        var options = options
        (options.writer, options.verifiesFully) = (writer, true)
        let plan: MigrationPlan
        if kind == .inferred {
            plan = try store.plan()
        } else {
            var policies = PolicyRegistry()
            policies.register(Nothing.self, as: "App.Nothing")
            let mappings = ["Note", "Page"].map { name in
                EntityMapping(
                    name: name, type: .transform, sourceEntityName: name, destinationEntityName: name,
                    attributeMappings: [PropertyMapping(name: "text", valueExpression: "$source.text")],
                    sourceFilter: name == "Note" ? "text != \"note 7\"" : nil,
                    migrationPolicyClassName: kind == .policy && name == "Page" ? "App.Nothing" : nil)
            }
            plan = try store.plan(by: MappingModel(entityMappings: mappings), .refuse, policies: policies)
        }
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        _ = try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
        let program = try #require(plan.program)
        let built =
            LinkedProgram(program)?.tables ?? Set(BuildableSteps(program).fills.map { program.steps[$0].table })
        #expect(
            !program.steps.contains {
                if case .statement = $0.work { $0.phase == .keptTables } else { false }
            }, "rows are copied as they are in the end")
        return (try databaseContent(store.path), built)
    }

    @Test(arguments: Kind.allCases, [1, 3, 1000]) func theyAreBuilt(kind: Kind, size: Int) throws {
        var random = RandomNumbers(seed: UInt64(size))
        let options = MigrationOptions.limited(size == 1000 ? nil : size, &random)
        let written = try migrated(kind, .sqlite, options).content
        let (content, built) = try migrated(kind, .builder, options)
        for table in ["ACHANGE", "ATRANSACTION", "ANSCKRECORDMETADATA", "Plain", "own key", "falling"] {
            #expect(built.contains(table), "\(table)")
        }
        #expect(!built.contains("partial") && !built.contains("folded"))
        for (table, rows) in written { #expect(content[table] == rows, "\(table)") }
        let numbers = Set((content["ACHANGE"] ?? []).map { $0[3] })
        #expect(
            numbers == [
                .null, .integer(2), .integer(3), .integer(16010), .integer(16011), .integer(16012),
                .integer(16013), .integer(16014),
            ])
        #expect(content["Plain"]?.count == 301)
    }
}
