/// A YAML document as a tree of nodes, with its text to point into.
public struct YAMLDocument: Sendable {
    public let root: YAMLNode
    public let source: SourceText

    /// Reads a file.
    ///
    /// Throws `DocumentError` with file, line, column and excerpt.
    public init(path: String, limits: YAMLReadingLimits = YAMLReadingLimits()) throws(DocumentError) {
        try self.init(try SourceText(path: path, maximumSize: limits.maximumSize), limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    public init(
        bytes: [UInt8], name: String, limits: YAMLReadingLimits = YAMLReadingLimits()
    ) throws(DocumentError) {
        guard bytes.count <= limits.maximumSize else {
            throw DocumentError(
                .tooLarge, "the document has more than \(limits.maximumSize) bytes",
                at: SourceLocation(file: name, line: 1))
        }
        try self.init(SourceText(name: name, bytes: bytes), limits: limits)
    }

    private init(_ source: SourceText, limits: YAMLReadingLimits) throws(DocumentError) {
        // The parser keeps the pointer for as long as it lives: it lives inside this closure only.
        root = unsafe try source.bytes.withUnsafeBufferPointer { (buffer) throws(DocumentError) -> YAMLNode in
            var builder = unsafe YAMLTreeBuilder(parser: YAMLEventParser(buffer), source: source, limits: limits)
            return try builder.build()
        }
        self.source = source
    }

    /// An error at a place of this document, for one that says something its user does not accept.
    public func error(_ sentence: String, at location: SourceLocation) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
    }
}
