import SQLiteAccess

/// The number of changes of each type in each transaction, requested in the order of the transactions.
final class ChangeCounts {
    struct Count {
        var inserted: Int64 = 0
        var updated: Int64 = 0
        var deleted: Int64 = 0
        var sum: Int64 = 0
    }

    private let statement: Statement
    private var isAtRow: Bool

    init(_ history: PersistentHistory, _ entities: Set<Int>?, since number: Int64?) throws(SQLiteError) {
        statement = try history.store.connection.prepare(
            "SELECT ZTRANSACTIONID, sum(ZCHANGETYPE = 0), sum(ZCHANGETYPE = 1), sum(ZCHANGETYPE = 2), count(*) "
                + "FROM ACHANGE WHERE \(HistoryChanges.condition(entities)) GROUP BY ZTRANSACTIONID ORDER BY ZTRANSACTIONID"
        )
        try statement.bindInteger(number ?? -1, at: 1)
        isAtRow = try statement.step()
    }

    func next(_ number: Int64) throws(SQLiteError) -> Count {
        while isAtRow, statement.integer(0) < number { isAtRow = try statement.step() }
        guard isAtRow, statement.integer(0) == number else { return Count() }
        return Count(
            inserted: statement.integer(1), updated: statement.integer(2), deleted: statement.integer(3),
            sum: statement.integer(4))
    }
}
