/// What a context has had a store do, and how long that took: what `CoordinatorOptions.onEvent` is told.
public struct ContextEvent: Sendable, Hashable {
    /// The kinds of work.
    public enum Work: Sendable, Hashable {
        /// A fetch has found so many objects or dictionaries of an entity, or a count has counted them.
        case fetch(entity: String, count: Int)
        /// Faults needed the rows of so many objects, which were not in memory; the entity is the root of theirs.
        case fault(entity: String, count: Int)
        /// The links of a to-many relationship of so many objects were not in memory.
        case links(entity: String, relationship: String, count: Int)
        /// A save has written so many objects.
        case save(inserted: Int, updated: Int, deleted: Int)
    }

    /// What was done.
    public let work: Work
    /// How long it took.
    public let duration: Duration
}
