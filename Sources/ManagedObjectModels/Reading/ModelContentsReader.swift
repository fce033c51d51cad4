import DocumentReading

/// Reads the `contents` file of an `.xcdatamodel`: Xcode's source form of a model since Xcode 4.
public enum ModelContentsReader {
    /// No model has entities of its own.
    private static let limits = XMLReadingLimits(maximumExpansion: 0)

    /// Reads a file.
    /// - Throws: `ModelError` with file and line for XML that is malformed, a document that is not a model, a name that
    ///   is missing or given twice, and for a parent, destination or composite that the model does not have.
    public static func read(path: String) throws(ModelError) -> ModelDocument {
        let reader: XMLPullReader
        do {
            reader = try XMLPullReader(path: path, limits: limits)
        } catch {
            throw ModelError(error)
        }
        return try ContentsParser(reader).document()
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    /// - Throws: `ModelError` with file and line for XML that is malformed, and for a document that is not a model.
    public static func read(bytes: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        try ContentsParser(XMLPullReader(bytes: bytes, name: name, limits: limits)).document()
    }
}

extension ModelError {
    /// A document that cannot be read, as an error of the model in it.
    init(_ error: DocumentError) {
        let line = error.code == .unreadable ? nil : error.location.line
        self.init(.unreadable(error.sentence), path: error.location.file, line: line)
    }
}
