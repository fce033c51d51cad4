import PersistentStores

extension SourceFormat.Kind {
    /// CSV, TSV and similar files.
    public static let csv = Self(of: "csv")
}

/// CSV, TSV and similar files.
struct DelimitedFormat: RecordFormat {
    let kind = SourceFormat.Kind.csv
    let title = "CSV"
    let fileExtensions = ["csv", "tsv", "tab", "txt", "psv"]
    let keys = [
        "delimiter", "quote", "escape", "newline", "header", "columns", "comment", "encoding", "skipLines", "ragged",
    ]
    let shape = RecordShape.flat
    let division = RecordDivision.bytes

    /// Returns the column names that the mapping gives, or else those of the header.
    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]? {
        let source = try open(path, format, from: nil, opening)
        guard let names = format.columns else {
            if source.isEmpty { throw SourceError(.empty, in: path) }
            return source.columns.map(\.name)
        }
        guard names.count <= source.columns.count else {
            throw SourceError(.fewerColumns(named: names.count, found: source.columns.count), in: path)
        }
        return names
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        try open(path, format, from: position, opening)
    }

    private func open(
        _ path: String, _ format: SourceFormat, from position: RecordPosition?, _ opening: SourceOpening
    ) throws -> DelimitedSource {
        let isStream = StreamInput.isStream(path)
        if isStream, let source = opening.kept(path, as: DelimitedSource.self) { return source }
        var options = DelimitedOptions()
        options.delimiter = format.delimiter
        options.largestRecord = opening.limits.bytes
        if let quote = format.quote { options.quote = .some(quote.utf8.first) }
        if let escape = format.escape { options.escape = .some(escape.utf8.first) }
        options.newline = format.newline
        options.encoding = format.encoding.map { TextEncoding(named: $0) }
        // If names are given, the file has no header unless the format says that it has one.
        options.hasHeader = format.hasHeader
        options.skippedLines = format.skippedLines
        options.comment = format.comment?.utf8.first
        options.allowsShortRecords = format.allowsRaggedRecords
        options.allowsLongRecords = format.allowsRaggedRecords
        let source = try DelimitedSource(try ByteInput(path: path), options: options, from: position)
        if isStream { opening.keep(source, for: path) }
        return source
    }
}
