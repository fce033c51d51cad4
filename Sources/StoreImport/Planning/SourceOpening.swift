import PersistentStores
import SQLiteAccess

/// Opens sources as their format says, or as their name and first bytes show.
///
/// Standard input is opened once; files are opened again when their turn comes, so that only one buffer is in memory.
final class SourceOpening {
    private let limits: RecordLimits
    private var standardInput: DelimitedSource?
    /// The database that was opened last: the tables of one follow each other, and each connection reads the whole schema.
    private var database: (path: String, connection: Connection)?

    init(limits: RecordLimits = RecordLimits()) {
        self.limits = limits
    }

    /// The kind of a source: what the mapping says, else what its name and first bytes show.
    static func kind(of path: String, _ format: SourceFormat) throws(SourceError) -> SourceFormat.Kind {
        if let kind = format.impliedKind { return kind }
        return try SourceFormat.Kind(path: path)
    }

    /// The columns of a flat source; nil for a nested one.
    func columns(of path: String, _ format: SourceFormat) throws -> [String]? {
        switch try Self.kind(of: path, format) {
        case .csv: try names(of: delimited(path, format), path, format)
        case .json, .xml: nil
        case .sqlite: try database(path, format).columns.map(\.name)
        }
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition? = nil
    ) throws -> any RecordSource {
        switch try Self.kind(of: path, format) {
        case .csv: return try delimited(path, format, from: position)
        case .json:
            var options = JSONOptions()
            options.recordPath = format.records
            options.layout = format.layout
            options.limits = limits
            return try JSONSource(
                try ByteInput(path: path), options: options, paths: fields.paths, names: fields.names, from: position)
        case .xml:
            guard let records = format.records else {
                throw ImportPlanError(
                    .badSetting("an XML source needs the path of its records, such as //item: write a mapping"),
                    source: path)
            }
            var options = XMLOptions(recordPath: records)
            options.namespaces = format.namespaces
            options.limits = limits
            return try XMLSource(path: path, options: options, paths: fields.paths, names: fields.names, from: position)
        case .sqlite: return try database(path, format, from: position)
        }
    }

    private func database(_ path: String, _ format: SourceFormat, from position: RecordPosition? = nil) throws
        -> SQLiteSource
    {
        let selection: SQLiteSource.Selection
        if let query = format.query {
            selection = .query(query)
        } else if let table = format.table {
            selection = .relation(table)
        } else {
            throw ImportPlanError(
                .badSetting("an SQLite source needs a table or a query: write a mapping"), source: path)
        }
        let connection =
            if let database, database.path == path { database.connection } else {
                try SQLiteSource.connection(to: path)
            }
        database = (path, connection)
        return try SQLiteSource(connection, path: path, selection: selection, limits: limits, from: position)
    }

    private func delimited(
        _ path: String, _ format: SourceFormat, from position: RecordPosition? = nil
    ) throws -> DelimitedSource {
        if path == "-", let standardInput { return standardInput }
        var options = DelimitedOptions()
        options.delimiter = format.delimiter
        options.largestRecord = limits.bytes
        if let quote = format.quote { options.quote = .some(quote.utf8.first) }
        if let escape = format.escape { options.escape = .some(escape.utf8.first) }
        options.newline = format.newline
        options.encoding = format.encoding.map { TextEncoding(named: $0) }
        // Names that are given stand for the columns of a file without header, unless it is said to have one.
        options.hasHeader = format.hasHeader
        options.skippedLines = format.skippedLines
        options.comment = format.comment?.utf8.first
        options.allowsShortRecords = format.allowsRaggedRecords
        options.allowsLongRecords = format.allowsRaggedRecords
        let source = try DelimitedSource(try ByteInput(path: path), options: options, from: position)
        if path == "-" { standardInput = source }
        return source
    }

    /// The names that a mapping gives the columns, else those of the header.
    private func names(of source: DelimitedSource, _ path: String, _ format: SourceFormat) throws -> [String] {
        guard let names = format.columns else {
            if source.isEmpty { throw SourceError(.empty, in: path) }
            return source.columns.map(\.name)
        }
        guard names.count <= source.columns.count else {
            throw ImportPlanError(
                .badSetting(
                    "the mapping names \(Quantity.count(Int64(names.count), "column")), and the source has \(source.columns.count)"
                ),
                source: path)
        }
        return names
    }
}
