public import PersistentStores

/// What a context announces: IDs, which may cross to other tasks.
public enum ContextNotification: Sendable, Hashable {
    /// Objects have been made, changed or deleted in the context, or have got other values by a refresh; nothing is saved.
    case objectsDidChange(ObjectChanges)
    /// A save has written these objects.
    case didSave(ContextDidSave)
    /// New objects have got the IDs with which they are saved.
    case didObtainPermanentIDs([ManagedObjectID: ManagedObjectID])

    /// The objects of a change.
    public struct ObjectChanges: Sendable, Hashable {
        public var inserted: Set<ManagedObjectID> = []
        public var updated: Set<ManagedObjectID> = []
        public var deleted: Set<ManagedObjectID> = []
        public var refreshed: Set<ManagedObjectID> = []
    }
}

/// The objects that a save has written, by their permanent IDs; of a child context, those that are in the parent now.
public struct ContextDidSave: Sendable, Hashable {
    /// What the context is called, for those who hear several.
    public var inserted: Set<ManagedObjectID>
    public var updated: Set<ManagedObjectID>
    public var deleted: Set<ManagedObjectID>

    public init(
        inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [], deleted: Set<ManagedObjectID> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
