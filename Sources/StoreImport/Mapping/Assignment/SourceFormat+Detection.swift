internal import Glibc

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
    /// Throws if the file cannot be read, or where its bytes are compressed.
    public init(path: String) throws(SourceError) {
        let start = path == "-" ? try StandardInput.start() : try Self.start(of: path)
        if let compression = Compression(start: start) { throw SourceError(.compressed(compression), in: path) }
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
        self.init(start: start, fileExtension: suffix)
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

    /// The first bytes of a regular file; no bytes of a pipe, whose bytes can be read once only.
    private static func start(of path: String) throws(SourceError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SourceError(.cannotOpen(systemError: errno), in: path) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            throw SourceError(.cannotOpen(systemError: errno), in: path)
        }
        guard information.st_mode & S_IFMT != S_IFDIR else {
            throw SourceError(.cannotOpen(systemError: EISDIR), in: path)
        }
        guard information.st_mode & S_IFMT == S_IFREG else { return [] }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw SourceError(.cannotRead(systemError: errno), in: path) }
        return Array(bytes.prefix(count))
    }
}
