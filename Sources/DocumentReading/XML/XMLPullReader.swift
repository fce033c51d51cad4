/// Reads an XML document from front to back, one event at a time; memory does not grow with the document.
///
/// Comments and processing instructions are skipped, and texts around them are joined; CDATA is text. A DOCTYPE is
/// accepted: entities and default values declared in the document are applied within limits, external ones are refused,
/// and no other file is opened. All text is UTF-8 without NUL, regardless of the document's encoding. A reader belongs
/// to one thread at a time.
///
///     let reader = try XMLPullReader(path: "people.xml")
///     while let event = try reader.next() { ... }
public final class XMLPullReader {
    private var stream: XMLEventStream

    /// Opens a file, which is read in pieces.
    /// - Throws: `DocumentError` with code `unreadable` if the file cannot be opened.
    public init(path: String, limits: XMLReadingLimits = XMLReadingLimits()) throws(DocumentError) {
        stream = try XMLEventStream(path: path, limits: limits)
    }

    /// Reads a document in memory; `name` is used in messages instead of a file name.
    public init(bytes: [UInt8], name: String, limits: XMLReadingLimits = XMLReadingLimits()) {
        stream = XMLEventStream(bytes: bytes, name: name, limits: limits)
    }

    /// Advances to the next event; nil at the end of the document.
    /// - Throws: `DocumentError` if the document is malformed or exceeds a limit, after all events before that
    ///   location.
    public func next() throws(DocumentError) -> XMLEvent? { try stream.next() }

    /// Skips from a start tag to its end tag.
    /// - Throws: `DocumentError` if the document is malformed or exceeds a limit.
    public func skipElement() throws(DocumentError) { try stream.skipElement() }

    /// The number of open elements, including that of a start tag, but not that of an end tag.
    public var depth: Int { stream.depth }

    /// The file's path, or the name that the reader was given.
    public var fileName: String { stream.fileName }

    /// The number of bytes of the document that have been read: at most some 64 KiB ahead of the events.
    public var bytesRead: Int { stream.bytesRead }

    // MARK: The current element

    /// The index of the element's name among the document's names, in order of appearance.
    public var nameIndex: Int { stream.nameIndex }

    /// Returns the name with an index.
    public func name(at index: Int) -> XMLName { stream.name(at: index) }

    /// The name of the current start or end tag.
    public var name: XMLName { stream.name }

    /// Whether this is an empty-element tag, `<a/>`; the end tag nevertheless follows as an event.
    public var isEmptyElement: Bool { stream.isEmptyElement }

    // MARK: The current start tag's attributes

    /// The number of attributes of the current start tag; 0 for other events.
    public var attributeCount: Int { stream.attributeCount }

    /// Returns the index of an attribute's name; elements and attributes share one numbering.
    public func attributeNameIndex(at place: Int) -> Int { stream.attributeNameIndex(at: place) }

    /// The attributes in the document's order.
    public var attributes: [XMLAttribute] { stream.attributes }

    /// Returns the value of the attribute at an index in the tag, counted from 0.
    public func attributeValue(at place: Int) -> String { stream.attributeValue(at: place) }

    /// Returns the value of the attribute with a qualified name; nil if there is none.
    public func attribute(named name: String) -> String? { stream.attribute(named: name) }

    /// Calls a closure with the bytes of an attribute's value, which are valid only inside the closure.
    /// - Throws: any error of the closure.
    public func withAttributeValue<Result: ~Copyable, Failure>(
        at place: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try stream.withAttributeValue(at: place, body)
    }

    // MARK: The current text

    /// The text; empty for a tag.
    public var text: String { stream.text }

    /// Calls a closure with the bytes of the text, which are valid only inside the closure.
    /// - Throws: any error of the closure.
    public func withText<Result: ~Copyable, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try stream.withText(body)
    }

    /// Whether the text consists of spaces, tabs and newlines only.
    public var isBlankText: Bool { stream.isBlankText }

    // MARK: The place

    /// The line on which the current event begins, counted from 1.
    public var line: Int { stream.line }

    /// The location of the beginning of the current event, which for a tag is its `<`.
    public var location: SourceLocation { stream.location }

    /// The offset of a start tag's `<` in the document's bytes, or the offset after an end tag's `>`.
    ///
    /// The bytes between the two are the element as written. nil for texts, and if the document is not UTF-8.
    public var byteOffset: Int? { stream.byteOffset }

    /// Returns an error at the current event, for content that the caller does not accept.
    public func error(_ sentence: String) -> DocumentError { stream.error(sentence) }
}
