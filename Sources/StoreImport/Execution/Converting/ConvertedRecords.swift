/// The converted records of one file, batch by batch.
protocol ConvertedRecords {
    /// The name of the source in messages.
    var name: String { get }
    /// The encoding of a text, if it was guessed; nil if it is known.
    var guessedEncoding: String? { get }
    /// Whether the records were converted earlier, so that the thread that reads them has time for other work.
    var areStored: Bool { get }

    /// Fills a batch; returns false at the end.
    mutating func next(into work: inout ConvertedBatch) throws -> Bool
}
