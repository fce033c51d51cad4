import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import Synchronization
import Testing
import TestSupport

@Suite struct ReplacementTests {
    static let notes = [entity("Note", [attribute("text")])]
    static let notesWithDate = [entity("Note", [attribute("text"), attribute("date", .date)])]
    static let rows = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');"

    private static func store(usesLog: Bool) throws -> TestStore {
        try TestStore(from: notes, to: notesWithDate, rows: rows, usesLog: usesLog)
    }

    /// Options that run something at a checkpoint.
    private static func options(
        at checkpoint: String, timeout: Int32 = 0, _ body: @escaping @Sendable () throws -> Void
    ) -> MigrationOptions {
        MigrationOptions(
            lockTimeout: timeout,
            onCheckpoint: { name in
                if name == checkpoint {
                    do { try body() } catch { Issue.record(error) }
                }
            })
    }

    @Test(arguments: [true, false], TestStore.placements)
    func migratesWhereNobodyElseIsAtIt(usesLog: Bool, placement: MigrationPlacement) throws {
        let store = try Self.store(usesLog: usesLog)
        try store.migrate(placement)
        #expect(try store.rows("SELECT Z_PK, ZTEXT, ZDATE FROM ZNOTE") == ["1|a|", "2|b|"])
        #expect(try DatabaseFile(path: store.path).usesWriteAheadLog == usesLog)
    }

    /// A run that was killed when its result had taken the store's place: the next one finds nothing to do but that.
    @Test(arguments: TestStore.placements)
    func whatAKilledRunHasLeftGoes(placement: MigrationPlacement) throws {
        let store = try TestStore(from: Self.notes, to: Self.notes, rows: Self.rows)
        for name in ["", "-wal"] { try store.directory.write("old", to: ".Store.sqlite.ferry-staging" + name) }
        #expect(try store.migrate(placement).rowsWritten == 0)
        #expect(!store.exists(".Store.sqlite.ferry-staging") && !store.exists(".Store.sqlite.ferry-staging-wal"))
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE ORDER BY 1") == ["a", "b"])
    }

    /// To read the old files by other means than SQLite's would let go of its locks.
    @Test(arguments: [true, false], TestStore.placements)
    func nobodyCanWriteBetweenBackupAndReplacement(usesLog: Bool, placement: MigrationPlacement) throws {
        let store = try Self.store(usesLog: usesLog)
        let backup = store.directory.file("backup")
        let said = Mutex("")
        let path = store.path
        let isInPlace = placement == .inPlace(backup: nil)
        try store.migrate(
            isInPlace ? .inPlace(backup: backup) : .replace(backup: backup),
            options: Self.options(at: isInPlace ? "before commit" : "replacement lock") {
                let text = try Self.run("INSERT INTO ZNOTE (Z_ENT, ZTEXT) VALUES (1, 'lost')", on: path)
                said.withLock { $0 = text }
            })
        #expect(said.withLock { $0 }.contains("locked"))
        #expect(try store.rows("SELECT count(*) FROM ZNOTE", at: backup + "/Store.sqlite") == ["2"])
        #expect(try store.rows("SELECT count(*) FROM ZNOTE") == ["2"])
    }

    /// Runs SQL in another process and returns what it says, errors included.
    private static func run(_ sql: String, on path: String) throws -> String {
        let session = try SQLiteSession(on: path)
        defer { session.close() }
        return try session.run(sql)
    }

    @Test(arguments: ["synchronized", "backup"])
    func aWriteOfAnotherProcessIsNoticed(checkpoint: String) throws {
        let store = try Self.store(usesLog: true)
        let backup = store.directory.file("backup")
        let path = store.path
        #expect(throws: MigrationError.self) {
            try store.migrate(
                .replace(backup: backup),
                options: Self.options(at: checkpoint) {
                    _ = try Self.run("INSERT INTO ZNOTE (Z_ENT, ZTEXT) VALUES (1, 'new')", on: path)
                })
        }
        #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b", "new"])
        #expect(try store.rows("SELECT count(*) FROM pragma_table_info('ZNOTE') WHERE name = 'ZDATE'") == ["0"])
        #expect(!FileSystem.exists(backup + "/Store.sqlite"))
        #expect(!store.exists(".Store.sqlite.ferry-staging"))
    }

    @Test(arguments: TestStore.placements)
    func aStoreThatIsOpenElsewhereIsLocked(placement: MigrationPlacement) throws {
        let store = try Self.store(usesLog: true)
        let session = try SQLiteSession(on: store.path, running: "BEGIN; SELECT count(*) FROM ZNOTE;")
        defer { session.kill() }
        #expect(throws: StoreError.self) {
            try store.migrate(placement, options: MigrationOptions(lockTimeout: 0))
        }
        #expect(try store.rows("SELECT count(*) FROM pragma_table_info('ZNOTE') WHERE name = 'ZDATE'") == ["0"])
    }

    @Test(arguments: TestStore.placements)
    func theLogBelongsToTheStoreThatALinkLeadsTo(placement: MigrationPlacement) throws {
        let store = try Self.store(usesLog: true)
        let session = try SQLiteSession(
            on: store.path, running: "INSERT INTO ZNOTE (Z_ENT, ZTEXT) VALUES (1, 'in the log');")
        session.kill()
        #expect(FileSystem.size(store.path + "-wal") ?? 0 > 0)
        let folder = store.directory.file("links")
        try FileSystem.createDirectory(folder)
        let link = folder + "/Link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: link), isSettled: true)
        let plan = try MigrationPlanner(
            store: try SQLiteStore(path: link), from: store.source, to: store.destination,
            options: .init(placement: placement)
        ).plan()
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        #expect(try store.rows("SELECT ZTEXT, ZDATE FROM ZNOTE") == ["a|", "b|", "in the log|"])
        #expect(FileSystem.isLink(link))
    }

    @Test(arguments: ["New.sqlite", "New.sqlite-wal", "New.sqlite-journal"])
    func whatIsInTheWayOfANewStoreIsRefused(name: String) throws {
        let store = try Self.store(usesLog: false)
        try store.directory.write("something", to: name)
        #expect(throws: StoreError.self) { try store.migrate(.output(store.directory.file("New.sqlite"))) }
        #expect(try String(contentsOfFile: store.directory.file(name), encoding: .utf8) == "something")
        #expect(name == "New.sqlite" || !store.exists("New.sqlite"))
    }

    @Test func twoStoresNeverShareAFolderOfExternalData() throws {
        let store = try Self.store(usesLog: false)
        try FileSystem.createDirectory(store.directory.file(".Store_SUPPORT/_EXTERNAL_DATA"))
        #expect(throws: StoreError.self) { try store.migrate(.output(store.directory.file("Store.db"))) }
        #expect(!store.exists("Store.db"))
    }

    @Test func aFailureAfterExternalDataWereCopiedLeavesNoneOfThem() throws {
        let store = try Self.store(usesLog: true)
        try FileSystem.createDirectory(store.directory.file(".Store_SUPPORT/_EXTERNAL_DATA"))
        let path = store.path
        #expect(throws: MigrationError.self) {
            try store.migrate(
                .output(store.directory.file("New.sqlite")),
                options: Self.options(at: "external data") {
                    _ = try Self.run("INSERT INTO ZNOTE (Z_ENT, ZTEXT) VALUES (1, 'new')", on: path)
                })
        }
        #expect(!store.exists("New.sqlite"))
        #expect(!store.exists(".New_SUPPORT"))
    }

    @Test func aPlantedLinkInTheStagingPlaceIsNotFollowed() throws {
        let store = try Self.store(usesLog: false)
        let victim = try store.directory.write("precious", to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: store.directory.file(".Store.sqlite.ferry-staging"), withDestinationPath: victim)
        #expect(throws: StoreError.self) { try store.migrate() }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test(arguments: [true, false])
    func theNumbersThatAnAppKeepsInTheHeaderStay(isNewFile: Bool) throws {
        let store = try TestStore(
            from: Self.notes, to: isNewFile ? [entity("Memo"), Self.notesWithDate[0]] : Self.notesWithDate,
            rows: Self.rows + "PRAGMA user_version = 7; PRAGMA application_id = 42;")
        #expect(try store.plan().method == (isNewFile ? .newFile : .copy))
        try store.migrate()
        #expect(try store.rows("PRAGMA user_version") == ["7"])
        #expect(try store.rows("PRAGMA application_id") == ["42"])
    }
}
