extension SourceFormat.Kind {
    /// JSON: an array, lines, or consecutive values.
    public static let json = Self(of: "json")
}

/// JSON: an array, lines, or consecutive values.
struct JSONFormat: RecordFormat {
    let kind = SourceFormat.Kind.json
    let title = "JSON"
    let fileExtensions = ["json", "ndjson", "jsonl", "geojson"]
    let keys = ["layout", "records"]
    let shape = RecordShape.nested
    let division = RecordDivision.bytes

    func isLikely(_ start: [UInt8], first: UInt8?) -> Bool {
        first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        var options = JSONOptions()
        options.recordPath = format.records
        options.layout = format.layout
        options.limits = opening.limits
        return try JSONSource(
            try ByteInput(path: path), options: options, paths: fields.paths, names: fields.names, from: position)
    }

    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        [try sample(path, records: JSONRecordFinding.records(in: path, within: limits), within: limits)]
    }

    func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample] {
        let document = try sample(path, records: nil, within: limits)
        let found = try JSONRecordFinding.records(in: path, within: limits)
        return try [document] + (found.map { [try sample(path, records: $0, within: limits)] } ?? [])
    }

    private func sample(_ path: String, records: String?, within limits: DraftLimits) throws -> SourceSample {
        var options = JSONOptions()
        var titles = [SourceSampler.stem(of: path)]
        if let records {
            options.recordPath = records
            titles.insert(SourceSampler.lastName(of: records), at: 0)
        }
        var source = try JSONSource(try ByteInput(path: path), options: options)
        let records = try SourceSampler.nested(&source, isJSON: true, within: limits)
        var format = SourceFormat(kind: .json)
        format.records = options.recordPath
        return SourceSample(path: path, format: format, titles: titles, records: records)
    }
}
