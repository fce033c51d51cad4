/// How the records are arranged in an XML source.
public struct XMLOptions: Equatable, Sendable {
    /// The path of the record elements: `/osm/node` from the root, `//item` or `item` anywhere, `*` for any name.
    public var recordPath: String
    /// The namespaces of prefixes in the paths; other prefixes have the meaning that the document gives them.
    public var namespaces: [String: String] = [:]
    /// The largest number of bytes of text, of elements and of attributes in a record.
    public var limits = RecordLimits()

    /// Creates options with the path of the records.
    public init(recordPath: String) {
        self.recordPath = recordPath
    }
}
