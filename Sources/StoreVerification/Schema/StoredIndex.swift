import PersistentStores
import SQLiteAccess

/// An index of a table in the database, including those created by CREATE TABLE.
struct StoredIndex {
    let columns: [String]
    let isUnique: Bool
    let isPartial: Bool

    /// nil for an index created by CREATE TABLE.
    let statement: IndexStatement?

    static func all(of table: String, _ connection: Connection) -> [StoredIndex] {
        let list = (try? connection.rows("PRAGMA index_list(\(SQLiteIdentifier.quoted(table)))")) ?? []
        return list.compactMap { row in
            guard let name = row[1].string else { return nil }
            let members = (try? connection.rows("PRAGMA index_info(\(SQLiteIdentifier.quoted(name)))")) ?? []
            let sql = try? connection.value(
                "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", [.string(name)])
            // The columns are seq, name, unique, origin and partial; the key of the rows has no name.
            return StoredIndex(
                columns: members.map { $0[1].integer == -1 ? "Z_PK" : $0[2].string ?? "" },
                isUnique: row[2].integer == 1, isPartial: row[4].integer == 1,
                statement: sql?.string.map { IndexStatement($0) })
        }
    }

    /// Returns whether the index can replace one that Core Data creates.
    func serves(_ wanted: StoreIndex) -> Bool {
        guard wanted.condition == nil else { return statement == IndexStatement(wanted.createStatement) }
        return serves(wanted.columns.map(\.name), unique: wanted.isUnique)
    }

    /// Returns whether the index can replace one of some columns: it has the same, or more after them; for uniqueness,
    /// exactly these.
    func serves(_ wanted: [String], unique: Bool) -> Bool {
        guard !isPartial else { return false }
        return unique ? isUnique && Set(columns) == Set(wanted) : columns.starts(with: wanted)
    }
}
