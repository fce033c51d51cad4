import CLibXML

/// Owns libxml2's push parser, which records what it finds, piece after piece.
///
/// SAX instead of libxml2's text reader, because that builds a tree node per event, limits a text to 10 MB, and expands
/// entities. Here no entity is ever defined, so that none can be expanded, and nothing outside the document is opened.
@safe final class XMLPushParser {
    var recording: XMLRecording

    /// Whether the document is complete, or has failed: no more events will come.
    private(set) var isFinished = false

    /// Whether there was a byte at all.
    private var hasBegun = false

    private var handle: xmlParserCtxtPtr?

    /// What libxml2 holds back until it is complete.
    private var pending = XMLPendingInput()

    /// How many values a DTD gives to attributes by default.
    private var defaultCount = 0

    /// What libxml2 gets at once, in bytes: the limits that are its own business are checked in between.
    private static let sliceSize = 16_384

    /// A DTD inside a document is read as a whole, and lists in it take a time that grows with their square, in bytes.
    private static let maximumDocumentTypeSize = 65_536

    /// libxml2 goes through the default values at every element, however small it is.
    private static let maximumDefaultCount = 100

    private static let libraryIsReady: Void = xmlInitParser()

    init(fileName: String, limits: XMLReadingLimits) {
        recording = XMLRecording(fileName: fileName, limits: limits)
        Self.libraryIsReady
        var handler = unsafe Self.makeHandler()
        unsafe handle = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        // NOENT makes libxml2 decode &amp; and &#38; in attribute values; other entities do not exist here.
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_BIG_LINES.rawValue
        _ = unsafe xmlCtxtUseOptions(handle, Int32(options))
    }

    deinit {
        // Entity declarations make libxml2 create a document that it leaves to its user.
        unsafe xmlFreeDoc(handle?.pointee.myDoc)
        unsafe xmlFreeParserCtxt(handle)
    }

    /// Parses the next piece of the document; an empty piece is its end.
    func parse(_ piece: UnsafeBufferPointer<UInt8>) {
        guard !isFinished else { return }
        let isLast = piece.isEmpty
        guard let context = unsafe handle else {
            isFinished = true
            return unsafe recording.fail(.tooLarge, "there is no memory for a parser", handle)
        }
        guard hasBegun || !isLast else {
            isFinished = true
            let start = SourceLocation(file: recording.fileName, line: 1, column: 1)
            return unsafe recording.fail(.empty, "", at: start, handle)
        }
        hasBegun = true
        let handlers = unsafe ferry_set_error_handlers(Unmanaged.passUnretained(self).toOpaque(), Self.receiveError)
        defer { unsafe ferry_restore_error_handlers(handlers) }
        var offset = 0
        repeat {
            let slice = unsafe UnsafeBufferPointer(rebasing: piece[offset..<min(offset + Self.sliceSize, piece.count)])
            offset += slice.count
            let status = unsafe slice.withMemoryRebound(to: CChar.self) { characters in
                unsafe xmlParseChunk(context, characters.baseAddress, Int32(characters.count), isLast ? 1 : 0)
            }
            if unsafe context.pointee.wellFormed == 0 {
                unsafe recording.fail(.malformed, "the parser stopped with error \(status)", handle)
            }
            unsafe checkPendingInput(context)
        } while offset < piece.count && recording.failure == nil
        if isLast || recording.failure != nil { isFinished = true }
    }

    /// Refuses what would keep libxml2 busy for hours before it is reported at all.
    private func checkPendingInput(_ context: xmlParserCtxtPtr) {
        unsafe pending.update(context)
        if pending.isDocumentType, pending.count > Self.maximumDocumentTypeSize {
            let detail = "the DOCTYPE has more than \(Self.maximumDocumentTypeSize) bytes"
            unsafe recording.fail(.tooLarge, detail, handle)
        }
        if pending.attributeCount > recording.limits.maximumAttributeCount {
            unsafe recording.failForAttributes(handle)
        }
    }
}

/// The functions that libxml2 calls. The user data is the parser, which outlives its handle.
extension XMLPushParser {
    private static func makeHandler() -> xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = { context, localName, prefix, uri, namespaces, _, count, defaulted, fields in
            // Values that a DTD adds are not the document's, and could be large ones for tiny elements.
            let written = Int(count - defaulted)
            unsafe XMLPushParser.with(context) { parser in
                unsafe parser.recording.startElement(
                    localName, prefix, uri, namespaceCount: Int(namespaces), attributeCount: written, fields,
                    parser.handle)
            }
        }
        unsafe handler.endElementNs = { context, _, _, _ in
            unsafe XMLPushParser.with(context) { unsafe $0.recording.endElement($0.handle) }
        }
        // The same function for all three: otherwise libxml2 looks at every text to tell blank ones.
        let text: charactersSAXFunc = { context, characters, count in
            let piece = unsafe UnsafeBufferPointer(start: characters, count: Int(count))
            unsafe XMLPushParser.with(context) { unsafe $0.recording.text(piece, $0.handle) }
        }
        unsafe handler.characters = text
        unsafe handler.ignorableWhitespace = text
        unsafe handler.cdataBlock = text
        unsafe handler.entityDecl = { context, name, _, _, _, _ in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            unsafe XMLPushParser.with(context) { unsafe $0.recording.fail(.entityDeclaration, name, $0.handle) }
        }
        unsafe handler.attributeDecl = { context, _, _, _, _, value, enumeration in
            unsafe xmlFreeEnumeration(enumeration)
            if unsafe value != nil { unsafe XMLPushParser.with(context) { $0.countDefault() } }
        }
        unsafe handler.reference = { context, name in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            unsafe XMLPushParser.with(context) { unsafe $0.recording.fail(.undefinedEntity, name, $0.handle) }
        }
        unsafe handler.serror = receiveError
        return unsafe handler
    }

    private func countDefault() {
        defaultCount += 1
        guard defaultCount > Self.maximumDefaultCount else { return }
        let detail = "the DOCTYPE has more than \(Self.maximumDefaultCount) default values"
        unsafe recording.fail(.tooLarge, detail, handle)
        // What follows in this slice would be slow already.
        unsafe xmlStopParser(handle)
    }

    /// Serves the parser's own errors and, while it runs, those that belong to no parser.
    private static let receiveError: xmlStructuredErrorFunc = { context, error in
        guard let error = unsafe error else { return }
        unsafe XMLPushParser.with(context) { unsafe $0.recording.receive(error.pointee, $0.handle) }
    }

    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Void) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<XMLPushParser>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
}
