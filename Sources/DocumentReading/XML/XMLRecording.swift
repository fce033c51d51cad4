import CLibXML

/// What the parser has reported and the reader has not passed on yet.
///
/// A structure of its own, so that a callback of the parser enters it once; the pointers that callbacks bring are valid
/// for the length of a call only.
struct XMLRecording {
    private(set) var events: [XMLEventRecord] = []
    private(set) var attributes: [XMLAttributeRecord] = []
    private(set) var bytes: [UInt8] = []
    private(set) var names = XMLNameTable()

    /// The first error; the events recorded before it are good.
    private(set) var failure: DocumentError?

    let fileName: String
    let limits: XMLReadingLimits

    /// The indexes of the open elements' names, the lines of their start tags, and the namespaces declared so far.
    private var openElements: [(nameIndex: Int32, line: Int32, namespaceCount: Int)] = []

    /// Arrays that one huge text made larger than this many bytes are given back.
    private static let keptCapacity = 1 << 20

    init(fileName: String, limits: XMLReadingLimits) {
        self.fileName = fileName
        self.limits = limits
    }

    /// The number of events that are complete: a text at the end may go on in the next piece.
    func completeCount(isFinished: Bool) -> Int {
        let isOpen = events.last?.event == .text && (!isFinished || failure != nil)
        return isOpen ? events.count - 1 : events.count
    }

    /// Forgets all events but a text that may go on.
    mutating func forgetEvents() {
        let kept = events.last
        events.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        guard var kept, kept.event == .text else {
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

    mutating func startElement(
        _ localName: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?,
        namespaceCount: Int, attributeCount: Int, _ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        _ handle: xmlParserCtxtPtr?
    ) {
        guard failure == nil else { return }
        guard openElements.count < limits.maximumDepth else {
            return unsafe fail(.tooDeep, "\(limits.maximumDepth)", handle)
        }
        guard namespaceCount + attributeCount <= limits.maximumAttributeCount else {
            return unsafe failForAttributes(handle)
        }
        let namespaceCount = (openElements.last?.namespaceCount ?? 0) + namespaceCount
        guard namespaceCount <= limits.maximumNamespaceCount else {
            let detail = "more than \(limits.maximumNamespaceCount) namespaces are declared at once"
            return unsafe fail(.tooLarge, detail, handle)
        }
        let start = attributes.count
        if let fields = unsafe fields {
            for index in 0..<attributeCount {
                // Five pointers each: local name, prefix, namespace, the value's start and its end.
                guard let value = unsafe fields[5 * index + 3], let end = unsafe fields[5 * index + 4] else { continue }
                let name = unsafe nameIndex(fields[5 * index], fields[5 * index + 1], fields[5 * index + 2])
                let count = unsafe end - value
                attributes.append(XMLAttributeRecord(nameIndex: name, start: bytes.count, count: count))
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: count))
            }
        }
        let place = unsafe XMLTagPlace.startOfTag(handle)
        let name = unsafe nameIndex(localName, prefix, uri)
        openElements.append((name, place.line, namespaceCount))
        events.append(
            XMLEventRecord(
                event: .startElement, isEmptyElement: place.isAtSlash, nameIndex: name, line: place.line,
                column: place.column, offset: place.offset, start: start, count: attributes.count - start))
    }

    mutating func endElement(_ handle: xmlParserCtxtPtr?) {
        guard failure == nil, let open = openElements.popLast() else { return }
        let place = unsafe XMLTagPlace.startOfTag(handle)
        events.append(
            XMLEventRecord(
                event: .endElement, nameIndex: open.nameIndex, line: place.line, column: place.column,
                offset: unsafe XMLTagPlace.current(handle).offset, start: 0, count: 0))
    }

    mutating func text(_ piece: UnsafeBufferPointer<xmlChar>, _ handle: xmlParserCtxtPtr?) {
        guard failure == nil, piece.count > 0 else { return }
        if let last = events.indices.last, events[last].event == .text {
            guard events[last].count + piece.count <= limits.maximumTextLength else {
                return unsafe fail(.tooLarge, "a text has more than \(limits.maximumTextLength) bytes", handle)
            }
            events[last].count += piece.count
        } else {
            let place = unsafe XMLTagPlace.current(handle)
            events.append(
                XMLEventRecord(
                    event: .text, nameIndex: Int32(clamping: piece.count), line: place.line, column: place.column,
                    start: bytes.count, count: piece.count))
        }
        unsafe bytes.append(contentsOf: piece)
    }

    private mutating func nameIndex(
        _ localName: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?
    ) -> Int32 {
        let key = XMLNameTable.Key(
            localName: UInt(bitPattern: localName), prefix: UInt(bitPattern: prefix),
            namespaceURI: UInt(bitPattern: uri))
        var slot = 0
        if let index = names.index(of: key, slot: &slot) { return index }
        let name = unsafe XMLName(
            localName: localName.map { unsafe String(cString: $0) } ?? "",
            prefix: prefix.map { unsafe String(cString: $0) }, namespaceURI: uri.map { unsafe String(cString: $0) })
        return names.add(name, key: key, slot: slot)
    }
}

extension XMLRecording {
    /// Records the first error; without a location it is where the parser stands.
    mutating func fail(
        _ code: DocumentError.Code, _ detail: String, at location: SourceLocation? = nil, _ handle: xmlParserCtxtPtr?
    ) {
        guard failure == nil else { return }
        let place = unsafe XMLTagPlace.current(handle)
        let here = SourceLocation(file: fileName, line: Int(place.line), column: Int(max(place.column, 1)))
        // After a failed conversion libxml2's buffer holds what is left of two encodings.
        let excerpt = unsafe code == .encoding ? nil : Self.excerpt(handle)
        failure = DocumentError(code, detail, at: location ?? here, excerpt: excerpt)
    }

    mutating func failForAttributes(_ handle: xmlParserCtxtPtr?) {
        unsafe fail(.tooLarge, "an element has more than \(limits.maximumAttributeCount) attributes", handle)
    }

    /// Takes an error of libxml2: only those that make the document unusable count.
    mutating func receive(_ error: borrowing xmlError, _ handle: xmlParserCtxtPtr?) {
        guard failure == nil else { return }
        let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
        let detail = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
        let (line, column) = unsafe (Int(error.line), Int(error.int2))
        let location = SourceLocation(file: fileName, line: max(line, 1), column: column > 0 ? column : nil)
        switch unsafe xmlParserErrors(rawValue: UInt32(bitPattern: error.code)) {
        case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
            let entity = unsafe error.str1.map { unsafe String(cString: $0) } ?? ""
            unsafe fail(.undefinedEntity, entity, at: location, handle)
        case XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED,
            XML_I18N_NO_HANDLER:
            unsafe fail(.encoding, detail, at: location, handle)
        case XML_ERR_INVALID_CHAR:
            // One number for bytes that are no UTF-8, and for characters that XML forbids.
            let code: DocumentError.Code = detail.hasPrefix("Input is not proper") ? .encoding : .malformed
            unsafe fail(code, detail, at: location, handle)
        case XML_ERR_DOCUMENT_EMPTY:
            unsafe fail(.malformed, "it does not begin with an element, so this is no XML", at: location, handle)
        case XML_ERR_DOCUMENT_END where !openElements.isEmpty:
            let open = openElements[openElements.count - 1]
            let name = names.names[Int(open.nameIndex)].qualifiedName
            unsafe fail(.truncated, "inside the element \"\(name)\" of line \(open.line)", at: location, handle)
        default:
            guard unsafe error.level == XML_ERR_FATAL else { return }
            unsafe fail(.malformed, detail, at: location, handle)
        }
    }

    private static func excerpt(_ handle: xmlParserCtxtPtr?) -> SourceExcerpt? {
        guard let input = unsafe handle?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur, let end = unsafe input.end, unsafe end > base, unsafe end >= current
        else { return nil }
        let buffer = unsafe UnsafeBufferPointer(start: base, count: end - base)
        return unsafe SourceExcerpt(of: Span(_unsafeElements: buffer), at: current - base)
    }
}
