import SQLiteAccess

/// An index of a table as the database has it, also one that CREATE TABLE makes.
struct StoredIndex {
    let columns: [String]
    let isUnique: Bool
    let isPartial: Bool

    static func all(of table: String, _ connection: Connection) -> [StoredIndex] {
        let list = (try? connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))")) ?? []
        return list.compactMap { row in
            guard let name = row[1].string else { return nil }
            let members = (try? connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))")) ?? []
            // seq, name, unique, origin, partial
            return StoredIndex(
                columns: members.compactMap { $0[2].string }, isUnique: row[2].integer == 1,
                isPartial: row[4].integer == 1)
        }
    }

    /// Whether it does for an index of some columns: the same, or more behind them; to be unique, just these.
    func serves(_ wanted: [String], unique: Bool) -> Bool {
        guard !isPartial else { return false }
        return unique ? isUnique && Set(columns) == Set(wanted) : columns.starts(with: wanted)
    }
}
