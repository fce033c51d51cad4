import SQLiteAccess

/// A change that a record made to the store, with all that is needed to take it back.
struct StoreChange {
    enum Kind: Int64 {
        /// A column of an object's row, from one value to another.
        case cell = 0
        /// A row of a join table that was added.
        case linked = 1
        /// A row of a join table that was removed.
        case unlinked = 2
    }

    let kind: Kind
    /// The table as SQL.
    let table: String
    /// The row's key; of a join table the first key.
    let key: Int64
    /// The column that has changed; of a join table all of its columns, with commas between them.
    let column: String
    /// What was there before; of a removed row of a join table its values, as SQL.
    let old: SQLiteValue
    let new: SQLiteValue
}

/// An object whose relationships must be counted when all records are read.
struct AffectedObject: Hashable {
    /// The slot of its root entity, which says in which table it is.
    let root: Int
    let primaryKey: Int64
    let entity: Int64
    let role: Role

    /// What a record has to do with it.
    enum Role: Int64 {
        /// It links the object, or unlinks it.
        case affected = 0
        /// It has the object's key: without it the object would be there all the same.
        case shared = 1
        /// It made the object.
        case inserted = 2
        /// It made the object because it names it.
        case created = 3

        /// Whether the object would not be there without the record.
        var isMaking: Bool { self == .inserted || self == .created }
    }
}
