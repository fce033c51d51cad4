/// A YAML document as a tree of nodes, with its text to point into.
public struct YAMLDocument: Sendable {
    /// The outermost node.
    public let root: YAMLNode
    /// The document's text, which errors show lines of.
    public let source: SourceText

    /// Reads a file.
    /// - Throws: `DocumentError` with file, line, column and excerpt.
    public init(path: String, limits: YAMLReadingLimits = YAMLReadingLimits()) throws(DocumentError) {
        try self.init(try SourceText(path: path, maximumSize: limits.maximumSize), limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
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
        // The parser keeps the pointer for as long as it lives: it lives inside this closure only.
        root = unsafe try source.bytes.withUnsafeBufferPointer { (buffer) throws(DocumentError) -> YAMLNode in
            var builder = unsafe YAMLTreeBuilder(parser: YAMLEventParser(buffer), source: source, limits: limits)
            return try builder.build()
        }
        self.source = source
    }

    /// libyaml compares each `%TAG` directive with all before it; real documents have one or two.
    private static let maximumDirectiveCount = 64

    /// The number of lines that begin with a percent sign, by all that libyaml takes for a line's end.
    private static func directiveCount(_ bytes: [UInt8]) -> Int {
        var count = bytes.first == UInt8(ascii: "%") ? 1 : 0
        for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "%") {
            switch bytes[index - 1] {
            // The last bytes of NEL, and of the line and paragraph separators; the byte order mark's as well.
            case 0x0A, 0x0D, 0x85, 0xA8, 0xA9, 0xBF: count += 1
            default: continue
            }
        }
        return count
    }

    /// An error at a place of this document, for one that says something its user does not accept.
    public func error(_ sentence: String, at location: SourceLocation) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: location, excerpt: source.excerpt(at: location))
    }
}
