import PersistentStores
import SQLiteAccess

/// The allocator of order keys in one ordered relationship: a new object comes after the last object of its owner
/// (docs/format/sqlite-store.md#order-keys).
///
/// The last key of an owner is looked up once and kept in memory, because an owner may get any number of objects.
final class OrderKeyAllocator {
    private let highest: Statement
    private let limit: Int
    /// The last keys by owner, never lower than those in the store.
    private var last: [Int64: Int64] = [:]

    /// - Parameters:
    ///   - connection: the connection to the store.
    ///   - table: the table of the order keys, in quotes.
    ///   - order: the column of the order keys, in quotes.
    ///   - key: the column of the owner's primary key, in quotes.
    ///   - limit: the number of owners whose last keys are kept in memory.
    init(_ connection: Connection, table: String, order: String, key: String, limit: Int) throws(SQLiteError) {
        highest = try connection.prepare("SELECT max(\(order)) FROM \(table) WHERE \(key) = ?1", persistent: true)
        self.limit = max(1, limit)
    }

    /// Returns the order key that comes after those of the owner's objects. If an object gets the key, call `use`.
    ///
    /// - Throws: `SQLiteError` if the order keys of the owner are used up.
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

    /// Notes that an object of an owner has got a key.
    func use(_ key: Int64, of owner: Int64) {
        if last.count >= limit { last.removeAll(keepingCapacity: true) }
        last[owner] = key
    }

    /// Forgets the last keys, because the keys in the store have changed.
    func forgetAll() {
        last.removeAll(keepingCapacity: true)
    }
}
