import Foundation
import ImportTestSupport
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

@testable import ImportMappings
@testable import StoreImport

/// Imports that read the rows of the store from its pages do what they do where SQLite finds all rows.
@Suite struct EarlierRowsImportTests {
    private static let entities = """
        <entity name="Part"><attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
        <attribute name="code" attributeType="String"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="at" optional="YES" attributeType="Date"/>
        <attribute name="size" optional="YES" attributeType="Double"/>
        <attribute name="flag" optional="YES" attributeType="Boolean"/>
        <attribute name="data" optional="YES" attributeType="Binary"/>
        <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="parts"
        inverseEntity="Box"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="code"/><constraint value="number"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
        <entity name="Spare" parentEntity="Part"><attribute name="extra" optional="YES" attributeType="String"/></entity>
        <entity name="Box"><attribute name="code" attributeType="String"/>
        <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part" inverseName="box"
        inverseEntity="Part"/></entity>
        """

    private struct Record {
        var number: Int
        var price = ""
        var at = ""
        var size = ""
        var flag = ""
        var data = ""
        var box = ""

        init(_ number: Int, _ random: inout RandomNumbers) {
            self.number = number
            for property in 0..<6 { change(property, &random) }
        }

        mutating func change(_ property: Int, _ random: inout RandomNumbers) {
            let value = Int.random(in: 0..<5, using: &random)
            switch property {
            case 0: price = ["", "1", "2.50", "-0.125", "12345678901234567890.5"][value]
            case 1: at = ["", "2001-01-01T00:00:00Z", "2020-02-03T04:05:06Z", "2020-02-03T04:05:06.5Z", ""][value]
            case 2: size = ["", "0", "2", "2.5", "-1e300"][value]
            case 3: flag = ["", "true", "false", "true", "false"][value]
            case 4: data = ["", "AA==", "AAEC", String(repeating: "QUJD", count: 400), "AAEC"][value]
            default: box = ["", "B0", "B1", "B2", "B\(number % 9 + 3)"][value]
            }
        }

        var line: String { "\(number),c\(number * 31 % 1000),\(price),\(at),\(size),\(flag),\(data),\(box)\n" }
    }

    private static func mapping(_ key: String, _ match: String, entity: String) -> String {
        """
        import: 1
        sources:
          - files: 'parts*.csv'
            entity: \(entity)
            key: \(key)
            onMatch: \(match)
            attributes: {number: number, code: code, price: price, at: at, size: size, flag: flag, data: data}
            relationships: {box: {by: code, from: box, onMissing: create}}

        """
    }

    private enum Way {
        case pages, statements
    }

    /// Imports files into a copy of the store.
    ///
    /// - Returns: the content, what was done, and whether rows were read from pages.
    private func run(
        _ files: [[Record]], _ mapping: String, onto fixture: ImportFixture, _ way: Way, _ options: ImportOptions
    ) throws -> (content: [String], report: ImportReport, readsPages: Bool) {
        let copy = try ImportFixture(entities: Self.entities)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: fixture.store + suffix) {
            try FileManager.default.copyItem(atPath: fixture.store + suffix, toPath: copy.store + suffix)
        }
        let paths = try files.enumerated().map { index, records in
            try copy.write(
                "number,code,price,at,size,flag,data,box\n" + records.map(\.line).joined(), as: "parts\(index).csv")
        }
        var options = options
        if way == .statements { options.fixedLimits.notedRowGroups = 0 }
        var readsPages = false
        options.onCheckpoint = { if $0 == "rows read from pages" { readsPages = true } }
        let report = try copy.run(paths, .mapping(try ImportMapping(yaml: mapping)), options: options)
        let content = try copy.rows(
            "SELECT Z_PK, p.Z_ENT, p.Z_OPT, ZNUMBER, p.ZCODE, ZPRICE, typeof(ZPRICE), ZAT, ZSIZE, ZFLAG, length(ZDATA), "
                + "ZEXTRA, (SELECT b.ZCODE FROM ZBOX b WHERE b.Z_PK = ZBOX) FROM ZPART p ORDER BY 1")
        #expect(try copy.rows("PRAGMA integrity_check") == ["ok"])
        return (content, report, readsPages)
    }

    /// The same files both ways.
    ///
    /// - Returns: whether rows were read from pages.
    @discardableResult
    private func compare(
        _ files: [[Record]], _ mapping: String, onto fixture: ImportFixture, _ options: ImportOptions, _ context: String
    ) throws -> Bool {
        let pages = try run(files, mapping, onto: fixture, .pages, options)
        let statements = try run(files, mapping, onto: fixture, .statements, options)
        try #require(pages.content == statements.content, "\(context)")
        try #require(pages.report.entities == statements.report.entities, "\(context)")
        try #require(pages.report.rejected == statements.report.rejected, "\(context)")
        #expect(!statements.readsPages)
        return pages.readsPages
    }

    /// A store of some parts, a few of which are spares.
    private func store(_ records: [Record]) throws -> ImportFixture {
        let fixture = try ImportFixture(entities: Self.entities)
        let spares = records.filter { $0.number % 20 == 0 }
        let header = "number,code,price,at,size,flag,data,box\n"
        let parts = try fixture.write(header + records.map(\.line).joined(), as: "parts.csv")
        let extra = try fixture.write(header + spares.map(\.line).joined(), as: "spares.csv")
        func run(_ path: String, _ entity: String, _ name: String) throws {
            let text = Self.mapping("number", "update", entity: entity)
            let mapping = try ImportMapping(yaml: text.replacingOccurrences(of: "parts*", with: name))
            try fixture.run([path], .mapping(mapping))
        }
        try run(extra, "Spare", "spares")
        try run(parts, "Part", "parts")
        return fixture
    }

    private static func options(_ rows: Int, _ random: inout RandomNumbers) -> ImportOptions {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.fixedLimits.notedRowGroups = [1, 2, 7, 100, 1 << 20].randomElement(using: &random) ?? 1
        options.fixedLimits.pages.rows = [40, 4096].randomElement(using: &random) ?? 40
        options.fixedLimits.pages.keys = options.fixedLimits.pages.rows
        options.fixedLimits.fetchedKeys = [1, 3, 500].randomElement(using: &random) ?? 1
        options.fixedLimits.cachedObjects = [0, 2, 20_000].randomElement(using: &random) ?? 0
        return options
    }

    /// The records of a store with some changed, moved, gone, doubled and new.
    private static func variation(_ records: [Record], _ random: inout RandomNumbers) -> [Record] {
        var varied: [Record] = []
        let share = [200, 40, 4].randomElement(using: &random) ?? 40
        for var record in records {
            switch Int.random(in: 0..<share, using: &random) {
            case 0: continue
            case 1: record.change(Int.random(in: 0..<6, using: &random), &random)
            case 2: varied.append(Record(100_000 + varied.count, &random))
            case 3: varied.append(record)
            default: break
            }
            varied.append(record)
        }
        if Bool.random(using: &random), varied.count > 200 { varied[100..<200].shuffle(using: &random) }
        return varied
    }

    @Test(arguments: [1, 7, 50, 1000], RandomNumbers.seeds(6))
    func filesThatComeAgainWithChangesHaveTheSameEffect(rows: Int, seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed * 7919 + rows))
        let records = (0..<600).map { Record($0 * 7 % 601 + 1, &random) }
        let fixture = try store(records)
        let connection = try Connection(path: fixture.store, access: .readWrite)
        if Bool.random(using: &random) { try connection.execute("PRAGMA journal_mode = DELETE") }
        try connection.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZPART SET ZSIZE = 17 WHERE ZNUMBER % 90 = 0")
        if Bool.random(using: &random) {
            try connection.execute(
                "CREATE TRIGGER Others AFTER UPDATE ON ZPART WHEN NEW.ZNUMBER % 3 = 0 BEGIN "
                    + "UPDATE ZPART SET ZSIZE = 99 WHERE Z_PK = NEW.Z_PK + 4; END")
        }
        // The log stays beside the file while a connection is open.
        if Int.random(in: 0..<3, using: &random) > 0 { try connection.close() }
        let hasLog = connection.logSize > 0
        defer { withExtendedLifetime(connection) {} }
        let key = ["number", "code", "[code, number]"].randomElement(using: &random) ?? "number"
        let match = ["update", "update", "fill", "skip", "error"].randomElement(using: &random) ?? "update"
        let files = [records, Self.variation(records, &random), Self.variation(records, &random)]
        let readsPages = try compare(
            files, Self.mapping(key, match, entity: "Part"), onto: fixture, Self.options(rows, &random),
            "seed \(seed), rows \(rows), \(key), \(match)")
        // A batch of one record says nothing of the order, and one of all leaves none behind it.
        if rows == 7 || rows == 50 { #expect(readsPages == !hasLog) }
    }

    @Test func aFileThatChangesNothingReadsPagesAndWritesNone() throws {
        var random = RandomNumbers(seed: 5)
        let records = (0..<900).map { Record($0 * 7 % 901 + 1, &random) }
        let fixture = try store(records)
        let before = try fixture.rows("SELECT * FROM ZPART")
        let mapping = Self.mapping("number", "update", entity: "Part")
        let found = try run(
            [records], mapping, onto: fixture, .pages, ImportOptions(limits: RecordBatch.Limits(rows: 100)))
        #expect(found.readsPages)
        let part = try #require(found.report.entities.first { $0.entity == "Part" })
        #expect(part.unchanged == 900 && part.updated == 0 && part.inserted == 0)
        #expect(try fixture.rows("SELECT * FROM ZPART") == before)
    }

    @Test func storesWhosePagesDoNotSayAllAreReadBySQLite() throws {
        var random = RandomNumbers(seed: 6)
        let records = (0..<300).map { Record($0 + 1, &random) }
        for change in [
            "CREATE TRIGGER Ending AFTER UPDATE ON ZBOX BEGIN DELETE FROM ZPART; END",
            "CREATE TABLE Other (a UNIQUE ON CONFLICT REPLACE)",
            "ALTER TABLE ZPART ADD COLUMN More GENERATED ALWAYS AS (ZNUMBER + 1)",
        ] {
            let fixture = try store(records)
            let connection = try Connection(path: fixture.store, access: .readWrite)
            try connection.execute(change)
            try connection.close()
            let options = ImportOptions(limits: RecordBatch.Limits(rows: 20))
            let readsPages = try compare(
                [Self.variation(records, &random)], Self.mapping("number", "update", entity: "Part"), onto: fixture,
                options, change)
            #expect(!readsPages)
        }
    }

    @Test func textsInUTF16AreReadBySQLite() throws {
        var random = RandomNumbers(seed: 7)
        let records = (0..<300).map { Record($0 + 1, &random) }
        let fixture = try store(records)
        let other = fixture.directory.file("other.sqlite")
        let (source, target) = (
            try Connection(path: fixture.store, access: .readWrite), try Connection(path: other, access: .create)
        )
        try target.execute("PRAGMA encoding = 'UTF-16le'")
        for row in try source.rows(
            "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type <> 'table', type = 'trigger'"
        ) {
            let (name, sql) = (row[0].string ?? "", row[1].string ?? "")
            try target.execute(sql)
            guard row[2].string == "table" else { continue }
            for values in try source.rows("SELECT * FROM \(SQLiteIdentifier.quoted(name))") {
                let marks = values.map { _ in "?" }.joined(separator: ", ")
                try target.execute("INSERT INTO \(SQLiteIdentifier.quoted(name)) VALUES (\(marks))", values)
            }
        }
        try source.close()
        try target.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: fixture.store + suffix) }
        try FileManager.default.moveItem(atPath: other, toPath: fixture.store)
        let readsPages = try compare(
            [Self.variation(records, &random)], Self.mapping("code", "update", entity: "Part"), onto: fixture,
            ImportOptions(limits: RecordBatch.Limits(rows: 20)), "UTF-16")
        #expect(!readsPages)
    }
}
