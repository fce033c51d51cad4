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

    /// How many objects were inserted, updated and deleted, of those that the filter lets through.
    public let inserted: Int64
    /// How many objects were updated.
    public let updated: Int64
    /// How many objects were deleted.
    public let deleted: Int64
}

/// A change of one object in a transaction of persistent history.
public struct HistoryChange: Sendable, Hashable {
    /// What was done to an object.
    public enum Kind: String, Sendable, Hashable {
        /// The object was made, was changed, or was deleted.
        case inserted, updated, deleted
    }

    /// What was done to the object; nil for a type that is not known.
    public let kind: Kind?

    /// The object; nil if the store has no entity of the change's number.
    public let objectID: ManagedObjectID?

    /// The number of the entity (`Z_ENT`), and the object's primary key.
    public let entityNumber: Int64
    /// The object's primary key, `Z_PK`.
    public let primaryKey: Int64

    /// Which columns an update changed, in Core Data's own encoding, which is not established; nil if all may have.
    public let columns: [UInt8]?

    /// What was kept of a deleted object, by the number of the tombstone column.
    public let tombstone: [Int: [UInt8]]
}
