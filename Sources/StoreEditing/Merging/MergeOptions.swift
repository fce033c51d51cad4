/// Which objects a merge copies, and how it finds existing objects.
public struct MergeOptions: Sendable {
    /// What to do with an object whose key exists in the destination.
    public enum OnMatch: String, Sendable, CaseIterable {
        /// The destination's object stays unchanged, and is used in place of the source's.
        case skip
        /// The destination's object gets the values and links of the source's.
        case update
        /// The merge fails without changes.
        case error
    }

    /// The entity whose objects are copied, with its subentities.
    public var entity: String

    /// The predicate that selects the entity's objects to copy, in the predicate format language.
    public var predicate = EditStep.all

    /// Key paths of relationships from the entity; the objects along them are copied as well.
    public var followedPaths: [String] = []

    /// Whether the destinations of relationships with the delete rule Cascade are copied as well, recursively.
    public var cascades = false

    /// Whether the copied objects are deleted from the source.
    public var moves = false

    /// The attributes that identify objects, by the name of their entity; for other entities the first uniqueness
    /// constraint.
    public var keys: [String: [String]] = [:]

    /// What to do with an object whose key exists in the destination.
    public var onMatch = OnMatch.error

    /// The path of a CSV file for the old and the new keys; nil for none.
    public var idMap: String?

    /// Whether an existing file is replaced.
    public var replacesIDMap = false

    /// Makes the default options: all objects of an entity are copied, and existing objects are an error.
    public init(entity: String) { self.entity = entity }
}
