public import StoreFetching

/// Related objects that lie in the records of their owner, with what lies in them in turn; in JSON and XML.
public struct ExportPart: Sendable {
    /// Where they lie in the owner's record.
    public var path: RecordPartPath
    /// The entity that has the relationship, and the one of the objects.
    public var owner: String
    public var relationship: String
    public var entity: String
    public var columns: [ExportColumn]
    public var parts: [ExportPart] = []
    var trial: ExportTrial?
}
