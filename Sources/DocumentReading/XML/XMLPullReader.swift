/// Reads an XML document from front to back, one event at a time, in memory that does not grow with the document.
///
/// Comments and processing instructions are skipped, and texts around them joined; CDATA is text. A DOCTYPE is
/// accepted, but nothing outside the document is opened, entity declarations are refused, and a DTD's default values
/// are not applied. All text is UTF-8 without NUL, whatever the document's encoding. A reader belongs to one thread at
/// a time.
///
///     let reader = try XMLPullReader(path: "people.xml")
///     while let event = try reader.next() { ... }
public final class XMLPullReader {
    private let parser: XMLPushParser
    private var source: ByteSource
    private var index = -1
    private var completeCount = 0
    private var current = XMLEventRecord(event: .endElement, nameIndex: 0, line: 1, column: 1, start: 0, count: 0)

    /// The number of elements that are open: a start tag's own element counts, an end tag's no more.
    public private(set) var depth = 0

    /// Opens a file, which is read piece by piece.
    public init(path: String, limits: XMLReadingLimits = XMLReadingLimits()) throws(DocumentError) {
        source = try ByteSource(path: path)
        parser = XMLPushParser(fileName: path, limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    public init(bytes: [UInt8], name: String, limits: XMLReadingLimits = XMLReadingLimits()) {
        source = ByteSource(bytes: bytes, name: name)
        parser = XMLPushParser(fileName: name, limits: limits)
    }

    /// Goes to the next event; nil at the end of the document.
    ///
    /// Throws `DocumentError` where the document is malformed or exceeds a limit, after all events before that place.
    public func next() throws(DocumentError) -> XMLEvent? {
        index += 1
        while index >= completeCount {
            if parser.isFinished {
                index = completeCount
                if let failure = parser.recording.failure { throw failure }
                return nil
            }
            parser.recording.forgetEvents()
            unsafe try source.withNextPiece { unsafe parser.parse($0) }
            index = 0
            completeCount = parser.recording.completeCount(isFinished: parser.isFinished)
        }
        current = parser.recording.events[index]
        switch current.event {
        case .startElement: depth += 1
        case .endElement: depth -= 1
        case .text: break
        }
        return current.event
    }

    /// On a start tag: goes to its end tag.
    public func skipElement() throws(DocumentError) {
        let outer = depth - 1
        while depth > outer {
            guard try next() != nil else { return }
        }
    }

    /// The file's path, or the name that the reader was given.
    public var fileName: String { parser.recording.fileName }

    /// How many bytes of the document have been read so far: at most some 64 KiB more than its events need.
    public var bytesRead: Int { source.position }

    // MARK: The current element

    /// The place of the element's name among the document's names in order of appearance: same name, same index.
    public var nameIndex: Int { Int(current.nameIndex) }

    /// The name that has an index.
    public func name(at index: Int) -> XMLName { parser.recording.names.names[index] }

    /// The name of the current start or end tag.
    public var name: XMLName { name(at: nameIndex) }

    /// Whether the element is written as `<a/>`; its end tag follows as an event all the same.
    public var isEmptyElement: Bool { current.isEmptyElement }

    // MARK: The current start tag's attributes

    public var attributeCount: Int { current.event == .startElement ? current.count : 0 }

    /// The index of an attribute's name; elements and attributes share one numbering.
    public func attributeNameIndex(at place: Int) -> Int {
        Int(parser.recording.attributes[current.start + place].nameIndex)
    }

    /// The attributes in the document's order.
    public var attributes: [XMLAttribute] {
        (0..<attributeCount).map {
            XMLAttribute(name: name(at: attributeNameIndex(at: $0)), value: attributeValue(at: $0))
        }
    }

    public func attributeValue(at place: Int) -> String {
        withAttributeValue(at: place) { String(copying: $0) }
    }

    /// The value of the attribute of that qualified name; nil where there is none.
    public func attribute(named name: String) -> String? {
        let place = (0..<attributeCount).first { self.name(at: attributeNameIndex(at: $0)).qualifiedName == name }
        return place.map { attributeValue(at: $0) }
    }

    /// Lends the bytes of an attribute's value; they are valid inside the closure only.
    public func withAttributeValue<Result: ~Copyable, Failure>(
        at place: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let record = parser.recording.attributes[current.start + place]
        let bytes = parser.recording.bytes
        return try body(bytes.span.extracting(record.start..<record.start + record.count))
    }

    // MARK: The current text

    /// The text; empty on a tag.
    public var text: String { withText { String(copying: $0) } }

    /// Lends the bytes of the text; they are valid inside the closure only.
    public func withText<Result: ~Copyable, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = parser.recording.bytes
        guard current.event == .text else { return try body(bytes.span.extracting(first: 0)) }
        return try body(bytes.span.extracting(current.start..<current.start + current.count))
    }

    /// Whether the text is nothing but spaces, tabs and newlines.
    public var isBlankText: Bool {
        withText { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case 0x20, 0x09, 0x0A, 0x0D: continue
                default: return false
                }
            }
            return true
        }
    }

    // MARK: The place

    /// The line where the current event begins, counted from 1.
    public var line: Int { place.line }

    /// Where the current event begins: a tag at its `<`.
    public var location: SourceLocation {
        let place = place
        return SourceLocation(file: fileName, line: place.line, column: place.column)
    }

    /// Of a start tag the offset of its `<` in the document's bytes, of an end tag the offset behind its `>`.
    ///
    /// The bytes between the two are the element as it is written. nil for texts, and where the document is not UTF-8.
    public var byteOffset: Int? {
        current.event != .text && current.offset >= 0 ? current.offset : nil
    }

    /// An error at the current event, for a document that says something its user does not accept.
    public func error(_ sentence: String) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: location)
    }

    private var place: (line: Int, column: Int?) {
        guard current.event == .text else {
            return (Int(current.line), current.column > 0 ? Int(current.column) : nil)
        }
        // A text's record has the place where its first piece ends.
        var newlines = 0
        var characters = 0
        withText { bytes in
            for index in 0..<min(Int(current.nameIndex), bytes.count) {
                if bytes[index] == UInt8(ascii: "\n") { newlines += 1 }
                if bytes[index] & 0xC0 != 0x80 { characters += 1 }
            }
        }
        let column = Int(current.column) - characters
        return (Int(current.line) - newlines, newlines == 0 && column > 0 ? column : nil)
    }
}
