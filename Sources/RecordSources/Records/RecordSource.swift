/// A source of records, which is read once in batches, from its beginning or from a position.
public protocol RecordSource {
    /// The path of the source; `-` for standard input.
    var name: String { get }

    /// The columns to which a record's fields belong, in order; for nested sources, the paths with which they were
    /// opened.
    var columns: [SourceColumn] { get }

    /// The bytes that surround rejected records in a file of their own.
    var wrapping: RecordWrapping { get }

    /// The place of the records' original bytes.
    var recordBytes: RecordBytes { get }

    /// Fills a batch with the next records; returns false and an empty batch at the end of the source.
    ///
    /// Records that cannot be read are in the batch with their problem.
    /// - Throws: usually `SourceError` if the source cannot be read.
    mutating func next(into batch: inout RecordBatch) throws -> Bool

    /// Fills a batch like `next(into:)`. If the batch begins before an offset in the source, only its place is used, so
    /// the rest may be missing.
    /// - Throws: usually `SourceError` if the source cannot be read.
    mutating func next(into batch: inout RecordBatch, passingBefore offset: Int) throws -> Bool
}

extension RecordSource {
    /// In the batch, as for most sources.
    public var recordBytes: RecordBytes { .inBatch }

    /// Fills the batch, whatever its place.
    /// - Throws: the errors of `next(into:)`.
    public mutating func next(into batch: inout RecordBatch, passingBefore offset: Int) throws -> Bool {
        try next(into: &batch)
    }
}
