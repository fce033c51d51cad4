import CompressedStreams

extension SourceFormat {
    /// The kind that is specified, or that other settings imply; nil if several kinds are possible.
    public var impliedKind: Kind? {
        let possible = possibleKinds
        return possible.count == 1 ? possible[0] : nil
    }

    /// The kinds that have all of the settings; those of the first such format come first.
    public var possibleKinds: [Kind] {
        if let kind { return [kind] }
        return RecordFormats.all.filter { Set(keys).isSubset(of: $0.keys) }.map(\.kind)
    }

    /// The mapping keys of the settings that have values here.
    private var keys: [String] {
        let all: [(String, Bool)] = [
            ("delimiter", delimiter != nil), ("quote", quote != nil), ("escape", escape != nil),
            ("newline", newline != nil), ("header", hasHeader != nil), ("columns", columns != nil),
            ("comment", comment != nil), ("encoding", encoding != nil), ("skipLines", skippedLines > 0),
            ("ragged", allowsRaggedRecords), ("records", records != nil), ("layout", layout != nil),
            ("namespaces", !namespaces.isEmpty), ("table", table != nil), ("query", query != nil),
        ]
        return all.filter(\.1).map(\.0) + texts.keys
    }
}

extension SourceFormat.Kind {
    /// Detects the kind of a file from its first bytes and its name; for standard input, `-`, only from the first
    /// bytes.
    /// - Throws: `SourceError` if the file cannot be read, or if its format is not supported.
    public init(path: String) throws(SourceError) {
        let start = try SourceStart(path: path)
        let uncompressed = start.compression == nil ? nil : StreamCompression.uncompressedPath(path)
        let name = (uncompressed ?? path).split(separator: "/").last ?? ""
        let suffix = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
        if let foreign = ForeignFormat(start: start.bytes, fileExtension: suffix),
            !RecordFormats.reads(start: start.bytes, fileExtension: suffix)
        {
            throw SourceError(.foreign(foreign), in: path)
        }
        self = RecordFormats.kind(start: start.bytes, fileExtension: suffix)
        if !format.isStream, let compression = start.compression {
            throw SourceError(.compressedDatabase(compression), in: path)
        }
    }
}
