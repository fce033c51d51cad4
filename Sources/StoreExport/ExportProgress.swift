/// The progress of an export.
public struct ExportProgress: Sendable, Hashable {
    /// The entity whose objects are being written.
    public let entity: String

    /// The number of its objects that have been read.
    public let rowsDone: Int64

    /// The number of its objects. Until the end, it is nil if a predicate or a relationship selects the objects, and
    /// during the first second.
    public let rowsTotal: Int64?
}
