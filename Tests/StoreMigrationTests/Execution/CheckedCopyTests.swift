import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Synchronization
import TestSupport
import Testing
import Threading

/// A source that is copied and checked at the same time, on two threads or on one.
@Suite struct CheckedCopyTests {
    /// About 3 MiB, so that the copy has several blocks; with a log, a part of it is there.
    private static func store(usesLog: Bool) throws -> TestStore {
        try TestStore(
            from: ReplacementTests.notes, to: ReplacementTests.notesWithDate,
            rows: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, 1, 1, i || hex(zeroblob(500)) FROM n;
                """, usesLog: usesLog)
    }

    private static let sums = "SELECT count(*) || ' ' || sum(Z_PK) || ' ' || sum(length(ZTEXT)) FROM ZNOTE"

    @Test(arguments: [false, true], [false, true])
    func theCopyHasAllThatTheSourceHas(usesLog: Bool, isAlone: Bool) throws {
        let store = try Self.store(usesLog: usesLog)
        let new = store.directory.file("New.sqlite")
        try WorkerThread.$isRefused.withValue(isAlone) { _ = try store.migrate(.output(new)) }
        #expect(try store.rows(Self.sums, at: new) == store.rows(Self.sums))
        #expect(try store.rows("PRAGMA integrity_check", at: new) == ["ok"])
        #expect(try store.rows("SELECT count(ZDATE) FROM ZNOTE", at: new) == ["0"])
    }

    /// Closing any descriptor of the store, as a copy that has ended does, would let go of the lock of the check.
    @Test func nobodyCanWriteWhileTheSourceIsChecked() throws {
        let store = try Self.store(usesLog: false)
        let path = store.path
        let said = Mutex<String?>(nil)
        let options = MigrationOptions(
            isCancelled: {
                said.withLock { text in
                    guard text == nil else { return }
                    // Ample for the other thread to copy all of it.
                    usleep(300_000)
                    do {
                        let session = try SQLiteSession(on: path)
                        defer { session.close() }
                        text = try session.run("UPDATE ZNOTE SET ZTEXT = 'late' WHERE Z_PK = 1;")
                    } catch {
                        text = "\(error)"
                    }
                }
                return false
            })
        try store.migrate(options: options)
        #expect(said.withLock { $0 }?.contains("locked") == true, "\(said.withLock { $0 } ?? "not asked")")
        #expect(try store.rows("SELECT count(*) FROM ZNOTE WHERE ZTEXT = 'late'") == ["0"])
    }

    /// Damage ends the copy: no staged file is left, on one thread as on two.
    @Test(arguments: [false, true])
    func damageThatIsFoundWhileItIsCopiedLeavesNothing(isAlone: Bool) throws {
        let store = try Self.store(usesLog: false)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path)))
        // The last page is a leaf of the table, or of nothing that is free.
        let last = bytes.count - (Int(bytes[16]) << 8 | Int(bytes[17]))
        #expect(bytes[last] == 13)
        bytes[last] = 7
        try Data(bytes).write(to: URL(fileURLWithPath: store.path))
        let before = try FolderState(of: store.directory.path)
        let error = #expect(throws: StoreError.self) {
            try WorkerThread.$isRefused.withValue(isAlone) { _ = try store.migrate(.replace(backup: nil)) }
        }
        #expect(error?.description.contains("ZNOTE") == true, "\(error?.description ?? "")")
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
    }
}
