import CLibXML

/// Owns libxml2's push parser, which records events, piece by piece.
///
/// SAX instead of libxml2's text reader, because that builds a tree node per event and limits a text to 10 MB. Only
/// entities declared in the document are supported: each use is counted, and no other file is opened.
@safe final class XMLPushParser {
    /// Accessed through a pointer, so that callbacks can modify it without exclusivity checks: only this class does,
    /// and it is inside libxml2 meanwhile.
    private let recording: UnsafeMutablePointer<XMLRecording>

    private var source: ByteSource

    /// Whether the document is complete, or has failed, so that no more events follow.
    private(set) var isFinished = false

    /// Whether any byte has been read.
    private var hasBegun = false

    private var handle: xmlParserCtxtPtr?

    /// The scanner for the plain part of the document; nil before that part, and while libxml2 reads.
    private var scanner: XMLPlainScanner?

    /// Whether plain parts are read without libxml2.
    private let scansPlainParts: Bool

    /// The input that libxml2 holds back until it is complete.
    private var pending = XMLPendingInput()

    /// The number of bytes passed to libxml2 at a time: limits that only libxml2 can detect are checked in between.
    private static let sliceSize = 16_384

    private static let libraryIsReady: Void = xmlInitParser()

    init(_ source: consuming ByteSource, limits: XMLReadingLimits, scansPlainParts: Bool = true) {
        self.scansPlainParts = scansPlainParts
        unsafe recording = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe recording.initialize(to: XMLRecording(fileName: source.name, limits: limits))
        self.source = source
        Self.libraryIsReady
        var handler = unsafe Self.makeHandler()
        unsafe handle = xmlCreatePushParserCtxt(&handler, recording, nil, 0, nil)
        unsafe recording.pointee.handle = handle
        // NOENT makes libxml2 replace entities by their texts.
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_BIG_LINES.rawValue
        _ = unsafe xmlCtxtUseOptions(handle, Int32(options))
    }

    deinit {
        // Because of entity declarations, libxml2 creates a document that the caller must free.
        unsafe xmlFreeDoc(handle?.pointee.myDoc)
        unsafe xmlFreeParserCtxt(handle)
        unsafe recording.deinitialize(count: 1)
        unsafe recording.deallocate()
    }

    /// Whether the document declares entities or default values.
    var hasDeclarations: Bool { unsafe recording.pointee.hasDeclarations }

    var fileName: String { unsafe recording.pointee.fileName }

    /// The number of bytes of the document that have been read.
    var bytesRead: Int { source.position }

    /// Returns the name with an index.
    func name(at index: Int) -> XMLName { unsafe recording.pointee.names.names[index] }

    /// Why the document cannot be read any further; nil if it can, or is complete.
    var failure: DocumentError? { unsafe recording.pointee.failure }

    /// Parses the next piece of the document into a block whose events have been read; returns the number of complete
    /// events.
    func parsePiece(into block: inout XMLEventBlock) throws(DocumentError) -> Int {
        block.removeCompleteEvents()
        unsafe swap(&block, &recording.pointee.block)
        defer { unsafe swap(&block, &recording.pointee.block) }
        unsafe try source.withNextPiece { unsafe parse($0) }
        return unsafe recording.pointee.block.completeCount(
            isFinished: isFinished, hasFailed: recording.pointee.hasFailed)
    }

    /// Parses the next piece of the document; an empty piece means its end.
    private func parse(_ piece: UnsafeBufferPointer<UInt8>) {
        guard !isFinished else { return }
        let isLast = piece.isEmpty
        guard let context = unsafe handle else {
            isFinished = true
            return unsafe recording.pointee.fail(.tooLarge, "there is no memory for a parser")
        }
        guard hasBegun || !isLast else {
            isFinished = true
            let start = SourceLocation(file: fileName, line: 1, column: 1)
            return unsafe recording.pointee.fail(.empty, "", at: start)
        }
        let isFirst = !hasBegun
        hasBegun = true
        unsafe recording.pointee.bytesRead += piece.count
        if scanner != nil { return unsafe scan(piece, context) }
        // libxml2 always reads the beginning.
        if isFirst, scansPlainParts, let content = unsafe XMLPlainScanner.startOfContent(piece) {
            let beginning = unsafe UnsafeBufferPointer(rebasing: piece[..<content])
            let rest = unsafe UnsafeBufferPointer(rebasing: piece[content...])
            unsafe recording.pointee.following = Array(rest.prefix(SourceExcerpt.reach))
            unsafe feed(beginning, to: context, isLast: false)
            unsafe recording.pointee.following = []
            scanner = unsafe recording.pointee.plainScanner(after: beginning)
            if scanner != nil { return unsafe scan(rest, context) }
            if unsafe rest.isEmpty || recording.pointee.hasFailed { return }
            return unsafe feed(rest, to: context, isLast: false)
        }
        unsafe feed(piece, to: context, isLast: isLast)
    }

    /// Reads the next piece without libxml2, as far as possible; an empty piece means the document's end.
    private func scan(_ piece: UnsafeBufferPointer<UInt8>, _ context: xmlParserCtxtPtr) {
        unsafe scanner?.append(piece)
        guard var current = scanner.take() else { return }
        let isPlain = unsafe recording.pointee.scan(&current)
        if isPlain && !piece.isEmpty {
            scanner = consume current
            return
        }
        unsafe resume(behind: current, context)
        if unsafe recording.pointee.hasFailed { return isFinished = true }
        unsafe current.pending.withUnsafeBufferPointer { pending in
            if !pending.isEmpty { unsafe feed(pending, to: context, isLast: false) }
            if piece.isEmpty && !isFinished { unsafe feed(piece, to: context, isLast: true) }
        }
    }

    /// Makes libxml2, whose position is after the root's start tag, continue after a plain part: the elements that are
    /// open there are opened, and its position is set.
    private func resume(behind scanner: XMLPlainScanner, _ context: xmlParserCtxtPtr) {
        guard let input = unsafe context.pointee.input else { return }
        let openElements = unsafe recording.pointee.openElements
        unsafe recording.pointee.isReplaying = true
        for open in openElements.dropFirst() {
            let tag = "<\(name(at: Int(open.nameIndex)).qualifiedName)>"
            // For the line in messages.
            unsafe input.pointee.line = open.line
            _ = unsafe tag.withCString { unsafe xmlParseChunk(context, $0, Int32(tag.utf8.count), 0) }
        }
        unsafe recording.pointee.isReplaying = false
        let place = scanner.place
        unsafe input.pointee.line = place.line
        unsafe input.pointee.col = place.column
        if let base = unsafe input.pointee.base, let current = unsafe input.pointee.cur {
            unsafe input.pointee.consumed = UInt(bitPattern: place.offset - (current - base))
        }
        unsafe recording.pointee.origin = (place, scanner.history)
        if unsafe context.pointee.wellFormed == 0 || Int(context.pointee.nameNr) != openElements.count {
            unsafe recording.pointee.fail(.malformed, "the parser cannot go on behind the plain part of the document")
        }
    }

    /// Passes bytes of the document to libxml2.
    private func feed(_ piece: UnsafeBufferPointer<UInt8>, to context: xmlParserCtxtPtr, isLast: Bool) {
        let handlers = unsafe ferry_set_error_handlers(recording, Self.receiveError)
        defer { unsafe ferry_restore_error_handlers(handlers) }
        var offset = 0
        repeat {
            let slice = unsafe UnsafeBufferPointer(rebasing: piece[offset..<min(offset + Self.sliceSize, piece.count)])
            offset += slice.count
            let status = unsafe slice.withMemoryRebound(to: CChar.self) { characters in
                unsafe xmlParseChunk(context, characters.baseAddress, Int32(characters.count), isLast ? 1 : 0)
            }
            if unsafe context.pointee.wellFormed == 0 {
                unsafe recording.pointee.fail(.malformed, "the parser stopped with error \(status)")
            }
            unsafe checkPendingInput(context)
        } while unsafe offset < piece.count && !recording.pointee.hasFailed
        if unsafe isLast || recording.pointee.hasFailed { isFinished = true }
    }

    /// Refuses input that would keep libxml2 busy for hours before it reports anything.
    private func checkPendingInput(_ context: xmlParserCtxtPtr) {
        unsafe pending.update(context)
        let maximumSize = unsafe recording.pointee.limits.maximumDocumentTypeSize
        if pending.isDocumentType, pending.count > maximumSize {
            let detail = "the DOCTYPE has more than \(maximumSize) bytes"
            unsafe recording.pointee.fail(.tooLarge, detail)
        }
        if unsafe pending.attributeCount > recording.pointee.limits.maximumAttributeCount {
            unsafe recording.pointee.failForAttributes()
        }
    }
}

/// The callbacks of libxml2. Their user data is the recording, which outlives the parser's handle.
extension XMLPushParser {
    private static func makeHandler() -> xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = {
            context, localName, prefix, uri, namespaceCount, namespaces, count, defaulted, fields in
            unsafe XMLPushParser.recording(context)?.pointee.startElement(
                localName, prefix, uri, namespaces: (count: Int(namespaceCount), fields: namespaces),
                attributes: (count: Int(count), defaulted: Int(defaulted)), fields)
        }
        unsafe handler.endElementNs = { context, _, _, _ in
            unsafe XMLPushParser.recording(context)?.pointee.endElement()
        }
        // The same function for all three; otherwise libxml2 examines every text to distinguish blank ones.
        let text: charactersSAXFunc = { context, characters, count in
            unsafe XMLPushParser.recording(context)?.pointee.text(
                UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        unsafe handler.characters = text
        unsafe handler.ignorableWhitespace = text
        unsafe handler.cdataBlock = text
        unsafe handler.entityDecl = { context, name, kind, _, _, text in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            let text = unsafe text.map { unsafe String(cString: $0) }
            unsafe XMLPushParser.recording(context)?.pointee.declare(entity: name, kind: kind, text: text)
        }
        unsafe handler.unparsedEntityDecl = { context, name, _, _, _ in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            unsafe XMLPushParser.recording(context)?.pointee.fail(.entityDeclaration, name)
        }
        unsafe handler.getEntity = { context, name in
            unsafe XMLPushParser.recording(context)?.pointee.entity(name)
        }
        unsafe handler.getParameterEntity = { context, name in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            unsafe XMLPushParser.recording(context)?.pointee.refuse(.entityDeclaration, "%" + name)
            return nil
        }
        unsafe handler.attributeDecl = { context, _, _, _, _, value, enumeration in
            unsafe xmlFreeEnumeration(enumeration)
            if unsafe value != nil { unsafe XMLPushParser.recording(context)?.pointee.countDefault() }
        }
        unsafe handler.reference = { context, name in
            let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
            unsafe XMLPushParser.recording(context)?.pointee.fail(.undefinedEntity, name)
        }
        unsafe handler.serror = receiveError
        return unsafe handler
    }

    /// Handles the parser's own errors and, while it runs, those that belong to no parser.
    private static let receiveError: xmlStructuredErrorFunc = { context, error in
        guard let error = unsafe error else { return }
        unsafe XMLPushParser.recording(context)?.pointee.receive(error.pointee)
    }

    private static func recording(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLRecording>? {
        unsafe context?.assumingMemoryBound(to: XMLRecording.self)
    }
}
