/// Reads the first records of sources to determine their structure.
package struct SourceSampler {
    /// Returns the samples of a file: one for a CSV file, one for each table of a database, and one for each kind of
    /// element.
    /// A record of texts looks like any other; if its texts are `names`, it is the header.
    ///
    /// Throws an error if the file cannot be read.
    package static func samples(
        of path: String, names: [String], within limits: DraftLimits
    ) throws -> [SourceSample] {
        try SourceFormat.Kind(path: path).format.samples(
            of: path, names: Set(names.map(HeaderDetection.plain)), within: limits)
    }

    /// Returns the kinds of record that a JSON or XML file may contain; for JSON, the document itself comes first.
    package static func candidates(of path: String, within limits: DraftLimits) throws -> [SourceSample] {
        try SourceFormat.Kind(path: path).format.candidates(of: path, within: limits)
    }

    static func nested(
        _ source: inout some RecordSource, isJSON: Bool = false, within limits: DraftLimits
    ) throws -> SampledPart {
        var part = SampledPart(isJSON: isJSON, limits: limits)
        var batch = RecordBatch(limits: limits.records)
        if try source.next(into: &batch) {
            for record in 0..<batch.count where batch[record].isReadable {
                part.add(node: Int(batch[record].rootNode), of: batch)
            }
        }
        return part
    }

    // MARK: Names

    /// Returns the name of a file without folders and extensions.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? name
    }

    static func lastName(of path: String) -> String {
        path.split { $0 == "/" || $0 == "." }.last.map(String.init) ?? path
    }
}
