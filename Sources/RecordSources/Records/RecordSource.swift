/// A source of records, read once from its beginning or from a position, batch by batch.
public protocol RecordSource {
    /// The path of the source, `-` for standard input.
    var name: String { get }

    /// The columns that a record's fields stand for, in order; for nested sources the paths they were opened with.
    var columns: [SourceColumn] { get }

    /// What a file of rejected records needs around them.
    var wrapping: RecordWrapping { get }

    /// Where the records' own bytes are.
    var recordBytes: RecordBytes { get }

    /// Fills a batch with the next records; false, and an empty batch, at the end of the source.
    ///
    /// Records that cannot be read are in the batch with their problem.
    /// - Throws: `SourceError`, as a rule, if the source cannot be read on.
    mutating func next(into batch: inout RecordBatch) throws -> Bool

    /// Fills a batch as `next(into:)` does; one that begins before an offset in the source is only looked at for its
    /// place, so that nothing else of it need be there.
    /// - Throws: `SourceError`, as a rule, if the source cannot be read on.
    mutating func next(into batch: inout RecordBatch, passingBefore offset: Int) throws -> Bool
}

extension RecordSource {
    /// In the batch, as the bytes of most sources are.
    public var recordBytes: RecordBytes { .inBatch }

    /// Fills the batch whatever its place.
    /// - Throws: what `next(into:)` throws.
    public mutating func next(into batch: inout RecordBatch, passingBefore offset: Int) throws -> Bool {
        try next(into: &batch)
    }
}
