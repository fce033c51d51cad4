/// Reads an XML document from front to back, one event at a time, in memory that does not grow with the document.
///
/// Comments and processing instructions are skipped, and texts around them joined; CDATA is text. A DOCTYPE is
/// accepted: the entities and default values that it declares in the document itself are applied within limits, those
/// outside the document are refused, and nothing outside it is opened. All text is UTF-8 without NUL, whatever the
/// document's encoding. A reader belongs to one thread at a time.
///
///     let reader = try XMLPullReader(path: "people.xml")
///     while let event = try reader.next() { ... }
public final class XMLPullReader {
    private var stream: XMLEventStream

    /// Opens a file, which is read piece by piece.
    /// - Throws: `DocumentError` with code `unreadable` if the file cannot be opened.
    public init(path: String, limits: XMLReadingLimits = XMLReadingLimits()) throws(DocumentError) {
        stream = try XMLEventStream(path: path, limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    public init(bytes: [UInt8], name: String, limits: XMLReadingLimits = XMLReadingLimits()) {
        stream = XMLEventStream(bytes: bytes, name: name, limits: limits)
    }

    /// Goes to the next event; nil at the end of the document.
    /// - Throws: `DocumentError` where the document is malformed or exceeds a limit, after all events before that
    ///   place.
    public func next() throws(DocumentError) -> XMLEvent? { try stream.next() }

    /// On a start tag: goes to its end tag.
    /// - Throws: `DocumentError` where the document is malformed or exceeds a limit.
    public func skipElement() throws(DocumentError) { try stream.skipElement() }

    /// The number of elements that are open: a start tag's own element counts, an end tag's no more.
    public var depth: Int { stream.depth }

    /// The file's path, or the name that the reader was given.
    public var fileName: String { stream.fileName }

    /// How many bytes of the document have been read: at most some 64 KiB more than its events need.
    public var bytesRead: Int { stream.bytesRead }

    // MARK: The current element

    /// The place of the element's name among the document's names in order of appearance: same name, same index.
    public var nameIndex: Int { stream.nameIndex }

    /// The name that has an index.
    public func name(at index: Int) -> XMLName { stream.name(at: index) }

    /// The name of the current start or end tag.
    public var name: XMLName { stream.name }

    /// Whether the element is written as `<a/>`; its end tag follows as an event all the same.
    public var isEmptyElement: Bool { stream.isEmptyElement }

    // MARK: The current start tag's attributes

    /// How many attributes the current start tag has; 0 on other events.
    public var attributeCount: Int { stream.attributeCount }

    /// The index of an attribute's name; elements and attributes share one numbering.
    public func attributeNameIndex(at place: Int) -> Int { stream.attributeNameIndex(at: place) }

    /// The attributes in the document's order.
    public var attributes: [XMLAttribute] { stream.attributes }

    /// The value of the attribute at a place among the tag's attributes, counted from 0.
    public func attributeValue(at place: Int) -> String { stream.attributeValue(at: place) }

    /// The value of the attribute of that qualified name; nil if there is none.
    public func attribute(named name: String) -> String? { stream.attribute(named: name) }

    /// Lends the bytes of an attribute's value; they are valid inside the closure only.
    /// - Throws: what the closure throws.
    public func withAttributeValue<Result: ~Copyable, Failure>(
        at place: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try stream.withAttributeValue(at: place, body)
    }

    // MARK: The current text

    /// The text; empty on a tag.
    public var text: String { stream.text }

    /// Lends the bytes of the text; they are valid inside the closure only.
    /// - Throws: what the closure throws.
    public func withText<Result: ~Copyable, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try stream.withText(body)
    }

    /// Whether the text is nothing but spaces, tabs and newlines.
    public var isBlankText: Bool { stream.isBlankText }

    // MARK: The place

    /// The line where the current event begins, counted from 1.
    public var line: Int { stream.line }

    /// Where the current event begins: a tag at its `<`.
    public var location: SourceLocation { stream.location }

    /// Of a start tag the offset of its `<` in the document's bytes, of an end tag the offset behind its `>`.
    ///
    /// The bytes between the two are the element as it is written. nil for texts, and where the document is not UTF-8.
    public var byteOffset: Int? { stream.byteOffset }

    /// An error at the current event, for a document that says something its user does not accept.
    public func error(_ sentence: String) -> DocumentError { stream.error(sentence) }
}
