public import RecordSources

/// The facts about a source that are needed to write its rejected records.
public struct RejectSource: Equatable, Sendable {
    /// The path of the source; `-` for standard input.
    public let name: String
    /// The columns to which a record's fields belong.
    public let columns: [SourceColumn]
    /// The text that surrounds the records.
    public let wrapping: RecordWrapping
    /// The place of the records' original bytes.
    public let bytes: RecordBytes
    /// The table or query of a database; nil for any other source.
    var relation: String?
    /// How records without original bytes are written; nil if they cannot be written.
    let rendering: (any RecordRendering.Type)?

    public static func == (left: RejectSource, right: RejectSource) -> Bool {
        left.name == right.name && left.columns == right.columns && left.wrapping == right.wrapping
            && left.bytes == right.bytes && left.relation == right.relation && left.rendering == right.rendering
    }

    /// Creates a source with another name and the same properties, which equal files share.
    init(name: String, like other: RejectSource) {
        self.name = name
        columns = other.columns
        wrapping = other.wrapping
        bytes = other.bytes
        relation = other.relation
        rendering = other.rendering
    }

    /// - Parameter rendering: how records without original bytes are written.
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

    /// Returns the same source with another place of the bytes.
    func with(_ bytes: RecordBytes) -> RejectSource {
        var source = RejectSource(
            name: name, columns: columns, wrapping: wrapping, bytes: bytes, rendering: rendering)
        source.relation = relation
        return source
    }

    /// Creates the facts from a source; for an XML document, after its first batch.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - relation: the table or query of a database.
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
    /// Returns a copy of a record of a batch.
    func capture(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        // A record that was not kept exists only in the source.
        if batch.problem(of: record)?.code == .tooLarge { return .bytes([]) }
        if let found = bytes.bytes(of: record, in: batch) { return .bytes(found) }
        return rendering?.rendered(record, of: batch) ?? .bytes([])
    }
}
