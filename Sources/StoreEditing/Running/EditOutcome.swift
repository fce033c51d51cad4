public import PersistentStores

/// The result of one step of an edit.
public struct EditOutcome: Sendable, Equatable {
    /// The number of objects that it has changed, inserted or deleted; for links, the objects that satisfy `where`.
    public internal(set) var objects: Int64 = 0

    /// The relationships of remaining objects that still lead to deleted ones.
    public internal(set) var danglingLinks: [ObjectDeletion.Refusal] = []
}
