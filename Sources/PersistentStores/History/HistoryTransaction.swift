/// A transaction of a store's persistent history: what one save changed.
public struct HistoryTransaction: Sendable, Hashable {
    /// The transaction's number; later ones have higher numbers.
    public let number: Int64

    /// When the transaction was made, in seconds since 2001; nil if the store does not say.
    public let date: Double?

    /// The `transactionAuthor` of the context that saved; nil if it had none.
    public let author: String?
    /// The name of the context that saved; nil if it had none.
    public let contextName: String?
    /// The bundle identifier of the app that saved; nil if the store does not say.
    public let bundleID: String?
    /// The name of the process that saved; nil if the store does not say.
    public let processID: String?

    /// How many objects were inserted, counting those that the filter selects.
    public let inserted: Int64
    /// How many objects were updated.
    public let updated: Int64
    /// How many objects were deleted.
    public let deleted: Int64
}

/// A change of one object in a transaction of persistent history.
public struct HistoryChange: Sendable, Hashable {
    /// The type of a change.
    public enum Kind: String, Sendable, Hashable {
        /// The object was inserted, updated, or deleted.
        case inserted, updated, deleted
    }

    /// The type of the change; nil if it is unknown.
    public let kind: Kind?

    /// The object; nil if the store has no entity with the change's entity number.
    public let objectID: ManagedObjectID?

    /// The number of the object's entity, `Z_ENT`.
    public let entityNumber: Int64
    /// The object's primary key, `Z_PK`.
    public let primaryKey: Int64

    /// The columns that an update changed, in Core Data's own encoding, which is not documented; nil if all may have
    /// changed.
    public let columns: [UInt8]?

    /// The values that were kept of a deleted object, by the number of the tombstone column.
    public let tombstone: [Int: [UInt8]]
}
