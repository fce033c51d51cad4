import Foundation
import ImportTestSupport
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// New stores whose objects are looked up in a working file hold what those hold that SQLite writes, and are built like
/// others.
@Suite struct WorkingFileTests {
    private static let entities = """
        <entity name="City"><attribute name="code" attributeType="String"/>
        <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="people.@count"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="city" \
        inverseEntity="Person"/></entity>
        <entity name="Person"><attribute name="number" attributeType="Integer 64"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="born" optional="YES" attributeType="Date"/>
        <attribute name="salary" optional="YES" attributeType="Decimal"/>
        <attribute name="weight" optional="YES" attributeType="Double"/>
        <relationship name="city" optional="YES" maxCount="1" destinationEntity="City" inverseName="people" \
        inverseEntity="City"/>
        <relationship name="chief" optional="YES" maxCount="1" destinationEntity="Person" inverseName="others" \
        inverseEntity="Person"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="Person" inverseName="chief" \
        inverseEntity="Person"/>
        <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
        inverseEntity="Person"/>
        <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="descending"/></fetchIndex>
        <fetchIndex name="named" partialIndexPredicate="name != nil"><fetchIndexElement property="name" type="Binary" \
        order="ascending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="number"/></uniquenessConstraint>\
        </uniquenessConstraints></entity>
        <entity name="Stamp"><attribute name="data" optional="YES" attributeType="Binary" \
        allowsExternalBinaryDataStorage="YES"/><attribute name="title" optional="YES" attributeType="String"/></entity>
        """

    /// Stamps are found by values that may be in files.
    private static let mapping = """
        import: 1
        sources:
          - {files: stamps.csv, entity: Stamp, key: data, attributes: {data: {from: data, binary: text}, title: title}}
          - {files: cities.csv, entity: City, key: code, attributes: [code]}
          - files: people.csv
            entity: Person
            key: number
            attributes: [number, name, born, salary, weight]
            relationships:
              city: {by: code, from: city, onMissing: create}
              chief: {by: number, from: chief}
              friends: {by: number, from: friends, separator: '|'}
        """

    private static func sources(_ count: Int) -> [(name: String, text: String)] {
        let people = (0..<count).map { row in
            let number = row * 7919 % 100_003 % (count - count / 9)
            let name = row % 11 == 0 ? "" : "name, \(row % 40) \(String(repeating: "é", count: row % 90 * (row % 7)))"
            return "\(number),\"\(name)\",2001-01-0\(row % 9 + 1)T00:00:0\(row % 10)Z,\(row % 7).\(row % 100),"
                + "\(row % 13 == 0 ? "x" : "\(Double(row) / 4)"),\(row % 5 == 0 ? "" : "C\(row % 12)"),"
                + "\(row % 3 == 0 ? "\(row * 5 % count)" : ""),\(row % 4 == 0 ? "\(row % 17)|\(row * 3 % count)" : "")\n"
        }
        let stamps = (0..<count / 4).map { "\(String(repeating: "s", count: $0 % 9 + 1)),t\($0)\n" }
        return [
            ("stamps.csv", "data,title\n" + stamps.joined()),
            ("cities.csv", "code\n" + (0..<9).map { "C\($0)\n" }.joined()),
            ("people.csv", "number,name,born,salary,weight,city,chief,friends\n" + people.joined()),
        ]
    }

    private static func options(_ rows: Int, _ writer: NewStoreWriter = .auto) -> ImportOptions {
        var options = ImportOptions(rows: rows, writer)
        options.fixedLimits.largestInline = 4
        return options
    }

    private func fixture(_ count: Int) throws -> (fixture: ImportFixture, paths: [String], plan: ImportRun.Plan) {
        let fixture = try ImportFixture(entities: Self.entities)
        let paths = try Self.sources(count).map { try fixture.write($0.text, as: $0.name) }
        return (fixture, paths, .mapping(try ImportMapping(yaml: Self.mapping)))
    }

    private func leftovers(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains("staging") || $0.contains("sort") || $0.hasSuffix("_SUPPORT") }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func theStoreIsThatWhichSQLiteWrites(rows: Int) throws {
        let pragmas: [[(name: String, value: String)]] = [
            [], [("page_size", "512"), ("auto_vacuum", "1")],
            [("page_size", "65536"), ("auto_vacuum", "0"), ("journal_mode", "delete")],
        ]
        for pragma in pragmas {
            func made(_ writer: NewStoreWriter) throws -> (fixture: ImportFixture, report: ImportReport) {
                let (fixture, paths, plan) = try fixture(400)
                var options = Self.options(rows, writer)
                options.pragmas = try StorePragmas(pragma)
                return (fixture, try fixture.run(paths, plan, options: options))
            }
            let (found, expected) = (try made(.auto), try made(.sqlite))
            #expect(found.report.writer == .builder && found.report.lookupReasons?.count == 1)
            #expect(expected.report.writer == .sqlite && expected.report.lookupReasons == nil)
            #expect(found.report.entities == expected.report.entities)
            #expect(found.report.rejected == expected.report.rejected && found.report.rejected > 0)
            #expect(try found.fixture.content() == expected.fixture.content())
            #expect(try found.fixture.faults() == [])
            #expect(try found.fixture.rows("PRAGMA integrity_check") == ["ok"])
            #expect(
                try DatabaseFile(path: found.fixture.store).usesWriteAheadLog
                    == !pragma.contains { $0.name == "journal_mode" })
            for name in ["page_size", "auto_vacuum"] {
                let expected = pragma.first { $0.name == name }?.value ?? (name == "page_size" ? "4096" : "2")
                #expect(try found.fixture.rows("PRAGMA \(name)") == [expected])
            }
            #expect(try leftovers(found.fixture.directory.path) == [".store_SUPPORT"])
        }
    }

    /// A dry run makes the same files, and says how much space they take.
    @Test(arguments: [NewStoreWriter.auto, .sqlite]) func aDryRunSaysHowMuchSpaceIsNeeded(writer: NewStoreWriter) throws
    {
        let (fixture, paths, plan) = try fixture(4000)
        var options = Self.options(1000, writer)
        options.isDryRun = true
        let trial = try fixture.run(paths, plan, options: options)
        let run = try fixture.run(paths, plan, options: Self.options(1000, writer))
        let size = try #require(FileSystem.size(fixture.store))
        let needed = (trial: try #require(trial.peakSpace), run: try #require(run.peakSpace))
        // With the working file, there are two files with all rows at one time; it has fewer indexes.
        #expect(needed.run >= (writer == .auto ? size * 5 / 4 : size) && needed.run < size * 3, "\(needed) \(size)")
        #expect(abs(needed.trial - needed.run) < size / 2, "\(needed) \(size)")
        #expect(trial.description.contains("Space needed in the folder of the store: "))
        #expect(!run.description.contains("Space needed"))
        // The store exists now.
        #expect(try fixture.run(paths, plan, options: options).peakSpace == nil)
    }

    /// All free pages are gone, and trees are as dense as the builder writes them.
    @Test func theStoreIsBuilt() throws {
        let (fixture, paths, plan) = try fixture(400)
        #expect(try fixture.run(paths, plan, options: Self.options(1000)).writer == .builder)
        #expect(try fixture.rows("PRAGMA freelist_count") == ["0"])
        let indexes = try fixture.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'ZFERRY%'")
        #expect(indexes == [])
        let built = try fixture.rows("PRAGMA page_count")
        let (other, others, _) = try self.fixture(400)
        try other.run(others, plan, options: Self.options(1000, .sqlite))
        let count = try #require(Int(built[0]))
        #expect(try Int(other.rows("PRAGMA page_count")[0]) ?? 0 > count)
    }

    @Test(arguments: [1, 3, 1000])
    func shardsMakeTheSameFile(rows: Int) throws {
        for count in [1, 2, 3, 7] {
            let (fixture, paths, plan) = try fixture(150)
            var options = ImportOptions(rows: rows)
            options.rejectsDirectory = nil
            let reports = try fixture.checkShards(count, paths, plan, options: options, "\(rows), \(count)")
            #expect(reports.whole.lookupReasons == reports.shards.lookupReasons)
            #expect(reports.whole.lookupReasons?.isEmpty == false)
        }
    }

    @Test func aDryRunSaysWhyObjectsAreLookedUpAndLeavesNothing() throws {
        let (fixture, paths, plan) = try fixture(40)
        var options = Self.options(1000, .auto)
        options.isDryRun = true
        let report = try fixture.run(paths, plan, options: options)
        #expect(report.description.contains("The builder writes the rows\n"))
        #expect(
            report.description.contains(
                "Objects were looked up in a working file: objects are found by values that may be stored in external files"
            ))
        #expect(!FileSystem.exists(fixture.store))
        #expect(try leftovers(fixture.directory.path) == [])
    }

    private static let checkpoints = ["batch imported", "working file filled", "working file copied", "all written"]

    @Test(arguments: checkpoints)
    func aCancelledRunLeavesNothing(checkpoint: String) throws {
        let (fixture, paths, plan) = try fixture(100)
        var options = Self.options(30)
        let isReached = Flag()
        options.onCheckpoint = { if $0 == checkpoint { isReached.set() } }
        options.isCancelled = { isReached.isSet }
        #expect(throws: ImportError.cancelled) { try fixture.run(paths, plan, options: options) }
        #expect(!FileSystem.exists(fixture.store))
        #expect(try leftovers(fixture.directory.path) == [])
    }

    /// What a killed run leaves is there while a checkpoint is reached.
    @Test(arguments: checkpoints)
    func whatAKilledRunLeavesIsRemovedByTheNextOne(checkpoint: String) throws {
        let (fixture, paths, plan) = try fixture(100)
        let (next, others, _) = try self.fixture(100)
        var options = Self.options(30)
        let isReached = Flag()
        options.onCheckpoint = { name in
            guard name == checkpoint, !isReached.isSet else { return }
            isReached.set()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)) ?? []
            for name in names where name.contains("staging") {
                try? FileManager.default.copyItem(
                    atPath: fixture.directory.file(name), toPath: next.directory.file(name))
            }
        }
        try fixture.run(paths, plan, options: options)
        let hasRows = try leftovers(next.directory.path).contains { $0.hasSuffix("-rows") }
        #expect(hasRows == (checkpoint != "all written"))
        options.onCheckpoint = nil
        try next.run(others, plan, options: options)
        #expect(try next.content() == fixture.content())
        #expect(try leftovers(next.directory.path) == [".store_SUPPORT"])
    }

    @Test(.enabled(if: MountedFolder.isPossible, "this user may not mount file systems"))
    func aFullDiskLeavesNothing() throws {
        let (fixture, paths, plan) = try fixture(2000)
        var messages: Set<String> = []
        for room in stride(from: 32, through: 1024, by: 48) {
            let disk = try MountedFolder(kilobytes: 4096)
            let target = ImportRun.Target(
                path: disk.file("store.sqlite"), model: fixture.model, newStore: fixture.target.newStore)
            try disk.fill(leaving: room << 10)
            var checkpoint = ""
            var options = Self.options(100)
            options.fixedLimits.largestInline = 1 << 20
            options.onCheckpoint = { checkpoint = $0 }
            do {
                _ = try ImportRun(target: target, sources: paths, plan: plan, options: options).run()
                break
            } catch let error as StoreError {
                #expect("\(error)".contains("space"), "\(error)")
                messages.insert(checkpoint)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["filler"])
        }
        // The disk was full while records were imported, and while the store was built.
        #expect(messages.contains("batch imported") && messages.contains("working file filled"), "\(messages)")
    }

    private final class Flag: @unchecked Sendable {
        private(set) var isSet = false
        func set() { isSet = true }
    }
}
