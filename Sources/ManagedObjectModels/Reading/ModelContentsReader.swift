import DocumentReading

/// Reads the `contents` file of an `.xcdatamodel`: Xcode's source form of a model since Xcode 4.
public enum ModelContentsReader {
    /// No model declares XML entities of its own.
    private static let limits = XMLReadingLimits(maximumExpansion: 0)

    /// Reads a file.
    /// - Throws: `ModelError` with file and line for XML that is malformed, a document that is not a model, a missing
    ///   or duplicate name, and for a superentity, destination or composite that is not in the model.
    public static func read(path: String) throws(ModelError) -> ModelDocument {
        let reader: XMLPullReader
        do {
            reader = try XMLPullReader(path: path, limits: limits)
        } catch {
            throw ModelError(error)
        }
        return try ContentsParser(reader).document()
    }

    /// Reads a document in memory; `name` is used in messages instead of a file name.
    /// - Throws: `ModelError` with file and line for XML that is malformed, and for a document that is not a model.
    public static func read(bytes: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        try ContentsParser(XMLPullReader(bytes: bytes, name: name, limits: limits)).document()
    }
}

extension ModelError {
    /// Makes the error of a model from that of a document that cannot be read.
    init(_ error: DocumentError) {
        let line = error.code == .unreadable ? nil : error.location.line
        self.init(.unreadable(error.sentence), path: error.location.file, line: line)
    }
}
