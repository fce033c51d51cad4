import Foundation

/// Opens sources as their format says, or as their name and first bytes show.
///
/// Standard input is opened once; files are opened again when their turn comes, so that only one buffer is in memory.
final class SourceOpening {
    private var standardInput: DelimitedSource?

    /// The kind of a source: what the mapping says, else what the name ends in.
    static func kind(of path: String, _ format: SourceFormat) -> SourceFormat.Kind {
        if let kind = format.kind { return kind }
        switch (path as NSString).pathExtension.lowercased() {
        case "json", "ndjson", "jsonl", "geojson": return .json
        case "xml", "gpx", "osm", "rss", "atom", "kml", "svg": return .xml
        case "sqlite", "sqlite3", "db": return .sqlite
        default: return .csv
        }
    }

    /// The columns of a flat source; nil for a nested one.
    func columns(of path: String, _ format: SourceFormat) throws -> [String]? {
        switch Self.kind(of: path, format) {
        case .csv: try delimited(path, format).columns.map(\.name)
        case .json, .xml: nil
        case .sqlite: throw ImportPlanError(.badSetting("SQLite sources are not read yet"), source: path)
        }
    }

    func source(_ path: String, _ format: SourceFormat, fields: FieldCatalog) throws -> any RecordSource {
        switch Self.kind(of: path, format) {
        case .csv: return try delimited(path, format)
        case .json:
            var options = JSONOptions()
            options.recordPath = format.records
            return try JSONSource(try ByteInput(path: path), options: options, paths: fields.paths, names: fields.names)
        case .xml: throw ImportPlanError(.badSetting("XML sources are not read yet"), source: path)
        case .sqlite: throw ImportPlanError(.badSetting("SQLite sources are not read yet"), source: path)
        }
    }

    private func delimited(_ path: String, _ format: SourceFormat) throws -> DelimitedSource {
        if path == "-", let standardInput { return standardInput }
        var options = DelimitedOptions()
        options.delimiter = format.delimiter
        if let quote = format.quote { options.quote = .some(quote.utf8.first) }
        if let escape = format.escape { options.escape = .some(escape.utf8.first) }
        options.hasHeader = format.hasHeader
        options.comment = format.comment?.utf8.first
        options.allowsShortRecords = format.allowsRaggedRecords
        options.allowsLongRecords = format.allowsRaggedRecords
        let source = try DelimitedSource(try ByteInput(path: path), options: options)
        if path == "-" { standardInput = source }
        return source
    }
}
