import PersistentStores
import SQLiteAccess

/// Making both sides of a one-to-one relationship agree. The owner's row is decisive; if several owners lead to one
/// destination, the destination belongs to the owner to which it leads back.
extension InverseWriter {
    /// Returns whether a column is that of the destination's key in the owners' table. Both names are in quotes.
    func isOwnKey(_ column: String, of table: String) -> Bool { table == self.table && column == key }

    func isInverseKey(_ column: String, of table: String) -> Bool { table == other?.table && column == other?.key }

    /// Makes the other side agree with the link of an owner.
    ///
    /// - Returns: the destination that the owner has lost because it belongs to another owner; nil if the owner keeps
    ///   its link, or has no link.
    func mend(owner: Int64) throws(SQLiteError) -> Int64? {
        guard let other else { return nil }
        for row in try connection.rows("SELECT Z_PK FROM \(other.table) WHERE \(other.key) = ?", [.integer(owner)]) {
            if let destination = row[0].integer { try mend(destination: destination) }
        }
        guard case .integer(let destination) = try value(key, table, owner) else { return nil }
        let holder = try value(other.key, other.table, destination)
        if holder == .integer(owner) { return nil }
        if case .integer(let holder) = holder, try value(key, table, holder) == .integer(destination) {
            let columns = [key] + [entityColumn].compactMap { $0 }
            try set(columns.map { "\($0) = NULL" }, table, owner)
            return destination
        }
        try mend(destination: destination)
        return nil
    }

    /// Makes a destination lead back to an object that leads to it, or to no object if no object leads to it.
    func mend(destination: Int64) throws(SQLiteError) {
        guard let other else { return }
        let holder = try value(other.key, other.table, destination)
        if case .integer(let holder) = holder, try value(key, table, holder) == .integer(destination) { return }
        let owner =
            try connection.rows(
                "SELECT Z_PK, Z_ENT FROM \(table) WHERE \(key) = ? ORDER BY Z_PK LIMIT 1", [.integer(destination)]
            ).first ?? [.null, .null]
        guard owner[0] != holder else { return }
        func text(_ value: SQLiteValue) -> String { value.integer.map { String($0) } ?? "NULL" }
        let entity = other.columns.count > 2 ? ["\(other.columns[1]) = \(text(owner[1]))"] : []
        try set(["\(other.key) = \(text(owner[0]))"] + entity, other.table, destination)
    }

    private func value(_ column: String, _ table: String, _ object: Int64) throws(SQLiteError) -> SQLiteValue {
        try connection.value("SELECT \(column) FROM \(table) WHERE Z_PK = ?", [.integer(object)])
    }

    private func set(_ values: [String], _ table: String, _ object: Int64) throws(SQLiteError) {
        try connection.execute(
            "UPDATE \(table) SET \(values.joined(separator: ", ")), \(ObjectVersion.raised()) WHERE Z_PK = ?",
            [.integer(object)])
    }
}
