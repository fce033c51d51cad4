import CompressedStreams

extension SourceFormat {
    /// The kind that is named, or that other settings tell; nil if it may be any.
    public var impliedKind: Kind? {
        if let kind { return kind }
        if table != nil || query != nil { return .sqlite }
        let isDelimited =
            delimiter != nil || quote != nil || escape != nil || newline != nil || hasHeader != nil
            || columns != nil || comment != nil || encoding != nil || skippedLines > 0 || allowsRaggedRecords
        if isDelimited { return .csv }
        if layout != nil { return .json }
        return namespaces.isEmpty ? nil : .xml
    }
}

extension SourceFormat.Kind {
    /// What people call files of the kind.
    public var title: String {
        switch self {
        case .csv: "CSV"
        case .xml: "XML"
        case .json: "JSON"
        case .sqlite: "SQLite"
        }
    }

    private static let fileExtensions: [(kind: SourceFormat.Kind, names: [String])] = [
        (.csv, ["csv", "tsv", "tab", "txt", "psv"]),
        (.json, ["json", "ndjson", "jsonl", "geojson"]),
        (.xml, ["xml", "gpx", "osm", "rss", "atom", "opml", "kml", "plist", "svg"]),
    ]

    /// The kind of a file: by its first bytes and its name. Standard input, `-`, has its first bytes only.
    ///
    /// Throws if the file cannot be read, or where it is in a format that is not read.
    public init(path: String) throws(SourceError) {
        let start = try SourceStart(path: path)
        let uncompressed = start.compression == nil ? nil : StreamCompression.uncompressedPath(path)
        let name = (uncompressed ?? path).split(separator: "/").last ?? ""
        let suffix = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
        if let foreign = ForeignFormat(start: start.bytes, fileExtension: suffix) {
            throw SourceError(.foreign(foreign), in: path)
        }
        self.init(start: start.bytes, fileExtension: suffix)
        if self == .sqlite, let compression = start.compression {
            throw SourceError(.compressedDatabase(compression), in: path)
        }
        // An XML document is read by path, and these bytes of a pipe are gone.
        if path == "-", self == .xml { throw SourceError(.unnamedDocument, in: path) }
    }

    /// The kind of a file with these first bytes.
    init(start: [UInt8], fileExtension: String) {
        if start.starts(with: Array("SQLite format 3\u{0}".utf8)) {
            self = .sqlite
            return
        }
        if let known = Self.fileExtensions.first(where: { $0.names.contains(fileExtension) }) {
            self = known.kind
            return
        }
        // Byte order marks, the zeros of UTF-16, and white space say nothing.
        let first = start.first { ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        switch first {
        case UInt8(ascii: "<"): self = .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        default: self = .csv
        }
    }
}
