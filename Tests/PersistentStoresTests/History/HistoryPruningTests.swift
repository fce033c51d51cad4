import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Removing old transactions.
@Suite struct HistoryPruningTests {
    private let history: HistoryStore

    init() throws { history = try HistoryStore() }

    private func numbers() throws -> [String] { try history.store.rows("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK") }
    private func changes() throws -> [String] { try history.store.rows("SELECT Z_PK FROM ACHANGE ORDER BY Z_PK") }

    @Test(arguments: [
        (HistoryPruning.Extent.before(1000), ["1", "2", "3"], ["1", "2", "3", "4", "5"]),
        (.before(2000), ["2", "3"], ["3", "4", "5"]), (.before(9999), [], []), (.keeping(0), [], []),
        (.keeping(1), ["3"], ["5"]), (.keeping(2), ["2", "3"], ["3", "4", "5"]),
        (.keeping(3), ["1", "2", "3"], ["1", "2", "3", "4", "5"]),
        (.keeping(10), ["1", "2", "3"], ["1", "2", "3", "4", "5"]),
    ])
    func oldTransactionsGoWithTheirChanges(
        extent: HistoryPruning.Extent, transactions: [String], changes: [String]
    ) throws {
        let report = try history.prune(extent)
        #expect(try numbers() == transactions)
        #expect(try self.changes() == changes)
        #expect(report.removedTransactions == Int64(3 - transactions.count))
        #expect(report.keptTransactions == Int64(transactions.count))
        #expect(report.removedChanges + report.keptChanges == 5)
        #expect(report.keptChanges == Int64(changes.count))
    }

    @Test(arguments: [(Int64(0), 3), (1, 2), (2, 1), (3, 0)])
    func whatATokenHasReadGoes(transaction: Int64, left: Int) throws {
        let token = history.token(transaction)
        #expect(try history.prune(.through(token)).keptTransactions == Int64(left))
        // The token's reader goes on, and a second time nothing is left to do.
        var filter = HistoryFilter()
        filter.since = token
        #expect(try history.list(filter).lines.count == left)
        #expect(try history.prune(.through(token)).removedTransactions == 0)
    }

    @Test func olderTokensAreRefusedAfterwards() throws {
        _ = try history.prune(.keeping(1))
        var filter = HistoryFilter()
        filter.since = history.token(1)
        let error = #expect(throws: StoreError.self) { try history.list(filter) }
        #expect(error?.cocoaCode == 134301)
        #expect(throws: StoreError.self) {
            try history.prune(.through(HistoryToken(storeUUID: "another", transaction: 3)))
        }
    }

    /// A clock that was set back leaves no gap that a token would not notice.
    @Test func whatIsLeftHasNoGap() throws {
        try history.change("UPDATE ATRANSACTION SET ZTIMESTAMP = 500 WHERE Z_PK = 3")
        _ = try history.prune(.before(1500))
        #expect(try numbers() == ["2", "3"])
    }

    /// Otherwise an older token would be taken for one of what is saved later.
    @Test func numbersOfRemovedTransactionsAreNotGivenAgain() throws {
        _ = try history.prune(.keeping(0))
        #expect(try history.list().token == history.token(3))
        let store = try SQLiteStore(path: history.path, access: .readWrite)
        try store.connection.execute("BEGIN")
        let writer = try #require(try HistoryWriter(store.connection, layout: store.layout(for: history.store.model)))
        try store.connection.execute("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (8, 1, 1)")
        try writer.finish()
        try store.connection.execute("COMMIT")
        var filter = HistoryFilter()
        filter.since = history.token(3)
        let (lines, token) = try history.list(filter)
        #expect(lines == ["4: 1 0 0: inserted Note/8"] && token == history.token(4))
        #expect(try changes() == ["6"])
        #expect(
            try history.store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
                == ["6", "4", "5"])
    }

    // MARK: - Safety

    @Test func aDryRunChangesNothing() throws {
        let before = try FolderState(of: history.store.directory.path)
        let report = try history.prune(.keeping(1)) { $0.isDryRun = true }
        #expect(report.removedTransactions == 2 && report.isDryRun)
        #expect(report.description.contains("transactions: 2 would be removed, 1 left"))
        #expect(try FolderState(of: history.store.directory.path) == before)
    }

    @Test func theBackupHasWhatWasRemoved() throws {
        let folder = history.store.directory.file("old")
        _ = try history.prune(.keeping(1)) { $0.backup = folder }
        let kept = try Connection(path: folder + "/store.sqlite", access: .readOnly)
        #expect(try kept.value("SELECT count(*) FROM ACHANGE") == .integer(5))
        #expect(try changes() == ["5"])
    }

    @Test func aMirroredStoreIsRefusedUnlessAsked() throws {
        try history.change("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
        let error = #expect(throws: StoreError.self) { try history.prune(.keeping(1)) }
        #expect(error?.description.contains("CloudKit") == true)
        #expect(try numbers() == ["1", "2", "3"])
        #expect(try history.prune(.keeping(1)) { $0.prunesMirrored = true }.removedTransactions == 2)
    }

    @Test func aLockedStoreIsLeftAsItIs() throws {
        let other = try Connection(path: history.path, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StoreError.self) { try history.prune(.keeping(1)) { $0.timeout = 0 } }
        #expect(error?.isTemporary == true)
        try other.execute("ROLLBACK")
        try other.close()
        #expect(try numbers() == ["1", "2", "3"])
    }

    /// Whoever saves between the backup and the lock: the backup would not have it.
    @Test func aStoreThatChangesAfterItsBackupIsLeftAsItIs() throws {
        let (folder, history) = (history.store.directory.file("old"), history)
        let error = #expect(throws: StoreError.self) {
            try history.prune(.keeping(1)) {
                $0.backup = folder
                $0.onCheckpoint = { step in
                    guard step != "pruned", step != "ended" else { return }
                    try? history.change("INSERT INTO ZNOTE (Z_PK, Z_ENT) SELECT count(*) + 1, 1 FROM ZNOTE")
                }
            }
        }
        #expect(error != nil)
        #expect(try numbers() == ["1", "2", "3"])
    }

    @Test func cancellingChangesNothing() throws {
        try history.change(
            "WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
                + "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) SELECT i, 1 FROM n")
        #expect(throws: StoreError.self) { try history.prune(.keeping(1)) { $0.isCancelled = { true } } }
        #expect(try numbers().count == 59994)
    }
}
