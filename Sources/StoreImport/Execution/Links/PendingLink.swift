import SQLiteAccess

/// A link that waits until all records are read.
struct PendingLink {
    /// The source, object mapping and relationship.
    let source: Int
    let object: Int
    let relationship: Int
    /// The object that has the relationship.
    let owner: Int64
    let ownerEntity: Int64
    /// The record that names the link, counted through all sources.
    let record: Int64
    let line: Int
    /// Whether the object was there before, so that what the record names takes the place of what it had.
    let isReplacing: Bool
    /// The place among the owner's destinations: what the record says, then the place in the record.
    let place: SQLiteValue
    let ordinal: Int64
    let key: [SQLiteValue]
}
