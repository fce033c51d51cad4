import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Reading persistent history.
@Suite struct PersistentHistoryTests {
    private static let all = [
        "1: 2 0 0: inserted Person/1, inserted Manager/2", "2: 0 2 0: updated Person/1, updated Manager/2",
        "3: 0 0 1: deleted Note/7",
    ]

    @Test func transactionsComeWithTheirChanges() throws {
        let history = try HistoryStore()
        let (lines, token) = try history.list()
        #expect(lines == Self.all)
        #expect(token == history.token(3))
    }

    @Test func transactionsTellWhoSavedWhen() throws {
        let history = try HistoryStore()
        var found: [HistoryTransaction] = []
        try PersistentHistory(SQLiteStore(path: history.path)).forEach { transaction, _ in found.append(transaction) }
        #expect(found.map(\.author) == ["app", "app", "server"])
        #expect(found.map(\.contextName) == ["main", nil, nil])
        #expect(found.map(\.bundleID) == ["org.example.app", "org.example.app", nil])
        #expect(found.map(\.date) == [1000.5, 2000, 3000])
    }

    @Test func changesHaveTheirColumnsAndTombstones() throws {
        let history = try HistoryStore()
        try history.change("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 BLOB")
        try history.change("UPDATE ACHANGE SET ZTOMBSTONE0 = x'0A0B' WHERE Z_PK = 5")
        var found: [HistoryChange] = []
        try PersistentHistory(SQLiteStore(path: history.path)).forEach { _, changes in try changes { found.append($0) }
        }
        #expect(found.map(\.columns) == [nil, nil, [2], nil, nil])
        #expect(found.map(\.tombstone) == [[:], [:], [:], [:], [0: [10, 11]]])
        #expect(found[4].objectID?.uri == history.store.uri("Note", 7))
    }

    /// Older stores have the texts in the transaction itself, and no index.
    @Test func tablesOfOlderStoresAreRead() throws {
        let history = try HistoryStore(
            """
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZAUTHOR VARCHAR, ZTIMESTAMP FLOAT);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER,
            ZTRANSACTIONID INTEGER);
            INSERT INTO ATRANSACTION VALUES (4, 'old', 1), (9, NULL, NULL);
            INSERT INTO ACHANGE VALUES (1, 0, 2, 1, 9), (2, 0, 2, 2, 4), (3, 7, 99, 5, 4);
            """, keepsHistory: false)
        let (lines, token) = try history.list()
        #expect(lines == ["4: 1 0 0: inserted Person/2, ? ?/5", "9: 1 0 0: inserted Person/1"])
        #expect(token == history.token(9))
        #expect(try history.list { $0.author = "old" } == ["4: 1 0 0: inserted Person/2, ? ?/5"])
    }

    // MARK: - Filters

    @Test func filtersLeaveOutTransactions() throws {
        let history = try HistoryStore()
        let after = try history.list { $0.after = 2000 }
        #expect(after == [Self.all[1], Self.all[2]])
        let before = try history.list { $0.before = 2000 }
        #expect(before == [Self.all[0]])
        let author = try history.list { $0.author = "server" }
        #expect(author == [Self.all[2]])
        let nobody = try history.list { $0.author = "none" }
        #expect(nobody == [])
    }

    @Test(arguments: [
        ("Manager", ["1: 1 0 0: inserted Manager/2", "2: 0 1 0: updated Manager/2"]),
        ("Person", Array(all[..<2])),
        ("Note", ["3: 0 0 1: deleted Note/7"]),
    ])
    func anEntityBringsItsSubentities(entity: String, lines: [String]) throws {
        let found = try HistoryStore().list { $0.entity = entity }
        #expect(found == lines)
    }

    @Test func anUnknownEntityIsAnError() throws {
        let history = try HistoryStore()
        let error = #expect(throws: StoreError.self) { try history.list { $0.entity = "Nothing" } }
        #expect(error?.description.contains("the store has no entity Nothing") == true)
    }

    // MARK: - Tokens

    @Test(arguments: 1...4)
    func pagesWithTokensGiveAll(limit: Int) throws {
        let history = try HistoryStore()
        var (found, filter): ([String], HistoryFilter) = ([], HistoryFilter())
        filter.limit = limit
        for _ in 0..<4 {
            let (lines, token) = try history.list(filter)
            #expect(lines.count <= limit)
            found += lines
            filter.since = token
        }
        #expect(found == Self.all && filter.since == history.token(3))
    }

    @Test func aTokenOfAnotherStoreIsRefused() throws {
        let history = try HistoryStore()
        for token in [HistoryToken(storeUUID: "another", transaction: 1), history.token(4)] {
            let error = #expect(throws: StoreError.self) { try history.list { $0.since = token } }
            #expect(error?.description.contains("is not of this store") == true)
        }
    }

    @Test func aTokenIsParsedFromItsText() {
        let token = HistoryToken(storeUUID: "A:B", transaction: 12)
        #expect(HistoryToken(token.description) == token)
        for text in ["", "12", ":12", "A:", "A:-1", "A:x", "A:99999999999999999999"] {
            #expect(HistoryToken(text) == nil, "\(text)")
        }
    }

    @Test func aStoreWithoutHistorySaysSo() throws {
        let history = try HistoryStore("", keepsHistory: false)
        let error = #expect(throws: StoreError.self) { try history.list() }
        #expect(error?.description.contains("keeps no persistent history") == true)
    }

    /// What another program commits meanwhile comes with the next token.
    @Test func whatIsSavedWhileHistoryIsReadComesNext() throws {
        let history = try HistoryStore()
        let other = try SQLiteSession(on: history.path, running: "PRAGMA journal_mode = WAL; CREATE TABLE other (x)")
        var count = 0
        let token = try PersistentHistory(SQLiteStore(path: history.path)).forEach { _, _ in
            count += 1
            _ = try other.run("INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (\(3 + count), 16002)")
        }
        #expect(count == 3)
        #expect(token == history.token(3))
        let next = try history.list { $0.since = token }
        #expect(next == ["4: 0 0 0: ", "5: 0 0 0: ", "6: 0 0 0: "])
        other.close()
    }
}

extension HistoryStore {
    fileprivate func list(_ change: (inout HistoryFilter) -> Void) throws -> [String] {
        var filter = HistoryFilter()
        change(&filter)
        return try list(filter).lines
    }
}
