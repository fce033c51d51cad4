/// How a context fetches objects, in addition to the settings of the request.
public struct ObjectFetchOptions: Sendable {
    /// Whether unsaved changes are considered: new objects, deletions, changed values.
    public var includesPendingChanges = true

    /// Whether the values of the objects are read together with their IDs. If false they are read, for many objects at
    /// once, when the first value is accessed.
    public var includesPropertyValues = true

    /// Whether objects stay faults until a value is accessed, even if their values have been read.
    public var returnsObjectsAsFaults = true

    /// Whether values that were read before are replaced by the current values in the store; unsaved changes are kept.
    public var refreshesRefetchedObjects = false

    /// The stores to fetch from; nil for all that have the entity.
    public var affectedStores: [PersistentStore]?

    /// Makes the default options: unsaved changes are considered, and values are read with the objects.
    public init() {}
}
