public import StoreFetching

/// Related objects that are written inside the records of their owner, and the objects inside them; in JSON and XML.
public struct ExportPart: Sendable {
    /// The place in the owner's record.
    public var path: RecordPartPath
    /// The entity that has the relationship.
    public var owner: String
    /// The relationship from the owner to the objects.
    public var relationship: String
    /// The entity of the objects.
    public var entity: String
    /// The columns of each object.
    public var columns: [ExportColumn]
    /// The objects that are written inside the records of these objects.
    public var parts: [ExportPart] = []
    var trial: ExportTrial?
}
