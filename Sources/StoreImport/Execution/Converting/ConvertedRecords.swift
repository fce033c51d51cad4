/// The converted records of one file, batch by batch.
protocol ConvertedRecords {
    /// What messages call the source.
    var name: String { get }
    /// The encoding of a text that was guessed; nil if it is known.
    var guessedEncoding: String? { get }
    /// Whether they were converted before, so that the thread that reads them has time for more.
    var areStored: Bool { get }

    /// Fills a batch; false at the end.
    mutating func next(into work: inout ConvertedBatch) throws -> Bool
}
