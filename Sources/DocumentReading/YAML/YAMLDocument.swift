/// A YAML document as a tree of nodes, with its text to point into.
public struct YAMLDocument: Sendable {
    public let root: YAMLNode
    public let source: SourceText

    /// Reads a file.
    ///
    /// Throws `DocumentError` with file, line, column and excerpt.
    public init(path: String, limits: YAMLReadingLimits = YAMLReadingLimits()) throws(DocumentError) {
        var file = try ByteSource(path: path)
        var bytes: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            unsafe try file.withNextPiece { piece in
                isAtEnd = piece.isEmpty
                unsafe bytes.append(contentsOf: piece)
            }
            if bytes.count > limits.maximumSize { break }
        }
        try self.init(bytes: bytes, name: path, limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    public init(
        bytes: [UInt8], name: String, limits: YAMLReadingLimits = YAMLReadingLimits()
    ) throws(DocumentError) {
        let source = SourceText(name: name, bytes: bytes)
        guard bytes.count <= limits.maximumSize else {
            throw DocumentError(
                .tooLarge, "the document has more than \(limits.maximumSize) bytes",
                at: SourceLocation(file: name, line: 1))
        }
        // The parser keeps the pointer for as long as it lives: it lives inside this closure only.
        root = unsafe try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentError) -> YAMLNode in
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
