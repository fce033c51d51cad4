import RecordSources

/// The rejected records of one source, in the source's own format.
protocol RejectData: AnyObject {
    var path: String { get }
    func append(_ record: CapturedRecord, of source: RejectSource) throws
    /// Makes all appended records durable; returns the number of bytes or rows.
    func checkpoint() throws -> Int
    /// Writes the text after the last record.
    func finish() throws
}
