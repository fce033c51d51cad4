import CLibXML

/// Owns libxml2's push parser and records what it reports, piece after piece.
///
/// SAX instead of libxml2's text reader, because that builds a tree node per event, limits a text to 10 MB, and expands
/// entities. Here no entity is ever defined, so that none can be expanded, and nothing outside the document is opened.
@safe final class XMLPushParser {
    private(set) var events: [XMLEventRecord] = []
    private(set) var attributes: [XMLAttributeRecord] = []
    private(set) var bytes: [UInt8] = []
    private(set) var names = XMLNameTable()

    /// The first error; the events recorded before it are good.
    private(set) var failure: DocumentError?

    /// Whether the document is complete, or has failed: no more events will come.
    private(set) var isFinished = false

    let fileName: String
    private let limits: XMLReadingLimits
    private var handle: xmlParserCtxtPtr?

    /// Whether there was a byte at all.
    private var hasBegun = false

    /// The indexes of the open elements' names, and the lines of their start tags.
    private var openElements: [(nameIndex: Int32, line: Int32)] = []

    /// Arrays that one huge text made larger than this many bytes are given back.
    private static let keptCapacity = 1 << 20

    private static let libraryIsReady: Void = xmlInitParser()

    init(fileName: String, limits: XMLReadingLimits) {
        self.fileName = fileName
        self.limits = limits
        Self.libraryIsReady
        var handler = unsafe Self.makeHandler()
        unsafe handle = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        // NOENT makes libxml2 decode &amp; and &#38; in attribute values; other entities do not exist here.
        let options = XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_BIG_LINES.rawValue
        _ = unsafe xmlCtxtUseOptions(handle, Int32(options))
    }

    deinit {
        unsafe xmlFreeParserCtxt(handle)
    }

    /// The number of events that are complete: a text at the end may go on in the next piece.
    var completeCount: Int {
        events.last?.event == .text && (!isFinished || failure != nil) ? events.count - 1 : events.count
    }

    /// Parses the next piece of the document; an empty piece is its end.
    func parse(_ piece: UnsafeBufferPointer<UInt8>) {
        guard !isFinished else { return }
        guard unsafe handle != nil else {
            isFinished = true
            return fail(.tooLarge, "there is no memory for a parser")
        }
        let handlers = unsafe ferry_set_error_handlers(Unmanaged.passUnretained(self).toOpaque(), Self.receiveError)
        defer { unsafe ferry_restore_error_handlers(handlers) }
        let isLast = piece.isEmpty
        guard hasBegun || !isLast else {
            isFinished = true
            return fail(.empty, "", at: SourceLocation(file: fileName, line: 1, column: 1))
        }
        hasBegun = true
        let status = unsafe piece.withMemoryRebound(to: CChar.self) { characters in
            unsafe xmlParseChunk(handle, characters.baseAddress, Int32(characters.count), isLast ? 1 : 0)
        }
        if failure == nil, unsafe handle?.pointee.wellFormed == 0 {
            fail(.malformed, "the parser stopped with error \(status)")
        }
        if isLast || failure != nil { isFinished = true }
    }

    /// Forgets all events but a text that may go on.
    func forgetEvents() {
        let kept = completeCount < events.count ? events.removeLast() : nil
        events.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        guard var kept, failure == nil else {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            return
        }
        // A text that fills piece after piece is moved once only: from then on it starts at 0.
        if kept.start > 0 {
            bytes.removeSubrange(..<kept.start)
            kept.start = 0
        }
        events.append(kept)
    }

    // MARK: What libxml2 reports

    func startElement(
        _ localName: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?,
        _ attributeCount: Int, _ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        guard failure == nil else { return }
        guard openElements.count < limits.maximumDepth else { return fail(.tooDeep, "\(limits.maximumDepth)") }
        let start = attributes.count
        for index in 0..<attributeCount {
            // Five pointers each: local name, prefix, namespace, the value's start and its end.
            guard let fields = unsafe fields, let value = unsafe fields[5 * index + 3],
                let end = unsafe fields[5 * index + 4]
            else { continue }
            let name = unsafe nameIndex(fields[5 * index], fields[5 * index + 1], fields[5 * index + 2])
            let count = unsafe end - value
            attributes.append(XMLAttributeRecord(nameIndex: name, start: bytes.count, count: count))
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: count))
        }
        let place = tagPlace()
        let name = unsafe nameIndex(localName, prefix, uri)
        openElements.append((name, place.line))
        events.append(
            XMLEventRecord(
                event: .startElement, isEmptyElement: place.isAtSlash, nameIndex: name, line: place.line,
                column: place.column, start: start, count: attributes.count - start))
    }

    func endElement() {
        guard failure == nil, let open = openElements.popLast() else { return }
        let place = tagPlace()
        events.append(
            XMLEventRecord(
                event: .endElement, nameIndex: open.nameIndex, line: place.line, column: place.column, start: 0,
                count: 0))
    }

    func text(_ characters: UnsafePointer<xmlChar>?, _ count: Int) {
        guard failure == nil, count > 0 else { return }
        let piece = unsafe UnsafeBufferPointer(start: characters, count: count)
        if let last = events.indices.last, events[last].event == .text {
            guard events[last].count + count <= limits.maximumTextLength else {
                return fail(.tooLarge, "a text has more than \(limits.maximumTextLength) bytes")
            }
            events[last].count += count
        } else {
            let place = currentPlace()
            events.append(
                XMLEventRecord(
                    event: .text, nameIndex: Int32(clamping: count), line: place.line, column: place.column,
                    start: bytes.count, count: count))
        }
        unsafe bytes.append(contentsOf: piece)
    }

    func fail(_ code: DocumentError.Code, _ detail: String, at location: SourceLocation? = nil) {
        guard failure == nil else { return }
        let place = currentPlace()
        let here = SourceLocation(file: fileName, line: Int(place.line), column: Int(max(place.column, 1)))
        failure = DocumentError(code, detail, at: location ?? here, excerpt: excerpt())
    }

    /// Takes an error of libxml2: only those that make the document unusable count.
    func receive(_ error: xmlError) {
        guard failure == nil else { return }
        let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
        let detail = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
        let (line, column) = unsafe (Int(error.line), Int(error.int2))
        let location = SourceLocation(file: fileName, line: max(line, 1), column: column > 0 ? column : nil)
        switch unsafe xmlParserErrors(rawValue: UInt32(bitPattern: error.code)) {
        case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
            fail(.undefinedEntity, unsafe error.str1.map { unsafe String(cString: $0) } ?? "", at: location)
        case XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED,
            XML_I18N_NO_HANDLER:
            fail(.encoding, detail, at: location)
        case XML_ERR_INVALID_CHAR:
            // One number for bytes that are no UTF-8, and for characters that XML forbids.
            fail(detail.hasPrefix("Input is not proper") ? .encoding : .malformed, detail, at: location)
        case XML_ERR_DOCUMENT_EMPTY:
            fail(.malformed, "it does not begin with an element, so this is no XML", at: location)
        case XML_ERR_DOCUMENT_END where !openElements.isEmpty:
            let open = openElements[openElements.count - 1]
            let name = names.names[Int(open.nameIndex)].qualifiedName
            fail(.truncated, "inside the element \"\(name)\" of line \(open.line)", at: location)
        default:
            guard unsafe error.level == XML_ERR_FATAL else { return }
            fail(.malformed, detail, at: location)
        }
    }
}

extension XMLPushParser {
    private func nameIndex(
        _ localName: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?
    ) -> Int32 {
        let key = XMLNameTable.Key(
            localName: UInt(bitPattern: localName), prefix: UInt(bitPattern: prefix), namespaceURI: UInt(bitPattern: uri))
        var slot = 0
        if let index = names.index(of: key, slot: &slot) { return index }
        let name = unsafe XMLName(
            localName: localName.map { unsafe String(cString: $0) } ?? "",
            prefix: prefix.map { unsafe String(cString: $0) }, namespaceURI: uri.map { unsafe String(cString: $0) })
        return names.add(name, key: key, slot: slot)
    }

    private func currentPlace() -> (line: Int32, column: Int32) {
        guard let input = unsafe handle?.pointee.input else { return (1, 1) }
        return unsafe (input.pointee.line, input.pointee.col)
    }

    /// Where the tag begins that libxml2 has just read; it stands at the tag's end, which may be lines further down.
    ///
    /// No tag has a second `<` in it, and libxml2 keeps a tag in its buffer as a whole: the last `<` is its start.
    private func tagPlace() -> (line: Int32, column: Int32, isAtSlash: Bool) {
        guard let input = unsafe handle?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur
        else { return (1, 0, false) }
        let isAtSlash = unsafe input.end > current && current.pointee == UInt8(ascii: "/")
        var position = unsafe current
        var newlines: Int32 = 0
        var characters: Int32 = 0
        while unsafe position > base {
            unsafe position -= 1
            let byte = unsafe position.pointee
            if byte & 0xC0 != 0x80 { characters += 1 }
            if byte == UInt8(ascii: "\n") { newlines += 1 }
            if byte == UInt8(ascii: "<") { break }
        }
        if newlines == 0 { return unsafe (input.line, max(input.col - characters, 0), isAtSlash) }
        // The column counter has started anew since: count from the newline before the tag, if that is still there.
        var column: Int32 = 1
        while unsafe position > base {
            unsafe position -= 1
            let byte = unsafe position.pointee
            if byte == UInt8(ascii: "\n") { return unsafe (input.line - newlines, column, isAtSlash) }
            if byte & 0xC0 != 0x80 { column += 1 }
        }
        return unsafe (input.line - newlines, input.consumed == 0 ? column : 0, isAtSlash)
    }

    private func excerpt() -> SourceExcerpt? {
        guard let input = unsafe handle?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur, let end = unsafe input.end, unsafe end > base, unsafe end >= current
        else { return nil }
        let buffer = unsafe UnsafeBufferPointer(start: base, count: end - base)
        return unsafe SourceExcerpt(of: Span(_unsafeElements: buffer), at: current - base)
    }
}
