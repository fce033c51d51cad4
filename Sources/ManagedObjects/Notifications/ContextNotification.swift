public import PersistentStores

/// What a context announces: IDs, which may cross to other tasks.
public enum ContextNotification: Sendable, Hashable {
    /// Objects have been made, changed or deleted in the context, or have got other values by a refresh; nothing is
    /// saved.
    case objectsDidChange(ObjectChanges)
    /// A save has written these objects.
    case didSave(ContextDidSave)
    /// New objects have got the IDs with which they are saved.
    case didObtainPermanentIDs([ManagedObjectID: ManagedObjectID])

    /// The objects of a change.
    public struct ObjectChanges: Sendable, Hashable {
        /// The IDs of objects that were made.
        public var inserted: Set<ManagedObjectID> = []
        /// The IDs of objects that were changed.
        public var updated: Set<ManagedObjectID> = []
        /// The IDs of objects that were deleted.
        public var deleted: Set<ManagedObjectID> = []
        /// The IDs of objects that have got other values by a refresh.
        public var refreshed: Set<ManagedObjectID> = []
    }
}

/// The objects that a save has written, by their permanent IDs; of a child context, those that are in the parent now.
public struct ContextDidSave: Sendable, Hashable {
    /// The new objects.
    public var inserted: Set<ManagedObjectID>
    /// The changed objects.
    public var updated: Set<ManagedObjectID>
    /// The deleted objects.
    public var deleted: Set<ManagedObjectID>

    /// Makes a set of changes, for contexts that shall take them over.
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
