/// How a context fetches objects, beside what the request says of them.
public struct ObjectFetchOptions: Sendable {
    /// Whether changes that are not saved count: new objects, deletions, changed values.
    public var includesPendingChanges = true

    /// Whether the values of the objects are read along with their IDs. Without this they are read, many at once, when
    /// the first is asked for one.
    public var includesPropertyValues = true

    /// Whether objects stay faults until they are asked for a value, also where their values have been read.
    public var returnsObjectsAsFaults = true

    /// Whether values that have been read before are replaced by those that are in the store now; changes stay.
    public var refreshesRefetchedObjects = false

    /// The stores that are looked into; nil for all that hold the entity.
    public var affectedStores: [PersistentStore]?

    /// Makes options: unsaved changes count, and values are read along.
    public init() {}
}
