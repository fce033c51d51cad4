public import PersistentStores

/// An announcement of a context, with IDs, which can be passed to other tasks.
public enum ContextNotification: Sendable, Hashable {
    /// Objects were inserted, changed or deleted in the context, or refreshed with other values; nothing has been
    /// saved.
    case objectsDidChange(ObjectChanges)
    /// A save has written these objects.
    case didSave(ContextDidSave)
    /// New objects have got their permanent IDs.
    case didObtainPermanentIDs([ManagedObjectID: ManagedObjectID])

    /// The objects of a change.
    public struct ObjectChanges: Sendable, Hashable {
        /// The IDs of objects that were inserted.
        public var inserted: Set<ManagedObjectID> = []
        /// The IDs of objects that were changed.
        public var updated: Set<ManagedObjectID> = []
        /// The IDs of objects that were deleted.
        public var deleted: Set<ManagedObjectID> = []
        /// The IDs of objects that got other values by a refresh.
        public var refreshed: Set<ManagedObjectID> = []
    }
}

/// The objects that a save has written, by their permanent IDs; for a child context, those that the parent now has.
public struct ContextDidSave: Sendable, Hashable {
    /// The new objects.
    public var inserted: Set<ManagedObjectID>
    /// The changed objects.
    public var updated: Set<ManagedObjectID>
    /// The deleted objects.
    public var deleted: Set<ManagedObjectID>

    /// Makes a set of changes, for contexts that are to merge them.
    public init(
        inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [], deleted: Set<ManagedObjectID> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether no object has changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
