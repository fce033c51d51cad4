public import SQLiteAccess

/// The persistent history of a store (docs/format/sqlite-store.md#persistent-history), for reading.
///
/// Memory does not grow with the history: transactions and their changes are passed on one by one.
public struct PersistentHistory {
    /// The number of the transaction entity in `Z_PRIMARYKEY`.
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

    /// Returns the number of the first transaction that still exists, and of the last one that ever existed.
    private func range() throws(SQLiteError) -> (first: Int64?, last: Int64) {
        let row =
            try store.connection.rows(
                "SELECT min(Z_PK), max(ifnull(max(Z_PK), 0), ifnull("
                    + "(SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = \(Self.transactionEntity)), 0)) FROM ATRANSACTION"
            ).first ?? []
        return (row.first?.integer, row.last?.integer ?? 0)
    }

    /// Returns the token of a reader that has read the whole history.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func currentToken() throws(SQLiteError) -> HistoryToken {
        HistoryToken(storeUUID: store.metadata.uuid, transaction: try range().last)
    }

    /// Throws `StoreError` if the token belongs to another store, or to a later state of this store.
    func checkOrigin(of token: HistoryToken) throws {
        guard token.storeUUID.uppercased() == store.metadata.uuid.uppercased(), token.transaction <= (try range().last)
        else { throw StoreError(.historyOfAnotherStore("\(token)"), path: store.files.shownPath) }
    }

    /// Checks that the reader of a token can continue from it.
    /// - Throws: `StoreError` if transactions that the token's reader has not seen have been removed, or if it belongs
    ///   to another store.
    public func check(_ token: HistoryToken) throws {
        try checkOrigin(of: token)
        let (first, last) = try range()
        // The next transaction, if there ever was one, must still exist.
        if token.transaction < last, first.map({ $0 - 1 > token.transaction }) ?? true {
            throw StoreError(.historyExpired("\(token)"), path: store.files.shownPath)
        }
    }

    /// Calls a closure with each transaction, the oldest first, and a function that passes on its changes, all in one
    /// snapshot.
    ///
    /// - Returns: the token from which a later call continues: that of the last transaction read if the filter's limit
    ///   was reached, otherwise that of the whole history.
    /// - Throws: `StoreError` if the token is not valid or the store does not have the entity; `SQLiteError`; any error
    ///   that the closure throws.
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

    /// Returns the number of the last transaction read if the limit was reached.
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

    /// Returns the numbers of an entity and its subentities.
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

    /// Returns the columns of a query. The texts of a transaction are in a table of their own or, in older stores, in
    /// the transaction.
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
