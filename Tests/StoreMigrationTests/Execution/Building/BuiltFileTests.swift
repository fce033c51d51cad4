import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import TestSupport
import Testing

/// New files that the builder writes hold what those hold that SQLite writes.
@Suite struct BuiltFileTests {
    private static let old = [
        entity(
            "Person", unique: [["number"]],
            [
                attribute("number", .integer64), attribute("name"), attribute("weight", .double),
                attribute("born", .date),
                attribute("photo", .binaryData), attribute("salary", .decimal),
            ],
            [relationship("tags", to: "Tag", inverse: "people", many: true)]),
        entity("Tag", [attribute("title")], [relationship("people", to: "Person", inverse: "tags", many: true)]),
    ]

    /// The new entity comes first: all entity numbers change, and with them all rows.
    private static let new = [
        entity("Address"),
        entity(
            "Person", unique: [["number"]],
            [
                attribute("number", .integer64), attribute("name"), attribute("weight", .double),
                attribute("born", .date),
                attribute("photo", .binaryData), attribute("salary", .decimal),
                attribute("note", .string, optional: false, default: .string("none")),
            ],
            [relationship("tags", to: "Tag", inverse: "people", many: true)]),
        entity("Tag", [attribute("title")], [relationship("people", to: "Person", inverse: "tags", many: true)]),
    ]

    private static func rows(_ count: Int) -> String {
        """
        WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < \(count))
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZNAME, ZWEIGHT, ZBORN, ZPHOTO, ZSALARY) SELECT n * 3 - 4, 1, 1,
        n * 7919 % 100003, CASE WHEN n % 7 THEN 'name ' || (n % 50) || char(0) || 'é' END, n / 4.0, n * 86400.5,
        CASE n % 5 WHEN 0 THEN zeroblob(n % 9000) END, CASE n % 3 WHEN 0 THEN 'NaN' ELSE n || '.25' END FROM i
        WHERE \(count) > 0;
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'a'), (5, 2, 4, NULL);
        INSERT INTO Z_1TAGS SELECT Z_PK, 5 FROM ZPERSON WHERE Z_PK % 2;
        """
    }

    private func migrated(
        _ count: Int, by writer: NewStoreWriter, usesLog: Bool, _ encoding: DatabaseFile.TextEncoding = .utf8
    ) throws -> TestStore {
        let store = try TestStore(
            from: Self.old, to: Self.new, rows: Self.rows(count), usesLog: usesLog, encoding: encoding)
        var options = MigrationOptions(limits: BatchLimits(rows: 100), verifiesFully: true)
        options.writer = writer
        let report = try store.migrate(options: options)
        #expect(report.description.contains("Person"))
        return store
    }

    @Test(arguments: [0, 1, 2000], [true, false])
    func bothWritersMakeTheSameFile(_ count: Int, usesLog: Bool) throws {
        let built = try migrated(count, by: .builder, usesLog: usesLog)
        let written = try migrated(count, by: .sqlite, usesLog: usesLog)
        #expect(try databaseContent(built.path) == databaseContent(written.path))
        let connection = try Connection(path: built.path, access: .readOnly)
        #expect(try connection.value("PRAGMA integrity_check") == "ok")
        #expect(try DatabaseFile(path: built.path).usesWriteAheadLog == usesLog)
        #expect(try connection.value("SELECT count(*) FROM ZPERSON WHERE ZNOTE = 'none'") == .integer(Int64(count)))
        try connection.close()
        #expect(try FileSystem.names(in: built.directory.path).filter { $0.contains("staging") } == [])
    }

    /// The bytes of texts are compared, too: SQLite may read different bytes as the same characters.
    @Test(arguments: [DatabaseFile.TextEncoding.utf16LittleEndian, .utf16BigEndian], [true, false])
    func bothWritersMakeTheSameFileInUTF16(_ encoding: DatabaseFile.TextEncoding, usesLog: Bool) throws {
        let built = try migrated(2000, by: .builder, usesLog: usesLog, encoding)
        let written = try migrated(2000, by: .sqlite, usesLog: usesLog, encoding)
        #expect(try databaseContent(built.path) == databaseContent(written.path))
        #expect(try DatabaseFile(path: built.path).textEncoding == encoding)
        let bytes = "SELECT hex(CAST(ZNAME AS BLOB)), hex(CAST(ZNOTE AS BLOB)), hex(CAST(ZSALARY AS BLOB)) FROM ZPERSON"
        #expect(try built.rows(bytes) == written.rows(bytes))
        #expect(try built.rows("PRAGMA integrity_check") == ["ok"])
    }

    /// Values that lose their external storage become part of the rows, whoever writes these.
    @Test func bothWritersReadExternalValues() throws {
        let name = "0A1B2C3D-0000-4000-8000-00000000000F"
        func migrated(by writer: NewStoreWriter) throws -> TestStore {
            let store = try TestStore(
                from: [entity("Photo", [attribute("image", .binaryData, external: true), attribute("text")])],
                to: [
                    entity("Album"),
                    entity("Photo", [attribute("image", .binaryData), attribute("note"), attribute("text")]),
                ],
                rows: """
                    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 300)
                    INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT, ZIMAGE, ZTEXT) SELECT n * 3, 1, 1, CASE n % 4
                    WHEN 0 THEN CAST(X'02' || '\(name)' || X'00' AS BLOB) WHEN 1 THEN CAST(X'01' || n AS BLOB) END,
                    'photo ' || n FROM i;
                    """)
            let folder = ".Store_SUPPORT/_EXTERNAL_DATA"
            try FileSystem.createDirectory(store.directory.file(folder))
            try store.directory.write(String(repeating: "x", count: 9000), to: folder + "/" + name)
            var options = MigrationOptions(limits: BatchLimits(rows: 7), verifiesFully: true)
            options.writer = writer
            try store.migrate(options: options)
            return store
        }
        let (built, written) = (try migrated(by: .builder), try migrated(by: .sqlite))
        #expect(try databaseContent(built.path) == databaseContent(written.path))
        #expect(
            try built.rows(
                "SELECT count(*), sum(length(ZIMAGE) = 9000), sum(ZIMAGE = CAST(Z_PK / 3 AS BLOB)) FROM ZPHOTO")
                == ["300|75|75"])
    }

    @Test func aFileThatIsNotNewCannotBeBuilt() throws {
        // A new column without a value changes no row.
        let store = try TestStore(
            from: [entity("Note", [attribute("text")])],
            to: [entity("Note", [attribute("text"), attribute("date", .date)])],
            rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) VALUES (1, 1, 'a')")
        var options = MigrationOptions()
        options.writer = .builder
        let error = #expect(throws: MigrationError.self) { try store.migrate(options: options) }
        #expect(
            error?.description.contains("the builder cannot write the new file, and nothing has changed") ?? false)
        #expect(try store.rows("SELECT Z_PK, ZTEXT FROM ZNOTE") == ["1|a"])
        options.writer = .auto
        try store.migrate(options: options)
        #expect(try store.rows("SELECT Z_PK, ZTEXT, ZDATE FROM ZNOTE") == ["1|a|"])
    }
}
