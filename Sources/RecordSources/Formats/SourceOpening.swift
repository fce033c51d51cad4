/// Opens sources in the format that the mapping specifies, or that their names and first bytes indicate.
///
/// Streams are opened once. Files are opened again when their turn comes, so that only one buffer is in memory.
package final class SourceOpening {
    let limits: RecordLimits
    /// Objects that formats keep from one opening to the next, by path: for streams, and for the file that was opened
    /// last.
    private var kept: [String: Any] = [:]

    package init(limits: RecordLimits = RecordLimits()) {
        self.limits = limits
    }

    /// Returns the kind of a source that the mapping specifies, or else the one that its name and first bytes indicate.
    package static func kind(of path: String, _ format: SourceFormat) throws(SourceError) -> SourceFormat.Kind {
        if let kind = format.impliedKind { return kind }
        return try SourceFormat.Kind(path: path)
    }

    /// Returns the columns of a flat source; nil for a nested one.
    package func columns(of path: String, _ format: SourceFormat) throws -> [String]? {
        if let records = kept(path, as: ProgramRecords.self) { return records.columns }
        return try Self.kind(of: path, format).format.columns(of: path, format, self)
    }

    package func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition? = nil
    ) throws -> any RecordSource {
        if let records = kept(path, as: ProgramRecords.self) {
            return ProgramSource(records, limits: limits, from: position)
        }
        return try Self.kind(of: path, format).format.source(path, format, fields: fields, from: position, self)
    }

    // MARK: For formats

    func kept<Value>(_ path: String, as type: Value.Type) -> Value? { kept[path] as? Value }

    package func keep(_ value: Any, for path: String) {
        kept = kept.filter { $0.key == path || StreamInput.isStream($0.key) }
        kept[path] = value
    }
}
