import FoundationEssentials

extension SourceFormat.Kind {
    /// Apple's property lists.
    public static let propertyList = Self(of: "plist")
}

/// Property lists, XML and binary, with an array of dictionaries at the root or below keys.
struct PropertyListSourceFormat: RecordFormat {
    let kind = SourceFormat.Kind.propertyList
    let title = "property list"
    let fileExtensions = ["plist"]
    let keys = ["records"]
    let shape = RecordShape.nested
    /// Although binary property lists are read from their end, they are read in the same way as XML ones.
    let isStream = true
    var rendering: (any RecordRendering.Type)? { PropertyListSource.self }

    func isCertain(_ start: [UInt8]) -> Bool {
        start.starts(with: Array("bplist0".utf8)) || Self.hasRoot(start)
    }

    /// Returns whether an XML document is a property list, according to its document type or its first element.
    private static func hasRoot(_ start: [UInt8]) -> Bool {
        var text = String(decoding: start.filter { $0 != 0 }, as: UTF8.self)[...]
        while let tag = text.firstIndex(of: "<") {
            guard text[..<tag].allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\u{FFFD}" }) else {
                return false
            }
            text = text[tag...]
            if text.hasPrefix("<!DOCTYPE plist") { return true }
            if text.hasPrefix("<plist") { return text.dropFirst(6).first.map { $0 == ">" || $0.isWhitespace } ?? false }
            let end = text.hasPrefix("<?") ? "?>" : text.hasPrefix("<!--") ? "-->" : nil
            guard let end, let range = text.firstRange(of: end) else { return false }
            text = text[range.upperBound...]
        }
        return false
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        var options = PropertyListOptions()
        options.recordPath = format.records
        options.limits = opening.limits
        return try PropertyListSource(
            try ByteInput(path: path), options: options, paths: fields.paths, names: fields.names, from: position)
    }

    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        [try sample(path, records: PropertyListRecordFinding.records(in: path, within: limits), within: limits)]
    }

    func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample] {
        let found = try PropertyListRecordFinding.records(in: path, within: limits)
        return try [sample(path, records: nil, within: limits)]
            + (found.map { [try sample(path, records: $0, within: limits)] } ?? [])
    }

    private func sample(_ path: String, records: String?, within limits: DraftLimits) throws -> SourceSample {
        var options = PropertyListOptions()
        var titles = [SourceSampler.stem(of: path)]
        if let records {
            options.recordPath = records
            titles.insert(SourceSampler.lastName(of: records), at: 0)
        }
        var source = try PropertyListSource(try ByteInput(path: path), options: options)
        let part = try SourceSampler.nested(&source, isJSON: true, within: limits)
        var format = SourceFormat(kind: .propertyList)
        format.records = records
        return SourceSample(path: path, format: format, titles: titles, records: part)
    }
}
