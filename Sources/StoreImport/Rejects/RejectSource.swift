public import RecordSources

/// What a writer of rejected records needs to know of the source that they come from.
public struct RejectSource: Equatable, Sendable {
    /// The path of the source, `-` for standard input.
    public let name: String
    /// The columns that a record's fields stand for.
    public let columns: [SourceColumn]
    /// What stands around the records.
    public let wrapping: RecordWrapping
    /// Where the records' own bytes are.
    public let bytes: RecordBytes
    /// The table of a database that the records are of, or the query; nil for any other source.
    var relation: String?
    /// How records are written that have no bytes of their own; nil if they cannot be.
    let rendering: (any RecordRendering.Type)?

    public static func == (left: RejectSource, right: RejectSource) -> Bool {
        left.name == right.name && left.columns == right.columns && left.wrapping == right.wrapping
            && left.bytes == right.bytes && left.relation == right.relation && left.rendering == right.rendering
    }

    /// The same facts under another name: files that are alike share them.
    init(name: String, like other: RejectSource) {
        self.name = name
        columns = other.columns
        wrapping = other.wrapping
        bytes = other.bytes
        relation = other.relation
        rendering = other.rendering
    }

    /// - Parameter rendering: how records are written that have no bytes of their own.
    init(
        name: String, columns: [SourceColumn], wrapping: RecordWrapping, bytes: RecordBytes,
        rendering: (any RecordRendering.Type)?
    ) {
        self.name = name
        self.columns = columns
        self.wrapping = wrapping
        self.bytes = bytes
        self.rendering = rendering
    }

    /// The same source, of which the bytes are elsewhere.
    func with(_ bytes: RecordBytes) -> RejectSource {
        var source = RejectSource(
            name: name, columns: columns, wrapping: wrapping, bytes: bytes, rendering: rendering)
        source.relation = relation
        return source
    }

    /// Takes the facts from a source: after its first batch, for an XML document.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - relation: the table or the query that is read of a database.
    public init(_ source: some RecordSource, relation: String? = nil) {
        self.relation = relation
        name = source.name
        columns = source.columns
        wrapping = source.wrapping
        bytes = source.recordBytes
        rendering = type(of: source) as? any RecordRendering.Type
    }
}

extension RejectSource {
    /// A record of a batch by itself.
    func capture(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        // What was not kept is nowhere but in the source.
        if batch.problem(of: record)?.code == .tooLarge { return .bytes([]) }
        if let found = bytes.bytes(of: record, in: batch) { return .bytes(found) }
        return rendering?.rendered(record, of: batch) ?? .bytes([])
    }
}
