/// How the records lie in an XML source.
public struct XMLOptions: Equatable, Sendable {
    /// The elements that are records: `/osm/node` from the root on, `//item` or `item` anywhere, `*` for any name.
    public var recordPath: String
    /// The namespaces of prefixes in the paths; a prefix that is not among them is that of the document itself.
    public var namespaces: [String: String] = [:]
    /// The most bytes of text in one record, and the most elements and attributes.
    public var limits = RecordLimits()

    /// Makes options of the path of the records.
    public init(recordPath: String) {
        self.recordPath = recordPath
    }
}
