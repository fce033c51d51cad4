import RecordSources

/// Where the rejected records of one source go, in the source's own format.
protocol RejectData: AnyObject {
    var path: String { get }
    func append(_ record: CapturedRecord, of source: RejectSource) throws
    /// Makes all that was appended last; the number of bytes or rows that there are.
    func checkpoint() throws -> Int
    /// Writes what stands after the last record.
    func finish() throws
}
