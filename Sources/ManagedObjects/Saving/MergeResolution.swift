/// A program's resolution for one object that was changed here and in the store, or for objects that would be equal.
public enum MergeResolution: Sendable, Hashable {
    /// Apply a merge policy; for `.error`, the save fails.
    case policy(MergePolicy)
    /// Save the object with these values, and remove all others; to-many relationships stay as they are in the context.
    /// Derived and transient attributes are ignored.
    case values(MergeConflict.Values)
}
