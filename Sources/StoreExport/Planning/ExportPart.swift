public import StoreFetching

/// Related objects that lie in the records of their owner, with what lies in them in turn; in JSON and XML.
public struct ExportPart: Sendable {
    /// Where they lie in the owner's record.
    public var path: RecordPartPath
    /// The entity that has the relationship, and the one of the objects.
    public var owner: String
    /// The name of the relationship that leads from the owner to the objects.
    public var relationship: String
    /// The name of the entity that the objects are of.
    public var entity: String
    /// What is written of each object.
    public var columns: [ExportColumn]
    /// The objects that lie in the records of these ones in turn.
    public var parts: [ExportPart] = []
    var trial: ExportTrial?
}
