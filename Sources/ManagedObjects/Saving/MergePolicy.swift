/// What a save does about objects that somebody else has changed since they were read.
public enum MergePolicy: Sendable, Hashable, CaseIterable {
    /// The save fails with a `MergeConflictError`.
    case error
    /// Property by property: what has changed in the store wins, what has changed only here is saved. An object that
    /// was deleted in the store is gone.
    case mergeByPropertyStoreTrump
    /// Property by property: what has changed here wins, what has changed only in the store stays. An object that was
    /// deleted in the store, and has changed here, is saved again.
    case mergeByPropertyObjectTrump
    /// The whole object as it is here is saved, also one that was deleted in the store.
    case overwrite
    /// The whole object as it is in the store stays; what has changed here is dropped.
    case rollback
}
