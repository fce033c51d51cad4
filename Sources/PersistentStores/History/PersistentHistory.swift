public import SQLiteAccess

/// The persistent history of a store (docs/format/sqlite-store.md#persistent-history), which is only read.
///
/// Memory does not grow with the history: transactions and their changes are handed over one by one.
public struct PersistentHistory {
    /// The number of the entity of transactions in `Z_PRIMARYKEY`.
    static let transactionEntity = 16002

    let store: SQLiteStore
    let transactions: SchemaTable
    let changes: SchemaTable

    /// Prepares to read the history of a store.
    /// - Throws: `StoreError` if the store keeps no history.
    public init(_ store: SQLiteStore) throws(StoreError) {
        guard let transactions = store.schema.table(named: "ATRANSACTION"),
            let changes = store.schema.table(named: "ACHANGE")
        else { throw StoreError(.noHistory, path: store.files.shownPath) }
        self.store = store
        self.transactions = transactions
        self.changes = changes
    }

    /// The number of the first transaction that is there, and of the last one that ever was.
    private func range() throws(SQLiteError) -> (first: Int64?, last: Int64) {
        let row =
            try store.connection.rows(
                "SELECT min(Z_PK), max(ifnull(max(Z_PK), 0), ifnull("
                    + "(SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = \(Self.transactionEntity)), 0)) FROM ATRANSACTION"
            ).first ?? []
        return (row.first?.integer, row.last?.integer ?? 0)
    }

    /// The token of a reader that has read everything.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func currentToken() throws(SQLiteError) -> HistoryToken {
        HistoryToken(storeUUID: store.metadata.uuid, transaction: try range().last)
    }

    /// Throws `StoreError` if the token is another store's, or one of a later state of this store.
    func checkOrigin(of token: HistoryToken) throws {
        guard token.storeUUID.uppercased() == store.metadata.uuid.uppercased(), token.transaction <= (try range().last)
        else { throw StoreError(.historyOfAnotherStore("\(token)"), path: store.files.shownPath) }
    }

    /// Checks that the reader of a token can go on where it was.
    /// - Throws: `StoreError` if transactions that the token's reader has not seen are gone, or if it is another
    ///   store's.
    public func check(_ token: HistoryToken) throws {
        try checkOrigin(of: token)
        let (first, last) = try range()
        // The next transaction, if there ever was one, must still be there.
        if token.transaction < last, first.map({ $0 - 1 > token.transaction }) ?? true {
            throw StoreError(.historyExpired("\(token)"), path: store.files.shownPath)
        }
    }

    /// Hands over transactions, the oldest first, each with a closure that hands over its changes, all as they are at
    /// one moment.
    ///
    /// - Returns: the token with which a later call goes on: that of the last transaction if the filter's limit ended
    ///   the reading, otherwise that of all there are.
    /// - Throws: `StoreError` for a token that is not good and an entity that the store does not have; `SQLiteError`;
    ///   what the body throws.
    @discardableResult
    public func forEach(
        _ filter: HistoryFilter = HistoryFilter(),
        _ body: (HistoryTransaction, ((HistoryChange) throws -> Void) throws -> Void) throws -> Void
    ) throws -> HistoryToken {
        try store.connection.transaction(.deferred) {
            if let token = filter.since { try check(token) }
            let last = try read(filter, body)
            return try last.map { HistoryToken(storeUUID: store.metadata.uuid, transaction: $0) } ?? currentToken()
        }
    }

    /// Returns the number of the last transaction if the limit ended the reading.
    private func read(
        _ filter: HistoryFilter,
        _ body: (HistoryTransaction, ((HistoryChange) throws -> Void) throws -> Void) throws -> Void
    ) throws -> Int64? {
        let entities = try filter.entity.map(numbers(of:))
        let statement = try store.connection.prepare(selection(filter))
        try statement.bind(filter.condition.values)
        let counts = try ChangeCounts(self, entities, since: filter.since?.transaction)
        let changes = try HistoryChanges(self, entities, since: filter.since?.transaction)
        var (remaining, last) = (filter.limit ?? Int.max, filter.since?.transaction ?? 0)
        while try statement.step() {
            let number = statement.integer(0)
            let count = try counts.next(number)
            guard entities == nil || count.sum > 0 else { continue }
            guard remaining > 0 else { return last }
            (remaining, last) = (remaining - 1, number)
            try body(transaction(statement, count)) { try changes.forEach(of: number, $0) }
        }
        return nil
    }

    /// The numbers of an entity and its subentities.
    private func numbers(of name: String) throws(StoreError) -> Set<Int> {
        guard let entity = store.entityRecords.first(where: { $0.name == name }) else {
            throw StoreError(.noEntity(name), path: store.files.shownPath)
        }
        var numbers: Set = [entity.number]
        var found = 0
        while found < numbers.count {
            found = numbers.count
            for record in store.entityRecords where numbers.contains(record.superentityNumber) {
                numbers.insert(record.number)
            }
        }
        return numbers
    }

    private func transaction(_ row: Statement, _ count: ChangeCounts.Count) -> HistoryTransaction {
        HistoryTransaction(
            number: row.integer(0), date: row.value(1).real, author: row.value(2).string,
            contextName: row.value(3).string, bundleID: row.value(4).string, processID: row.value(5).string,
            inserted: count.inserted, updated: count.updated, deleted: count.deleted)
    }

    /// The texts of a transaction stand in a table of their own, or, in older stores, in the transaction.
    private func selection(_ filter: HistoryFilter) -> String {
        let hasStrings = store.schema.table(named: "ATRANSACTIONSTRING") != nil
        var joins = ""
        let columns = [("a", "ZAUTHOR"), ("c", "ZCONTEXTNAME"), ("b", "ZBUNDLEID"), ("p", "ZPROCESSID")]
        let texts = columns.map { alias, name in
            let text = transactions.hasColumn(name) ? "t.\(name)" : "NULL"
            let isJoined = hasStrings && transactions.hasColumn(name + "TS")
            joins +=
                isJoined
                ? " LEFT JOIN ATRANSACTIONSTRING \(alias) ON \(alias).Z_PK = t.\(name)TS"
                : " LEFT JOIN (SELECT NULL AS ZNAME) \(alias)"
            return "coalesce(\(alias).ZNAME, \(text))"
        }
        return "SELECT t.Z_PK, t.ZTIMESTAMP, \(texts.joined(separator: ", ")) FROM ATRANSACTION t\(joins) "
            + "WHERE \(filter.condition.sql) ORDER BY t.Z_PK"
    }
}
