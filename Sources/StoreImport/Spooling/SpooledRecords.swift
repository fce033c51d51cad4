import RecordSources

/// The records of one file from the spools of an import's shards.
struct SpooledRecords: ConvertedRecords {
    let name: String
    let guessedEncoding: String?
    let areStored = true

    private let cursor: SpoolCursor
    private let file: Int
    private let kind: SourceFormat.Kind
    private let source: CompiledSource
    private var isFirst = true

    /// - Parameters:
    ///   - file: the index of the file; files must be read in order.
    ///   - kind: the format of the file.
    init(
        _ cursor: SpoolCursor, file: Int, named name: String, _ kind: SourceFormat.Kind, for source: CompiledSource
    ) throws {
        self.name = name
        self.cursor = cursor
        self.file = file
        self.kind = kind
        self.source = source
        guessedEncoding = try cursor.begin(file)?.guessedEncoding
    }

    mutating func next(into work: inout ConvertedBatch) throws -> Bool {
        guard let block = try cursor.batch(of: file) else { return false }
        do throws(SpoolDecoder.Fault) {
            try work.decode(block.content, of: source, name: name, kind: kind, block.form)
        } catch {
            throw SpoolError.damaged(block.path, byteOffset: block.offset + SpoolBlock.headerBytes + error.place)
        }
        // Each shard describes the text around its records; as in a run over all of them, the first description is
        // used.
        if !isFirst { work.rejectSource = nil }
        isFirst = false
        return true
    }
}
