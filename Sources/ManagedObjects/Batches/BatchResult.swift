public import PersistentStores

/// The objects that a batch request has changed, also those that were changed along with others, by delete rules.
public struct BatchResult: Sendable, Hashable {
    /// The IDs of the new objects.
    public var insertedObjectIDs: Set<ManagedObjectID> = []
    /// The IDs of the changed objects.
    public var updatedObjectIDs: Set<ManagedObjectID> = []
    /// The IDs of the deleted objects.
    public var deletedObjectIDs: Set<ManagedObjectID> = []

    /// The same as a save would announce it: for `mergeChanges(from:)` of each context that shall know.
    public var changes: ContextDidSave {
        ContextDidSave(inserted: insertedObjectIDs, updated: updatedObjectIDs, deleted: deletedObjectIDs)
    }
}
