import Foundation
import ImportMappings
import ImportTestSupport
import RecordSources
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// Imports whose batches are durable one by one: beside other processes, interrupted, continued and given up.
@Suite struct BatchCommitTests {
    private let fixture: ImportFixture
    private static let mapping = """
        entity: Person
        key: name
        attributes: [name, age]
        relationships: {boss: {by: name, from: boss}}
        """

    private struct Stop: Error {}

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 16"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="reports" \
                inverseEntity="Person"/>
                <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
                inverseEntity="Person"/></entity>
                """)
    }

    private func text(_ names: [String], age: Int = 1) -> String {
        "name,age,boss\n" + names.map { "\($0),\(age),\n" }.joined()
    }

    private func run(
        _ text: String, as name: String = "big.csv", isResuming: Bool = false,
        atCheckpoint: ((String) throws -> Void)? = nil
    ) throws -> ImportReport {
        let path = try fixture.write(text, as: name)
        return try run(path: path, isResuming: isResuming, atCheckpoint: atCheckpoint)
    }

    private func run(
        path: String, isResuming: Bool = false, atCheckpoint: ((String) throws -> Void)? = nil
    ) throws -> ImportReport {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 2))
        options.commit = .batch
        options.isResuming = isResuming
        var failure: (any Error)?
        options.onCheckpoint = { name in
            do { try atCheckpoint?(name) } catch { failure = error }
        }
        options.isCancelled = { failure != nil }
        return try fixture.run(
            [path], .mapping(try ImportMapping(yaml: "import: 1\n" + Self.mapping)), options: options)
    }

    /// Stops behind the second batch.
    private func interrupt(_ text: String) throws {
        var batches = 0
        #expect(throws: ImportError.self) {
            _ = try run(text) { name in
                if name == "batch committed" { batches += 1 }
                if batches == 3 { throw Stop() }
            }
        }
    }

    private let names = "SELECT ZNAME FROM ZPERSON ORDER BY 1"

    @Test func anImportGoesOnBesideAConnectionThatHasTheStoreOpenAndOneThatReads() throws {
        _ = try run(text(["z"]))
        let idle = try Connection(path: fixture.store, access: .readWrite)
        defer { try? idle.close() }
        #expect(try idle.value("SELECT count(*) FROM ZPERSON") == .integer(1))
        let reader = try Connection(path: fixture.store, access: .readOnly)
        defer { try? reader.close() }
        try reader.execute("BEGIN")
        #expect(try reader.value("SELECT count(*) FROM ZPERSON") == .integer(1))
        let report = try run(text(["a", "b", "c", "d", "e"]))
        #expect(report.entities.first?.inserted == 5)
        try reader.execute("COMMIT")
        #expect(try idle.value("SELECT count(*) FROM ZPERSON") == .integer(6))
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [true, false])
    func objectsThatOthersMakeBetweenTwoBatchesAreFoundAndTheirKeysStayTheirs(isNew: Bool) throws {
        if !isNew { _ = try run(text(["z"])) }
        var isMade = false
        let report = try run(text(["a", "b", "c", "d", "e", "f"], age: 2)) { name in
            guard name == "batch committed", !isMade, try fixture.rows("SELECT 1 FROM ZPERSON WHERE ZNAME = 'a'") != []
            else { return }
            isMade = true
            let other = try Connection(path: fixture.store, access: .readWrite)
            defer { try? other.close() }
            try other.execute(
                "BEGIN IMMEDIATE; INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) "
                    + "SELECT Z_MAX + 1, 1, 1, 'e', 7 FROM Z_PRIMARYKEY; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1; COMMIT"
            )
        }
        #expect(isMade)
        #expect(report.entities.first?.updated == 1 && report.entities.first?.inserted == 5)
        #expect(
            try fixture.rows("SELECT ZNAME, ZAGE FROM ZPERSON WHERE ZNAME <> 'z' ORDER BY 1")
                == ["a|2", "b|2", "c|2", "d|2", "e|2", "f|2"])
        #expect(try fixture.faults() == [])
    }

    @Test func aSourceThatWasTouchedOrIsCalledByAnotherPathIsTheSameOne() throws {
        let all = text(["a", "b", "c", "d", "e", "f", "g"])
        try interrupt(all)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: fixture.directory.file("big.csv")
        )
        let folder = fixture.directory.path
        let report = try run(path: "\(folder)/../\((folder as NSString).lastPathComponent)/./big.csv", isResuming: true)
        #expect(report.sources.first?.records == 7)
        #expect(try fixture.rows(names) == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(try fixture.faults() == [])
    }

    @Test func aSourceWithOtherBytesWhereItWasReadIsRefusedAlsoAtTheSameSize() throws {
        let all = text(["a", "b", "c", "d", "e", "f", "g"])
        try interrupt(all)
        for other in [all.replacing("b,1", with: "b,2"), all + "h,1,\n"] {
            let path = try fixture.write(other, as: "big.csv")
            #expect(throws: ImportError.sourceChanged(path)) { try run(path: path, isResuming: true) }
        }
        _ = try run(all, isResuming: true)
        #expect(try fixture.rows(names).count == 7)
    }

    @Test func anImportThatIsGivenUpLeavesWhatItHasCommittedAndNothingOfItsOwn() throws {
        #expect(throws: (any Error).self) { try ImportRun.abandon(in: fixture.store) }
        try interrupt("name,age,boss\na,1,g\nb,1,g\nc,1,\nd,1,\ne,1,\nf,1,\ng,1,\n")
        try ImportRun.abandon(in: fixture.store)
        #expect(try fixture.rows(names).prefix(2) == ["a", "b"])
        #expect(try fixture.rows("SELECT name FROM sqlite_master WHERE name LIKE '%ferry%'") == [])
        #expect(try fixture.faults() == [])
        #expect(throws: ImportError.nothingToAbandon) { try ImportRun.abandon(in: fixture.store) }
        let report = try run("name,age,boss\na,1,g\nb,1,g\nc,1,\nd,1,\ne,1,\nf,1,\ng,1,\n")
        #expect(report.rejected == 0)
        #expect(try fixture.rows("SELECT count(*), count(ZBOSS) FROM ZPERSON") == ["7|2"])
        #expect(try fixture.faults() == [])
    }
}
