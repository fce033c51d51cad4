/// A YAML document as a tree of nodes, with its text for error messages.
public struct YAMLDocument: Sendable {
    /// The root node.
    public let root: YAMLNode
    /// The document's text, of which errors show lines.
    public let source: SourceText

    /// Reads a file.
    /// - Throws: `DocumentError` with file, line, column and excerpt.
    public init(path: String, limits: YAMLReadingLimits = YAMLReadingLimits()) throws(DocumentError) {
        try self.init(try SourceText(path: path, maximumSize: limits.maximumSize), limits: limits)
    }

    /// Reads a document in memory; `name` is used in messages instead of a file name.
    /// - Throws: `DocumentError` with file, line, column and excerpt if the document is malformed or exceeds a limit.
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
        guard Self.directiveCount(source.bytes) <= Self.maximumDirectiveCount else {
            throw DocumentError(
                .tooLarge, "the document has more than \(Self.maximumDirectiveCount) directives",
                at: SourceLocation(file: source.name, line: 1))
        }
        // The parser keeps the pointer during its lifetime, which is limited to this closure.
        root = unsafe try source.bytes.withUnsafeBufferPointer { (buffer) throws(DocumentError) -> YAMLNode in
            var builder = unsafe YAMLTreeBuilder(parser: YAMLEventParser(buffer), source: source, limits: limits)
            return try builder.build()
        }
        self.source = source
    }

    /// The maximum number of directives: libyaml compares each `%TAG` directive with all before it; real documents have
    /// one or two.
    private static let maximumDirectiveCount = 64

    /// Returns the number of lines that begin with a percent sign, by all line ends that libyaml recognizes.
    private static func directiveCount(_ bytes: [UInt8]) -> Int {
        var count = bytes.first == UInt8(ascii: "%") ? 1 : 0
        for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "%") {
            switch bytes[index - 1] {
            // The last bytes of NEL, of the line and paragraph separators, and of the byte order mark.
            case 0x0A, 0x0D, 0x85, 0xA8, 0xA9, 0xBF: count += 1
            default: continue
            }
        }
        return count
    }

    /// Returns an error at a location in this document, for content that the caller does not accept.
    public func error(_ sentence: String, at location: SourceLocation) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
    }
}
