/// An operation of a context on the stores, with its duration, which is passed to `CoordinatorOptions.onEvent`.
public struct ContextEvent: Sendable, Hashable {
    /// The kinds of operations.
    public enum Work: Sendable, Hashable {
        /// A fetch returned this number of objects or dictionaries of an entity, or a count counted them.
        case fetch(entity: String, count: Int)
        /// The rows of this number of faults were read, because they were not in memory; the entity is their root
        /// entity.
        case fault(entity: String, count: Int)
        /// The links of a to-many relationship of this number of objects were read, because they were not in memory.
        case links(entity: String, relationship: String, count: Int)
        /// A save wrote this number of objects.
        case save(inserted: Int, updated: Int, deleted: Int)
    }

    /// The operation.
    public let work: Work
    /// The duration of the operation.
    public let duration: Duration
}
