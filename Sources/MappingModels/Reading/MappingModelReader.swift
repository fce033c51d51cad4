internal import DocumentReading

/// Reads mapping models from YAML, the form that `MappingModelWriter` writes and people edit.
enum MappingModelReader {
    /// The number of the format, after the key `mapping`.
    static let formatNumber = 1

    /// A mapping model with a thousand entities has about 100 000 nodes.
    private static let limits = YAMLReadingLimits(maximumSize: 16 << 20, maximumDepth: 64, maximumNodeCount: 500_000)

    /// Throws all errors that it finds, each with file, line, column, the line itself and a caret.
    static func read(_ source: SourceText) throws(DocumentErrors) -> MappingModelDocument {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try YAMLDocument(bytes: source.bytes, name: source.name, limits: limits)
        } catch {
            throw DocumentErrors([error])
        }
        var parser = MappingModelParser(document)
        let model = parser.model()
        guard parser.problems.isEmpty, let model else { throw DocumentErrors(parser.problems) }
        return MappingModelDocument(
            model: model, form: .yaml, name: source.name, source: source, locations: parser.locations)
    }
}
