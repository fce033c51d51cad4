import PersistentStores
import SQLiteAccess

/// The order keys of one ordered relationship's objects: a new one comes behind the owner's last
/// (docs/format/sqlite-store.md#order-keys).
///
/// The last key of an owner is looked up once and remembered, as an owner can get any number of objects.
final class OrderKeyAllocator {
    private let highest: Statement
    private let limit: Int
    /// By owner; never less than what the store has.
    private var last: [Int64: Int64] = [:]

    /// - Parameters:
    ///   - order, key: the columns of the order and of the owner's key, in quotes as the table is.
    ///   - limit: owners that are remembered.
    init(_ connection: Connection, table: String, order: String, key: String, limit: Int) throws(SQLiteError) {
        highest = try connection.prepare("SELECT max(\(order)) FROM \(table) WHERE \(key) = ?1", persistent: true)
        self.limit = max(1, limit)
    }

    /// The key of an object that comes behind the others of its owner; `use` says that it got it.
    func next(of owner: Int64) throws(SQLiteError) -> Int64 {
        guard let known = try self.last(of: owner) else { return OrderKeys.first }
        let (next, overflow) = known.addingReportingOverflow(OrderKeys.step)
        guard !overflow else {
            throw SQLiteError(
                code: 1, message: "the objects of the owner with the primary key \(owner) have no order keys left")
        }
        return next
    }

    private func last(of owner: Int64) throws(SQLiteError) -> Int64? {
        if let known = last[owner] { return known }
        try highest.bindInteger(owner, at: 1)
        defer { highest.reset() }
        guard try highest.step(), !highest.isNull(0) else { return nil }
        return highest.integer(0)
    }

    /// An object of an owner has got a key.
    func use(_ key: Int64, of owner: Int64) {
        if last.count >= limit { last.removeAll(keepingCapacity: true) }
        last[owner] = key
    }

    /// The store has other keys now.
    func forgetAll() {
        last.removeAll(keepingCapacity: true)
    }
}
