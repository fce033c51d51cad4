/// Which objects a merge copies, and how it finds those that are there already.
public struct MergeOptions: Sendable {
    /// What becomes of an object whose key the destination has already.
    public enum OnMatch: String, Sendable, CaseIterable {
        /// The destination's object stays as it is, and stands for the source's.
        case skip
        /// It gets the values and the links of the source's.
        case update
        /// Nothing is merged.
        case error
    }

    /// The entity whose objects are copied, with its subentities.
    public var entity: String

    /// Which of the entity's objects are copied, in the predicate format language.
    public var predicate = EditStep.all

    /// Key paths of relationships from the entity: the objects on them are copied too.
    public var followedPaths: [String] = []

    /// Whether what relationships with the delete rule Cascade lead to is copied too, and so on.
    public var cascades = false

    /// Whether the copied objects are deleted from the source.
    public var moves = false

    /// The attributes that identify objects, by the name of their entity; of others the first uniqueness constraint.
    public var keys: [String: [String]] = [:]

    /// What becomes of an object whose key the destination has already.
    public var onMatch = OnMatch.error

    /// A file for the old and the new keys, as CSV; nil for none.
    public var idMap: String?

    /// Whether a file that is there is replaced.
    public var replacesIDMap = false

    /// Makes options: all objects of an entity are copied, and none may be there already.
    public init(entity: String) { self.entity = entity }
}
