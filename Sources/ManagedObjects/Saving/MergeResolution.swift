/// What becomes of one object that was changed here and in the store, or of objects that would be equal, as a program
/// decides.
public enum MergeResolution: Sendable, Hashable {
    /// What a policy says; of `.error`, that the save fails.
    case policy(MergePolicy)
    /// The object is saved with these values, all others are taken away; to-many relationships stay as they are here.
    /// Derived and transient attributes play no part.
    case values(MergeConflict.Values)
}
