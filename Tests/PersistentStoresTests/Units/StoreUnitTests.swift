import Foundation
import PersistentStores
import SQLiteAccess
import Testing
import TestSupport

/// A store with a log and external data is copied, moved and removed as one.
@Suite struct StoreUnitTests {
    private static let record = "0B7E0C0E-5B3D-4E0F-9C52-3B1F2A7C9D10"

    private let directory: TemporaryDirectory
    private let store: String

    init() throws {
        directory = try TemporaryDirectory()
        store = try Self.make("Store.sqlite", rows: 3, record: Self.record, in: directory)
    }

    /// A database in WAL mode whose last rows are only in the log, with a file of external data.
    private static func make(
        _ name: String, rows: Int, record: String, in directory: TemporaryDirectory
    ) throws -> String {
        let path = directory.file(name)
        let connection = try Connection(path: path, access: .create)
        connection.setCheckpointOnClose(false)
        _ = try connection.value("PRAGMA journal_mode = WAL")
        try connection.execute("CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY)")
        _ = try connection.value("PRAGMA wal_checkpoint")
        for row in 1...rows { try connection.execute("INSERT INTO ZTHING VALUES (\(row))") }
        try connection.close()
        let files = StoreFiles(path)
        try FileSystem.createDirectory(files.externalDataDirectory)
        try Data(record.utf8).write(to: URL(fileURLWithPath: files.externalDataDirectory + "/" + record))
        return path
    }

    private func unit(
        _ path: String, replacing: Bool = false, onCheckpoint: ((String) -> Void)? = nil
    ) throws -> StoreUnit {
        var options = StoreUnit.Options()
        options.isReplacing = replacing
        options.timeout = 0
        options.onCheckpoint = onCheckpoint
        return try StoreUnit(path: path, followsLinks: false, options: options)
    }

    private func rows(_ path: String) throws -> Int64? {
        try Connection(path: path, access: .readOnly).value("SELECT count(*) FROM ZTHING").integer
    }

    private func records(_ path: String) throws -> [String] {
        try FileSystem.names(in: StoreFiles(path).externalDataDirectory)
    }

    @Test func aCopyIsWholeAndTheStoreIsAsItWas() throws {
        let before = try FolderState(of: directory.path)
        let copy = directory.file("Copy.sqlite")
        #expect(try unit(store).copy(to: copy) == [])
        #expect(try rows(copy) == 3)
        #expect(try records(copy) == [Self.record])
        #expect(try DatabaseFile(path: copy).usesWriteAheadLog)
        let added = try FolderState(of: directory.path).byteDifferences(from: before)
        let folder = ".Copy_SUPPORT/_EXTERNAL_DATA"
        #expect(added == [".Copy_SUPPORT", folder, "\(folder)/\(Self.record)", "Copy.sqlite"])
    }

    @Test func aMoveTakesEverythingAlong() throws {
        #expect(try unit(store).move(to: directory.file("Moved.sqlite")) == [])
        #expect(try rows(directory.file("Moved.sqlite")) == 3)
        #expect(try records(directory.file("Moved.sqlite")) == [Self.record])
        #expect(try FileSystem.names(in: directory.path) == [".Moved_SUPPORT", "Moved.sqlite"])
    }

    @Test(.enabled(if: MountedFolder.isPossible))
    func aMoveToAnotherFileSystemCopies() throws {
        let mounted = try MountedFolder(kilobytes: 512)
        #expect(try unit(store).move(to: mounted.file("Moved.sqlite")) == [])
        #expect(try rows(mounted.file("Moved.sqlite")) == 3)
        #expect(try FileSystem.names(in: directory.path) == [])
    }

    @Test(.enabled(if: MountedFolder.isPossible))
    func aFullFileSystemLeavesTheStoreWhereItIs() throws {
        let mounted = try MountedFolder(kilobytes: 512)
        try mounted.fill(leaving: 6000)
        #expect(throws: StoreError.self) { try unit(store).move(to: mounted.file("Moved.sqlite")) }
        #expect(try FileSystem.names(in: mounted.path) == ["filler"])
        #expect(try rows(store) == 3)
        #expect(try records(store) == [Self.record])
    }

    @Test func nothingIsLeftOfARemovedStore() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: store)
        #expect(try unit(store).remove() == [])
        #expect(try FileSystem.names(in: directory.path) == [])
    }

    @Test func aDamagedStoreIsRemovedToo() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store)))
        try directory.write(Array(bytes.prefix(100)) + [UInt8](repeating: 0xEE, count: 5000), to: "Store.sqlite")
        #expect(try unit(store).remove() == [])
        #expect(try FileSystem.names(in: directory.path) == [])
    }

    @Test(arguments: [false, true])
    func theStoreAtTheDestinationIsReplacedOnlyWhenAsked(isMoved: Bool) throws {
        let other = "AAAAAAAA-5B3D-4E0F-9C52-3B1F2A7C9D10"
        let destination = try Self.make("Other.sqlite", rows: 9, record: other, in: directory)
        func run(_ unit: StoreUnit) throws -> [String] {
            try isMoved ? unit.move(to: destination) : unit.copy(to: destination)
        }
        let before = try FolderState(of: directory.path)
        #expect(throws: StoreError.self) { try run(unit(store)) }
        if !isMoved { #expect(try FolderState(of: directory.path).byteDifferences(from: before) == []) }
        #expect(try run(unit(store, replacing: true)) == [])
        #expect(try rows(destination) == 3)
        #expect(try records(destination) == [Self.record])
        #expect(FileSystem.exists(store) != isMoved)
    }

    @Test func whatIsNoStoreIsNeverReplaced() throws {
        let text = try directory.write("my thesis", to: "thesis.txt")
        #expect(throws: StoreError.self) { try unit(store, replacing: true).copy(to: text) }
        #expect(throws: StoreError.self) { try unit(store, replacing: true).move(to: text) }
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "my thesis")
        #expect(try rows(store) == 3)
    }

    @Test func anOpenStoreIsNeitherMovedNorRemoved() throws {
        let session = try SQLiteSession(on: store, running: "BEGIN; SELECT count(*) FROM ZTHING;")
        #expect(throws: StoreError.self) { try unit(store).move(to: directory.file("Moved.sqlite")) }
        #expect(throws: StoreError.self) { try unit(store).remove() }
        #expect(!FileSystem.exists(directory.file("Moved.sqlite")))
        // A copy only reads.
        #expect(try unit(store).copy(to: directory.file("Copy.sqlite")) == [])
        try session.run("COMMIT;")
        #expect(try rows(store) == 3)
    }

    @Test func aStoreThatIsWrittenToMeanwhileIsNotCopied() throws {
        let session = try SQLiteSession(on: store)
        let unit = try unit(store) { if $0 == "copied" { _ = try? session.run("INSERT INTO ZTHING VALUES (100);") } }
        #expect(throws: StoreError.self) { try unit.copy(to: directory.file("Copy.sqlite")) }
        #expect(!FileSystem.exists(directory.file("Copy.sqlite")))
        #expect(!FileSystem.exists(directory.file(".Copy_SUPPORT")))
    }

    /// A store of 5000 objects that a program left in a transaction which changes them all.
    private func interruptedStore(in folder: TemporaryDirectory) throws -> StoreFiles {
        let original = folder.file("original.sqlite")
        let connection = try Connection(path: original, access: .create)
        try connection.execute(
            "CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, X); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                + "FROM n WHERE i < 5000) INSERT INTO ZTHING SELECT i, i FROM n")
        try connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE ZTHING SET X = -1")
        let hot = StoreFiles(folder.file("Hot.sqlite"))
        try FileSystem.copyFile(original + "-journal", to: hot.journal)
        try FileSystem.copyFile(original, to: hot.path)
        try connection.execute("ROLLBACK")
        try connection.close()
        return hot
    }

    /// Reading changes nothing: the copy is that of the store before the transaction.
    @Test(arguments: [true, false])
    func theTransactionOfAProgramThatDiedIsRolledBackInTheCopyOnly(isReplacing: Bool) throws {
        let folder = try TemporaryDirectory()
        let hot = try interruptedStore(in: folder)
        let before = try [hot.path, hot.journal].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let copy = folder.file("Copy.sqlite")
        if isReplacing { try FileSystem.copyFile(store, to: copy) }
        #expect(try unit(hot.path, replacing: isReplacing).copy(to: copy) == [])
        #expect(try [hot.path, hot.journal].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
        let connection = try Connection(path: copy, access: .readOnly)
        #expect(try connection.value("SELECT count(*) FROM ZTHING WHERE X = Z_PK") == .integer(5000))
        #expect(try connection.value("PRAGMA integrity_check") == .string("ok"))
        #expect(!FileSystem.exists(StoreFiles(copy).journal))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["Copy.sqlite", "Hot.sqlite", "Hot.sqlite-journal", "original.sqlite"])
    }

    /// The transaction of a program that died is rolled back on the way: that is no change by others.
    @Test(arguments: ["move", "remove", "replace"])
    func aJournalThatIsRolledBackIsNoReasonToTryAgain(what: String) throws {
        let folder = try TemporaryDirectory()
        let hot = try interruptedStore(in: folder)
        switch what {
        case "move":
            #expect(try unit(hot.path).move(to: folder.file("Moved.sqlite")) == [])
            #expect(try rows(folder.file("Moved.sqlite")) == 5000)
        case "remove":
            #expect(try unit(hot.path).remove() == [])
        default:
            #expect(try unit(store, replacing: true).copy(to: hot.path) == [])
            #expect(try rows(hot.path) == 3)
        }
        #expect(!FileSystem.exists(hot.journal))
    }

    @Test func linksAreNotFollowed() throws {
        let outside = try directory.write("outside", to: "outside.txt")
        let link = StoreFiles(store).externalDataDirectory + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
        #expect(throws: StoreError.self) { try unit(store).copy(to: directory.file("Copy.sqlite")) }
        #expect(throws: StoreError.self) { try unit(store).move(to: directory.file("Moved.sqlite")) }
        try FileManager.default.createSymbolicLink(atPath: directory.file("Link"), withDestinationPath: "Store.sqlite")
        #expect(throws: StoreError.self) { try unit(directory.file("Link")) }
        #expect(try unit(store).remove() == [])
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "outside")
    }

    @Test func aFolderThatIsSharedStays() throws {
        try FileManager.default.copyItem(atPath: store, toPath: directory.file("Store.other"))
        #expect(try unit(store).remove().count == 1)
        #expect(try records(directory.file("Store.other")) == [Self.record])
        #expect(throws: StoreError.self) {
            try unit(directory.file("Store.other")).copy(to: directory.file("Store.third"))
        }
    }

    @Test(arguments: [StoreType.xml, .binary])
    func otherTypesAreSingleFiles(type: StoreType) throws {
        let folder = try TemporaryDirectory()
        let path = try MetadataStore.make(type, in: folder)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try unit(path).copy(to: folder.file("Copy")) == [])
        #expect(try unit(path).move(to: folder.file("Moved")) == [])
        for name in ["Copy", "Moved"] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) == bytes)
        }
        #expect(try unit(folder.file("Copy")).remove() == [])
        #expect(try FileSystem.names(in: folder.path) == ["Moved"])
    }
}
