/// What a save does with objects that were changed elsewhere since they were read.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
    /// The save fails with a `MergeConflictError`.
    case error
    /// Property by property: changes in the store take precedence, other changes are saved. An object that was deleted
    /// in the store stays deleted.
    case mergeByPropertyStoreTrump
    /// Property by property: changes in the context take precedence, other changes in the store are kept. An object
    /// that was deleted in the store, and changed in the context, is saved again.
    case mergeByPropertyObjectTrump
    /// The whole object is saved as it is in the context, even if it was deleted in the store.
    case overwrite
    /// The whole object stays as it is in the store; changes in the context are dropped.
    case rollback
}
