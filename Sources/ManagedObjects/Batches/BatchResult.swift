public import PersistentStores

/// The objects that a batch request has changed, also those that were changed along with others, by delete rules.
public struct BatchResult: Sendable, Hashable {
    public var insertedObjectIDs: Set<ManagedObjectID> = []
    public var updatedObjectIDs: Set<ManagedObjectID> = []
    public var deletedObjectIDs: Set<ManagedObjectID> = []

    /// The same as a save would announce it: for `mergeChanges(from:)` of each context that shall know.
    public var changes: ContextDidSave {
        ContextDidSave(inserted: insertedObjectIDs, updated: updatedObjectIDs, deleted: deletedObjectIDs)
    }
}
