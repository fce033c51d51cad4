import SQLiteAccess

/// A change that a record made to the store, with everything that is needed to undo it.
struct StoreChange {
    enum Kind: Int64 {
        /// The value of a column changed in the row of an object.
        case cell = 0
        /// A row of a join table was added.
        case linked = 1
        /// A row of a join table was removed.
        case unlinked = 2
    }

    let kind: Kind
    /// The table, as SQL.
    let table: String
    /// The primary key of the row; for a join table, the key in its first column.
    let key: Int64
    /// The column that was changed; for a join table, all of its columns, separated by commas.
    let column: String
    /// The former value; for a removed row of a join table, its values as SQL.
    let old: SQLiteValue
    let new: SQLiteValue
}

/// An object whose links must be counted when all records are read.
struct AffectedObject: Hashable {
    /// The slot of the root entity, which determines the table.
    let root: Int
    let primaryKey: Int64
    let entity: Int64
    let role: Role

    /// What a record did to the object.
    enum Role: Int64 {
        /// It linked or unlinked the object.
        case affected = 0
        /// It has the object's key, but the object would exist without it.
        case shared = 1
        /// It created the object.
        case inserted = 2
        /// It created the object because it names it.
        case created = 3

        /// Whether the object would not exist without the record.
        var isMaking: Bool { self == .inserted || self == .created }
    }
}
