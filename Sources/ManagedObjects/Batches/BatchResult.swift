public import PersistentStores

/// The objects that a batch request has changed, including those that it changed through delete rules.
public struct BatchResult: Sendable, Hashable {
    /// The IDs of the new objects.
    public var insertedObjectIDs: Set<ManagedObjectID> = []
    /// The IDs of the changed objects.
    public var updatedObjectIDs: Set<ManagedObjectID> = []
    /// The IDs of the deleted objects.
    public var deletedObjectIDs: Set<ManagedObjectID> = []

    /// The changes as a save would announce them; pass them to `mergeChanges(from:)` of each context that needs them.
    public var changes: ContextDidSave {
        ContextDidSave(inserted: insertedObjectIDs, updated: updatedObjectIDs, deleted: deletedObjectIDs)
    }
}
