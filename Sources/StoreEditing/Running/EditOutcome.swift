public import PersistentStores

/// What one step of an edit has done.
public struct EditOutcome: Sendable, Equatable {
    /// The objects that it has changed, made or deleted; of links, the objects that `where` finds.
    public internal(set) var objects: Int64 = 0

    /// The relationships of objects that stay which still lead to deleted ones.
    public internal(set) var danglingLinks: [ObjectDeletion.Refusal] = []
}
