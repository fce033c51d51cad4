/// Reads an XML document like `XMLPullReader`, but as a value type, for loops over all events of large documents.
///
/// Copies share the document, so only one of them may be used further.
public struct XMLEventStream {
    private let parser: XMLPushParser
    private var block = XMLEventBlock()
    private var index = -1
    private var completeCount = 0
    /// The index of the current event in the block; negative if the block has been reused.
    private var place = -1
    private var kept = XMLEventRecord(event: .endElement, nameIndex: 0, line: 1, column: 1, start: 0, count: 0)

    /// Accessed in place, since copying each event would take longer than everything else that is done with most
    /// events.
    private var current: XMLEventRecord {
        @inline(__always) get { place < 0 ? kept : block.events[place] }
    }

    /// The number of open elements, including that of a start tag, but not that of an end tag.
    public private(set) var depth = 0

    /// Opens a file, which is read in pieces.
    /// - Throws: `DocumentError` with code `unreadable` if the file cannot be opened.
    public init(path: String, limits: XMLReadingLimits = XMLReadingLimits()) throws(DocumentError) {
        parser = XMLPushParser(try ByteSource(path: path), limits: limits)
    }

    /// Reads a document in memory; `name` is used in messages instead of a file name.
    public init(bytes: [UInt8], name: String, limits: XMLReadingLimits = XMLReadingLimits()) {
        parser = XMLPushParser(ByteSource(bytes: bytes, name: name), limits: limits)
    }

    /// Reads a document from pieces: `reading` fills the front of a buffer and returns how many bytes that were, 0 at
    /// the end. `name` is used in messages instead of a file name.
    public init(
        name: String, limits: XMLReadingLimits = XMLReadingLimits(),
        reading: @escaping (inout [UInt8]) throws(DocumentError) -> Int
    ) {
        parser = XMLPushParser(ByteSource(name: name, reading: reading), limits: limits)
    }

    /// As before, with all of the document read by libxml2: what tests compare with.
    init(
        byLibraryAlone name: String, limits: XMLReadingLimits,
        reading: @escaping (inout [UInt8]) throws(DocumentError) -> Int
    ) {
        parser = XMLPushParser(ByteSource(name: name, reading: reading), limits: limits, scansPlainParts: false)
    }

    /// Advances to the next event; nil at the end of the document.
    /// - Throws: `DocumentError` if the document is malformed or exceeds a limit, after all events before that place.
    public mutating func next() throws(DocumentError) -> XMLEvent? {
        index += 1
        while index >= completeCount {
            if parser.isFinished {
                index = completeCount
                if let failure = parser.failure { throw failure }
                return nil
            }
            if place >= 0 { kept = block.events[place] }
            place = -1
            completeCount = try parser.parsePiece(into: &block)
            index = 0
        }
        place = index
        let event = block.events[index].event
        switch event {
        case .startElement: depth += 1
        case .endElement: depth -= 1
        case .text: break
        }
        return event
    }

    /// Skips from a start tag to its end tag.
    /// - Throws: `DocumentError` if the document is malformed or exceeds a limit.
    public mutating func skipElement() throws(DocumentError) {
        let outer = depth - 1
        while depth > outer {
            guard try next() != nil else { return }
        }
    }

    /// The file's path, or the name that the reader was given.
    public var fileName: String { parser.fileName }

    /// How many bytes of the document have been read so far: at most some 64 KiB more than its events need.
    public var bytesRead: Int { parser.bytesRead }

    /// Whether the document declares entities or default values, without which its elements cannot be read.
    public var hasDeclarations: Bool { parser.hasDeclarations }

    // MARK: The current element

    /// The index of the element's name among the document's names, in order of appearance.
    public var nameIndex: Int { Int(current.nameIndex) }

    /// Returns the name with an index.
    public func name(at index: Int) -> XMLName { parser.name(at: index) }

    /// The name of the current start or end tag.
    public var name: XMLName { name(at: nameIndex) }

    /// Whether this is an empty-element tag, `<a/>`; the end tag nevertheless follows as an event.
    public var isEmptyElement: Bool { current.isEmptyElement }

    // MARK: The current start tag's attributes

    /// The number of attributes of the current start tag; 0 for other events.
    public var attributeCount: Int { current.event == .startElement ? current.count : 0 }

    /// Returns the index of an attribute's name; elements and attributes share one numbering.
    public func attributeNameIndex(at place: Int) -> Int {
        Int(block.attributes[current.start + place].nameIndex)
    }

    /// The attributes in the document's order.
    public var attributes: [XMLAttribute] {
        (0..<attributeCount).map {
            XMLAttribute(name: name(at: attributeNameIndex(at: $0)), value: attributeValue(at: $0))
        }
    }

    /// Returns the value of the attribute at an index in the tag, counted from 0.
    public func attributeValue(at place: Int) -> String {
        withAttributeValue(at: place) { String(copying: $0) }
    }

    /// Returns the value of the attribute with a qualified name; nil if there is none.
    public func attribute(named name: String) -> String? {
        let place = (0..<attributeCount).first { self.name(at: attributeNameIndex(at: $0)).qualifiedName == name }
        return place.map { attributeValue(at: $0) }
    }

    /// Calls a closure with the bytes of an attribute's value, which are valid only inside the closure.
    /// - Throws: any error of the closure.
    public func withAttributeValue<Result: ~Copyable, Failure>(
        at place: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let record = block.attributes[current.start + place]
        return try body(block.bytes.span.extracting(record.start..<record.start + record.count))
    }

    // MARK: The current text

    /// The text; empty for a tag.
    public var text: String { withText { String(copying: $0) } }

    /// Calls a closure with the bytes of the text, which are valid only inside the closure.
    /// - Throws: any error of the closure.
    public func withText<Result: ~Copyable, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard current.event == .text else { return try body(block.bytes.span.extracting(first: 0)) }
        return try body(block.bytes.span.extracting(current.start..<current.start + current.count))
    }

    /// Whether the text consists of spaces, tabs and newlines only.
    public var isBlankText: Bool {
        current.isBlank
            || withText { bytes in
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

    /// The line on which the current event begins, counted from 1.
    public var line: Int { start.line }

    /// The location of the beginning of the current event, which for a tag is its `<`.
    public var location: SourceLocation {
        let start = start
        return SourceLocation(file: fileName, line: start.line, column: start.column)
    }

    /// The offset of a start tag's `<` in the document's bytes, or the offset after an end tag's `>`.
    ///
    /// The bytes between the two are the element as written. nil for texts, and if the document is not UTF-8.
    public var byteOffset: Int? {
        current.event != .text && current.offset >= 0 ? current.offset : nil
    }

    /// Returns an error at the current event, for content that the caller does not accept.
    public func error(_ sentence: String) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: location)
    }

    private var start: (line: Int, column: Int?) {
        guard current.event == .text else {
            return (Int(current.line), current.column > 0 ? Int(current.column) : nil)
        }
        // A text's record has the location at which its first piece ends.
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
