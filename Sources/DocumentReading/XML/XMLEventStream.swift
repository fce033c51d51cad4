/// Reads an XML document as `XMLPullReader` does: the same as a value, for loops over every event of large documents.
///
/// Copies share the document: only one of them may go on.
public struct XMLEventStream {
    private let parser: XMLPushParser
    private var block = XMLEventBlock()
    private var index = -1
    private var completeCount = 0
    /// The place of the current event in the block; negative where the block has others by now.
    private var place = -1
    private var kept = XMLEventRecord(event: .endElement, nameIndex: 0, line: 1, column: 1, start: 0, count: 0)

    /// Looked at where it is: a copy of each event as a whole takes longer than all else that is done with most.
    private var current: XMLEventRecord {
        @inline(__always) get { place < 0 ? kept : block.events[place] }
    }

    /// The number of elements that are open: a start tag's own element counts, an end tag's no more.
    public private(set) var depth = 0

    /// Opens a file, which is read piece by piece.
    /// - Throws: `DocumentError` with code `unreadable` if the file cannot be opened.
    public init(path: String, limits: XMLReadingLimits = XMLReadingLimits()) throws(DocumentError) {
        parser = XMLPushParser(try ByteSource(path: path), limits: limits)
    }

    /// Reads a document in memory; `name` stands for the file in messages.
    public init(bytes: [UInt8], name: String, limits: XMLReadingLimits = XMLReadingLimits()) {
        parser = XMLPushParser(ByteSource(bytes: bytes, name: name), limits: limits)
    }

    /// Reads a document from pieces: `reading` fills the front of a buffer and returns how many bytes that were, 0 at
    /// the end. `name` stands for the file in messages.
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

    /// Goes to the next event; nil at the end of the document.
    /// - Throws: `DocumentError` where the document is malformed or exceeds a limit, after all events before that
    ///   place.
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

    /// On a start tag: goes to its end tag.
    /// - Throws: `DocumentError` where the document is malformed or exceeds a limit.
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

    /// The place of the element's name among the document's names in order of appearance: same name, same index.
    public var nameIndex: Int { Int(current.nameIndex) }

    /// The name that has an index.
    public func name(at index: Int) -> XMLName { parser.name(at: index) }

    /// The name of the current start or end tag.
    public var name: XMLName { name(at: nameIndex) }

    /// Whether the element is written as `<a/>`; its end tag follows as an event all the same.
    public var isEmptyElement: Bool { current.isEmptyElement }

    // MARK: The current start tag's attributes

    /// How many attributes the current start tag has; 0 on other events.
    public var attributeCount: Int { current.event == .startElement ? current.count : 0 }

    /// The index of an attribute's name; elements and attributes share one numbering.
    public func attributeNameIndex(at place: Int) -> Int {
        Int(block.attributes[current.start + place].nameIndex)
    }

    /// The attributes in the document's order.
    public var attributes: [XMLAttribute] {
        (0..<attributeCount).map {
            XMLAttribute(name: name(at: attributeNameIndex(at: $0)), value: attributeValue(at: $0))
        }
    }

    /// The value of the attribute at a place among the tag's attributes, counted from 0.
    public func attributeValue(at place: Int) -> String {
        withAttributeValue(at: place) { String(copying: $0) }
    }

    /// The value of the attribute of that qualified name; nil if there is none.
    public func attribute(named name: String) -> String? {
        let place = (0..<attributeCount).first { self.name(at: attributeNameIndex(at: $0)).qualifiedName == name }
        return place.map { attributeValue(at: $0) }
    }

    /// Lends the bytes of an attribute's value; they are valid inside the closure only.
    /// - Throws: what the closure throws.
    public func withAttributeValue<Result: ~Copyable, Failure>(
        at place: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let record = block.attributes[current.start + place]
        return try body(block.bytes.span.extracting(record.start..<record.start + record.count))
    }

    // MARK: The current text

    /// The text; empty on a tag.
    public var text: String { withText { String(copying: $0) } }

    /// Lends the bytes of the text; they are valid inside the closure only.
    /// - Throws: what the closure throws.
    public func withText<Result: ~Copyable, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard current.event == .text else { return try body(block.bytes.span.extracting(first: 0)) }
        return try body(block.bytes.span.extracting(current.start..<current.start + current.count))
    }

    /// Whether the text is nothing but spaces, tabs and newlines.
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

    /// The line where the current event begins, counted from 1.
    public var line: Int { start.line }

    /// Where the current event begins: a tag at its `<`.
    public var location: SourceLocation {
        let start = start
        return SourceLocation(file: fileName, line: start.line, column: start.column)
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

    private var start: (line: Int, column: Int?) {
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
