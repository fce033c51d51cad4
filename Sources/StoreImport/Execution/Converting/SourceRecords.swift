import RecordSources

/// The records of a source, or of a part of it, which are converted as they are read.
struct SourceRecords: ConvertedRecords {
    private var source: any RecordSource
    private let converter: RecordConverter
    /// The range of records to read; nil for all.
    private let range: RecordRange?
    private var isFirst = true
    let areStored = false

    var name: String { source.name }

    /// - Parameter range: the range of records to read; nil for all.
    init(_ source: any RecordSource, for compiled: CompiledSource, range: RecordRange? = nil) {
        self.source = source
        self.range = range
        converter = RecordConverter(source: compiled)
    }

    var guessedEncoding: String? { (source as? DelimitedSource)?.guessedEncoding?.name }

    /// How fields are found again in the bytes of records; nil for a source that is not delimited.
    var delimitedForm: DelimitedForm? { (source as? DelimitedSource).flatMap { DelimitedForm(of: $0) } }

    mutating func next(into work: inout ConvertedBatch) throws -> Bool {
        guard try take(into: &work.batch) else { return false }
        // The text around the records of an XML document is only known after its first record.
        work.rejectSource = isFirst ? RejectSource(source) : nil
        isFirst = false
        converter.convert(&work)
        return true
    }

    /// Fills a batch with records of the range.
    private mutating func take(into batch: inout RecordBatch) throws -> Bool {
        guard let range else { return try source.next(into: &batch) }
        var first = 0
        if case .bytes(let bytes) = range { first = bytes.lowerBound }
        while try source.next(into: &batch, passingBefore: first) {
            switch range.place(of: batch) {
            case .before: continue
            case .inside: return true
            case .behind: return false
            }
        }
        return false
    }
}
