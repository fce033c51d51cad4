/// Where an export stands.
public struct ExportProgress: Sendable, Hashable {
    /// The entity whose objects are written.
    public let entity: String

    /// The objects of it that were read.
    public let rowsDone: Int64

    /// The objects of it that there are; until the end, nil in the first second, and if a predicate or a relationship
    /// decides which are written.
    public let rowsTotal: Int64?
}
