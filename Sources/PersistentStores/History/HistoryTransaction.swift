/// A transaction of a store's persistent history: what one save changed.
public struct HistoryTransaction: Sendable, Hashable {
    public let number: Int64

    /// Seconds since 2001; nil if the store does not say.
    public let date: Double?

    public let author: String?
    public let contextName: String?
    public let bundleID: String?
    public let processID: String?

    /// How many objects were inserted, updated and deleted, of those that the filter lets through.
    public let inserted: Int64
    public let updated: Int64
    public let deleted: Int64
}

/// A change of one object in a transaction of persistent history.
public struct HistoryChange: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case inserted, updated, deleted
    }

    /// nil for a type that is not known.
    public let kind: Kind?

    /// nil if the store has no entity of the change's number.
    public let objectID: ManagedObjectID?

    /// The number of the entity (`Z_ENT`), and the object's primary key.
    public let entityNumber: Int64
    public let primaryKey: Int64

    /// Which columns an update changed, in Core Data's own encoding, which is not established; nil if all may have.
    public let columns: [UInt8]?

    /// What was kept of a deleted object, by the number of the tombstone column.
    public let tombstone: [Int: [UInt8]]
}
