public import DocumentReading

/// Reads import mappings from YAML; `docs/importing.md` documents the format.
public enum ImportMappingReader {
    /// The number of the format, after the key `import`.
    public static let formatNumber = 1

    /// Reads a file.
    /// - Throws: `DocumentErrors`: all errors that are found, each with file, line, column, the line itself and a
    ///   caret.
    public static func read(path: String) throws(DocumentErrors) -> ImportMappingDocument {
        try read { () throws(DocumentError) in try YAMLDocument(path: path, limits: limits) }
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    /// - Throws: `DocumentErrors`: all errors that are found, each with file, line, column, the line itself and a
    ///   caret.
    public static func read(bytes: [UInt8], name: String) throws(DocumentErrors) -> ImportMappingDocument {
        try read { () throws(DocumentError) in try YAMLDocument(bytes: bytes, name: name, limits: limits) }
    }

    /// A mapping of a thousand entities has about 100 000 nodes.
    private static let limits = YAMLReadingLimits(maximumSize: 16 << 20, maximumDepth: 64, maximumNodeCount: 500_000)

    private static func read(
        _ open: () throws(DocumentError) -> YAMLDocument
    ) throws(DocumentErrors) -> ImportMappingDocument {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try open()
        } catch {
            throw DocumentErrors([error])
        }
        var parser = MappingParser(document)
        let mapping = parser.mapping()
        guard parser.problems.isEmpty, let mapping else { throw DocumentErrors(parser.problems) }
        return ImportMappingDocument(mapping: mapping, source: document.source, locations: parser.locations)
    }
}
