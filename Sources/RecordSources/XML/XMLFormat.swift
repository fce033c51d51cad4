extension SourceFormat.Kind {
    /// XML documents.
    public static let xml = Self(of: "xml")
}

struct XMLFormat: RecordFormat {
    let kind = SourceFormat.Kind.xml
    let title = "XML"
    let fileExtensions = ["xml", "gpx", "osm", "rss", "atom", "opml", "kml", "svg"]
    let keys = ["records", "namespaces"]
    let shape = RecordShape.nested
    let division = RecordDivision.bytes
    var rendering: (any RecordRendering.Type)? { XMLSource.self }
    let hasDefaultRecords = false

    func isLikely(_ start: [UInt8], first: UInt8?) -> Bool { first == UInt8(ascii: "<") }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        guard let records = format.records else {
            throw SourceError(StreamInput.isStream(path) ? .unnamedDocument : .unnamedRecords, in: path)
        }
        var options = XMLOptions(recordPath: records)
        options.namespaces = format.namespaces
        options.limits = opening.limits
        return try XMLSource(path: path, options: options, paths: fields.paths, names: fields.names, from: position)
    }

    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        // Finding the records and reading them needs two passes, but a stream can be read only once.
        if StreamInput.isStream(path) { throw SourceError(.unnamedDocument, in: path) }
        return try XMLRecordFinding(path: path, within: limits).recordPaths.map { recordPath in
            var source = try XMLSource(path: path, options: XMLOptions(recordPath: recordPath))
            let records = try SourceSampler.nested(&source, within: limits)
            var format = SourceFormat(kind: .xml)
            format.records = recordPath
            return SourceSample(
                path: path, format: format,
                titles: [SourceSampler.lastName(of: recordPath), SourceSampler.stem(of: path)], records: records)
        }
    }
}
