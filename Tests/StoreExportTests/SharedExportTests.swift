import GeneratedStores
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching
import TestSupport
import Testing
import Threading

@testable import StoreExport

/// Several threads write what one would write: records in the order of their keys, and none twice, whatever the windows
/// and blocks are.
@Suite struct SharedExportTests {
    private struct Item {
        let key: Int64
        let text: String?
        let number: Int?
        let isOther: Bool
    }

    private static func store(_ items: [Item]) throws -> TemporaryStore {
        let model = ManagedObjectModel(entities: [
            entity("Item", [attribute("text"), attribute("number", .integer64)]), entity("Other", parent: "Item"),
        ])
        let rows = items.map { item in
            "(\(item.key), (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(item.isOther ? "Other" : "Item")'), 1, "
                + "\(item.text.map { "'\($0)'" } ?? "NULL"), \(item.number.map(String.init) ?? "NULL"))"
        }
        return try TemporaryStore(
            model,
            rows: rows.isEmpty
                ? "" : "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNUMBER) VALUES " + rows.joined(separator: ", "))
    }

    private static func items(_ random: inout RandomNumbers) -> [Item] {
        var key: Int64 = 0
        return (0..<Int.random(in: 0...60, using: &random)).map { _ in
            // Dense stretches and long gaps.
            key += Int.random(in: 0...9, using: &random) == 0 ? Int64.random(in: 1...100_000, using: &random) : 1
            return Item(
                key: key, text: Bool.random(using: &random) ? String(repeating: "x", count: Int(key % 7)) : nil,
                number: Bool.random(using: &random) ? Int.random(in: -9...99, using: &random) : nil,
                isOther: Int.random(in: 0...3, using: &random) == 0)
        }
    }

    private static func limits(_ random: inout RandomNumbers) -> ExportLimits {
        var limits = ExportLimits()
        limits.sharedKeys = 0
        limits.windowRows = random.limit()
        limits.keysPerRow = Int64(random.limit())
        limits.waitingBlocks = random.limit()
        limits.readers = Int.random(in: 2...4, using: &random)
        limits.processors = limits.readers
        limits.output.block = random.limit()
        return limits
    }

    private static func file(_ format: ExportFormat) -> ExportFile {
        ExportFile(
            name: "items", entity: "Item", format: format,
            columns: ["text", "number"].map { ExportColumn(path: [$0], value: .keyPath($0)) })
    }

    private static func written(
        _ store: TemporaryStore, _ format: ExportFormat, _ limits: ExportLimits,
        _ change: (inout Exporter) -> Void = { _ in }
    ) throws -> (text: String, count: Int64) {
        let opened = try SQLiteStore(path: store.path)
        var exporter = Exporter(store: opened, layout: opened.layout(for: store.model))
        exporter.limits = limits
        change(&exporter)
        var bytes: [UInt8] = []
        let count = try exporter.write(file(format)) { bytes += $0 }
        return (String(decoding: bytes, as: UTF8.self), count)
    }

    /// The records as text.
    private static func expected(_ items: [Item], _ format: ExportFormat) -> String {
        func quoted(_ item: Item) -> String { item.text.map { "\"\($0)\"" } ?? "null" }
        func number(_ item: Item, _ null: String) -> String { item.number.map(String.init) ?? null }
        let objects = items.map { "{\"text\":\(quoted($0)),\"number\":\(number($0, "null"))}" }
        switch format {
        case .csv:
            let lines = items.map { item in
                "\(item.text.map { $0.isEmpty ? "\"\"" : $0 } ?? ""),\(number(item, ""))\n"
            }
            return "text,number\n" + lines.joined()
        case .ndjson: return objects.map { $0 + "\n" }.joined()
        case .json: return "[" + objects.enumerated().map { ($0 > 0 ? "," : "") + "\n" + $1 }.joined() + "\n]\n"
        case .xml:
            let elements = items.map { item in
                "<Item>" + (item.text.map { "<text>\($0)</text>" } ?? "")
                    + (item.number.map { "<number>\($0)</number>" } ?? "") + "</Item>\n"
            }
            return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ItemList>\n" + elements.joined() + "</ItemList>\n"
        }
    }

    @Test(arguments: [ExportFormat.csv, .ndjson, .json, .xml])
    func recordsAreThoseOfOneThread(format: ExportFormat) throws {
        for seed in RandomNumbers.seeds(16) {
            var random = RandomNumbers(seed: UInt64(seed))
            let items = Self.items(&random)
            let store = try Self.store(items)
            let own = items.filter { !$0.isOther }
            let limits = Self.limits(&random)
            var rows: Int64 = 0
            let found = try Self.written(store, format, limits) { exporter in
                exporter.onProgress = { rows = $0.rowsDone }
            }
            #expect(found.text == Self.expected(own, format), "seed \(seed)")
            #expect(found.count == own.count)
            #expect(rows == own.count)
        }
    }

    /// All objects are counted if the work takes long, by one thread or several; at the end their number is known anyway.
    @Test(arguments: [true, false], [1, 3])
    func allAreCountedWhereTheWorkTakesLong(isLong: Bool, processors: Int) throws {
        var random = RandomNumbers(seed: 4)
        let store = try Self.store(
            (1...300).map { Item(key: Int64($0), text: "t", number: $0, isOther: $0.isMultiple(of: 10)) })
        var limits = Self.limits(&random)
        limits.processors = processors
        limits.countingDelay = isLong ? .zero : .seconds(3600)
        var totals: Set<Int64?> = []
        let found = try Self.written(store, .csv, limits) { exporter in
            exporter.onProgress = { totals.insert($0.rowsTotal) }
        }
        #expect(found.count == 270)
        #expect(totals == (isLong ? [270] : [nil, 270]))
    }

    /// Threads that the system does not start leave the work to the one that is there.
    @Test func oneThreadWritesAllWhereNoOtherStarts() throws {
        var random = RandomNumbers(seed: 7)
        let items = Self.items(&random)
        let store = try Self.store(items)
        let found = try WorkerThread.$isRefused.withValue(true) {
            try Self.written(store, .csv, Self.limits(&random))
        }
        #expect(found.text == Self.expected(items.filter { !$0.isOther }, .csv))
    }

    /// An error ends the export where it is, and leaves no thread and no lock.
    @Test func theSinksErrorEndsAllThreads() throws {
        struct Full: Error {}
        var random = RandomNumbers(seed: 3)
        let store = try Self.store((1...500).map { Item(key: Int64($0), text: "t", number: $0, isOther: false) })
        let opened = try SQLiteStore(path: store.path)
        var exporter = Exporter(store: opened, layout: opened.layout(for: store.model))
        exporter.limits = Self.limits(&random)
        var blocks = 0
        #expect(throws: Full.self) {
            try exporter.write(Self.file(.csv)) { _ in
                blocks += 1
                if blocks == 40 { throw Full() }
            }
        }
        try opened.connection.close()
        let connection = try Connection(path: store.path, access: .readWrite)
        try connection.execute("BEGIN EXCLUSIVE; ROLLBACK")
    }

    /// Objects that a format cannot hold are named in the order of their keys, and left out.
    @Test func refusalsComeInTheOrderOfTheKeys() throws {
        var random = RandomNumbers(seed: 5)
        let store = try Self.store(
            (1...100).map {
                Item(key: Int64($0), text: $0.isMultiple(of: 7) ? "\u{1}" : "t", number: $0, isOther: false)
            })
        var refused: [String] = []
        let found = try Self.written(store, .xml, Self.limits(&random)) { exporter in
            exporter.onRefusal = { refused.append($0.uri) }
        }
        #expect(refused == stride(from: 7, through: 98, by: 7).map { store.uri("Item", $0) })
        #expect(found.count == 86)
    }

    /// What a writer has in the log, or begins while the store is read, is for one thread to see.
    @Test func aStoreThatMayChangeIsReadByOneThread() throws {
        let store = try Self.store((1...50).map { Item(key: Int64($0), text: "t", number: $0, isOther: false) })
        let opened = try SQLiteStore(path: store.path)
        #expect(opened.readers(2).isEmpty, "no transaction")
        try opened.connection.execute("BEGIN")
        _ = try opened.connection.value("SELECT count(*) FROM ZITEM")
        #expect(opened.readers(2).count == 2)
        try opened.connection.execute("COMMIT")
        try opened.connection.close()
        let writer = try Connection(path: store.path, access: .readWrite)
        _ = try writer.value("PRAGMA journal_mode = WAL")
        try writer.execute("UPDATE ZITEM SET ZNUMBER = 1000 WHERE Z_PK = 1")
        let reader = try SQLiteStore(path: store.path)
        try reader.connection.execute("BEGIN")
        _ = try reader.connection.value("SELECT count(*) FROM ZITEM")
        #expect(reader.readers(2).isEmpty)
        var random = RandomNumbers(seed: 1)
        let found = try Self.written(store, .csv, Self.limits(&random))
        #expect(found.text.hasPrefix("text,number\nt,1000\nt,2\n"))
        #expect(found.count == 50)
    }

    /// Ctrl-C does not have to wait for the last record.
    @Test func aCancelledExportEndsInTheMiddle() throws {
        var random = RandomNumbers(seed: 9)
        let store = try Self.store((1...500).map { Item(key: Int64($0), text: "t", number: $0, isOther: false) })
        var (questions, rows) = (0, Int64(0))
        #expect(throws: SQLiteError.self) {
            try Self.written(store, .csv, Self.limits(&random)) { exporter in
                exporter.onProgress = { rows = $0.rowsDone }
                exporter.isCancelled = {
                    questions += 1
                    return questions > 3
                }
            }
        }
        #expect(rows < 500)
    }

    /// All files are of the state that the store had at first, whatever is committed while they are written.
    @Test func filesAreOfOneState() throws {
        let store = try Self.store((1...20).map { Item(key: Int64($0), text: "t", number: $0, isOther: $0 > 10) })
        let writer = try Connection(path: store.path, access: .readWrite)
        _ = try writer.value("PRAGMA journal_mode = WAL")
        try writer.execute("UPDATE ZITEM SET ZNUMBER = 0 WHERE Z_PK = 1")
        let opened = try SQLiteStore(path: store.path)
        var exporter = Exporter(store: opened, layout: opened.layout(for: store.model))
        var isChanged = false
        exporter.onProgress = { _ in
            guard !isChanged else { return }
            isChanged = true
            #expect(throws: Never.self) { try writer.execute("DELETE FROM ZITEM WHERE Z_PK > 5") }
        }
        var other = Self.file(.csv)
        (other.name, other.entity) = ("others", "Other")
        let counts = try exporter.write([Self.file(.csv), other], into: store.directory.file("files"))
        #expect(isChanged)
        #expect(counts == [10, 10])
    }

    // MARK: Pages

    /// What the columns of a row may have, whatever their type says: also what SQLite stores in another form.
    private static let literals = [
        "NULL", "0", "1", "-7", "9223372036854775807", "-9223372036854775808", "300", "70000", "5000000000", "2.0",
        "0.1",
        "-1e300", "1e999", "''", "'text'", "'12'", "'3.0'", "'a,\"b\"' || char(10) || 'c'", "CAST(x'ff41' AS TEXT)",
        "x''", "x'00ff'", "randomblob(0) || x'0102'", "CAST(zeroblob(700) AS TEXT)", "zeroblob(3000)",
        "printf('%.*c', 2500, 'y')", "x'000102030405060708090a0b0c0d0e0f'",
    ]

    private static let types: [AttributeType] = [
        .string, .integer16, .integer64, .double, .float, .boolean, .date, .decimal, .binaryData, .uuid, .uri,
    ]

    /// A store whose rows have any values in columns of any type.
    private static func storeOfAllTypes(_ random: inout RandomNumbers) throws -> TemporaryStore {
        let model = ManagedObjectModel(entities: [
            entity("Item", types.enumerated().map { attribute("a\($0)", $1) }), entity("Other", parent: "Item"),
        ])
        let count = Int.random(in: 1...40, using: &random)
        let rows = (1...count).map { key in
            let entity = Int.random(in: 0...3, using: &random) == 0 ? "Other" : "Item"
            let values = types.map { _ in literals.randomElement(using: &random) ?? "NULL" }
            return "(\(key * 3), (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'), 1, "
                + values.joined(separator: ", ") + ")"
        }
        let columns = types.indices.map { "ZA\($0)" }.joined(separator: ", ")
        return try TemporaryStore(
            model, rows: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES " + rows.joined(separator: ", "))
    }

    /// Everything that an export gives: its text, and what it left out.
    private static func exported(
        _ store: TemporaryStore, _ entity: String, _ format: ExportFormat, _ limits: ExportLimits,
        isNested: Bool
    ) throws -> [String] {
        let opened = try SQLiteStore(path: store.path)
        var exporter = Exporter(store: opened, layout: opened.layout(for: store.model))
        exporter.limits = limits
        let attribute = format == .xml ? "@" : ""
        func path(_ index: Int) -> [String] {
            guard isNested else { return ["a\(index)"] }
            return index < 4 ? ["group", "a\(index)"] : [(index > 7 ? attribute : "") + "a\(index)"]
        }
        var refused: [String] = []
        exporter.onRefusal = { refused.append("\($0.uri): \($0.reason)") }
        let file = ExportFile(
            name: "items", entity: entity, format: format,
            columns: types.indices.map { ExportColumn(path: path($0), value: .keyPath("a\($0)")) })
        var bytes: [UInt8] = []
        let count = try exporter.write(file) { bytes += $0 }
        return ["\(count)", bytes.map { String($0, radix: 16) }.joined(separator: " ")] + refused
    }

    /// Rows from pages are those that SQLite reads, whatever is in them; also of columns that came later, with and without
    /// a default.
    @Test(arguments: [ExportFormat.csv, .ndjson, .json, .xml])
    func rowsOfPagesAreThoseOfSQLite(format: ExportFormat) throws {
        for seed in RandomNumbers.seeds(24) {
            var random = RandomNumbers(seed: UInt64(seed))
            let store = try Self.storeOfAllTypes(&random)
            let connection = try Connection(path: store.path, access: .readWrite)
            if seed.isMultiple(of: 2) {
                let ending = seed.isMultiple(of: 4) ? " DEFAULT 7" : ""
                try connection.execute(
                    "DROP INDEX IF EXISTS Z_Item_a1; ALTER TABLE ZITEM DROP COLUMN ZA1; "
                        + "ALTER TABLE ZITEM ADD COLUMN ZA1 INTEGER\(ending); UPDATE ZITEM SET ZA1 = 5 WHERE Z_PK % 2 = 0"
                )
            }
            if seed.isMultiple(of: 3) { try connection.execute("PRAGMA page_size = 512; VACUUM") }
            try connection.close()
            var limits = Self.limits(&random)
            for entity in ["Item", "Other"] {
                for isNested in format == .csv ? [false] : [false, true] {
                    limits.readsPages = true
                    let found = try Self.exported(store, entity, format, limits, isNested: isNested)
                    limits.readsPages = false
                    #expect(
                        try Self.exported(store, entity, format, limits, isNested: isNested) == found, "seed \(seed)")
                }
            }
        }
    }

    /// A page that is not what leads to it ends the export with an error, wherever it is.
    @Test func damagedPagesAreErrors() throws {
        let store = try Self.store((1...2000).map { Item(key: Int64($0), text: "text", number: $0, isOther: false) })
        let connection = try Connection(path: store.path, access: .readWrite)
        let size = Int(try connection.value("PRAGMA page_size").integer ?? 0)
        let root = Int(try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = 'ZITEM'").integer ?? 0)
        try connection.close()
        var bytes = try FileSystem.contents(of: store.path, upTo: 1 << 24)
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        let start = (root - 1) * size
        // The second child of the root, which neither the first nor the last key leads to.
        let child = number(start + number(start + 14, 2), 4)
        try #require(bytes[start] == 5 && bytes[(child - 1) * size] == 13)
        bytes[(child - 1) * size] = 10
        try FileSystem.remove(store.path)
        try FileSystem.writeFile(bytes, to: store.path)
        var random = RandomNumbers(seed: 2)
        let limits = Self.limits(&random)
        let error = #expect(throws: SQLiteError.self) { try Self.written(store, .csv, limits) }
        #expect(error?.message.contains("page \(child) is damaged") ?? false)
    }
}
