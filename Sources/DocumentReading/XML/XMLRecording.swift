import CLibXML

/// Events that the parser has reported, and the reader has not returned yet.
///
/// A separate structure, so that a callback of the parser accesses it only once; pointers in callbacks are valid only
/// during the call.
@safe struct XMLRecording {
    /// The parser's handle, from which callbacks determine the location of an event.
    var handle: xmlParserCtxtPtr?

    /// Lent to the reader between two pieces of the document.
    var block = XMLEventBlock()

    private(set) var names = XMLNameTable()

    /// The first error; events recorded before it are valid.
    private(set) var failure: DocumentError?

    /// Whether there is an error: checked for every event, whereas the error itself would be copied.
    private(set) var hasFailed = false

    /// The number of default values for attributes in a DTD.
    private var defaultCount = 0

    private var entities = XMLEntityTable()

    /// The number of bytes that entities and default values have added to the document.
    private var expansion = 0

    /// The number of bytes of the document that have been read.
    var bytesRead = 0

    /// Whether the document declares entities or default values, which are needed to read its elements.
    private(set) var hasDeclarations = false

    let fileName: String
    let limits: XMLReadingLimits

    /// The indexes of the open elements' names, the lines of their start tags, and the numbers of namespaces declared
    /// before.
    var openElements: [(nameIndex: Int32, line: Int32, namespaceCount: Int)] = []

    /// The namespaces that the root declares, with their prefixes, by address.
    private(set) var rootNamespaces: [(prefix: UInt, uri: UInt)] = []

    /// The position at which libxml2 continued after a plain part, and the bytes before it; nil if it read everything.
    var origin: (place: XMLTagPlace, history: [UInt8])?

    /// The bytes of the document after those passed to libxml2, for excerpts.
    var following: [UInt8] = []

    /// Whether libxml2 is reading a replacement for a plain part, which has already been recorded.
    var isReplaying = false

    /// The maximum number of default values, since libxml2 iterates over them at every element.
    private static let maximumDefaultCount = 100

    init(fileName: String, limits: XMLReadingLimits) {
        self.fileName = fileName
        self.limits = limits
    }

    mutating func startElement(
        _ localName: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?,
        namespaces: (count: Int, fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?),
        attributes: (count: Int, defaulted: Int), _ fields: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        let attributeCount = attributes.count
        guard !hasFailed, !isReplaying else { return }
        guard openElements.count < limits.maximumDepth else {
            return fail(.tooDeep, "\(limits.maximumDepth)")
        }
        guard unsafe namespaces.count + attributeCount <= limits.maximumAttributeCount else {
            return failForAttributes()
        }
        let namespaceCount = unsafe (openElements.last?.namespaceCount ?? 0) + namespaces.count
        guard namespaceCount <= limits.maximumNamespaceCount else {
            let detail = "more than \(limits.maximumNamespaceCount) namespaces are declared at once"
            return fail(.tooLarge, detail)
        }
        if openElements.isEmpty, let fields = unsafe namespaces.fields {
            rootNamespaces = unsafe (0..<namespaces.count).map {
                unsafe (UInt(bitPattern: fields[2 * $0]), UInt(bitPattern: fields[2 * $0 + 1]))
            }
        }
        let start = block.attributes.count
        if let fields = unsafe fields {
            for index in 0..<attributeCount {
                // Five pointers each: local name, prefix, namespace, the value's start and its end.
                guard let value = unsafe fields[5 * index + 3], let end = unsafe fields[5 * index + 4] else { continue }
                let name = unsafe nameIndex(fields[5 * index], fields[5 * index + 1], fields[5 * index + 2])
                let count = unsafe end - value
                // libxml2 puts default values after the attributes in the document.
                if index >= attributeCount - attributes.defaulted, !expand(by: count) { return }
                block.attributes.append(XMLAttributeRecord(nameIndex: name, start: block.bytes.count, count: count))
                unsafe block.bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: count))
            }
        }
        let place = placeOfTag()
        let name = unsafe nameIndex(localName, prefix, uri)
        openElements.append((name, place.line, namespaceCount))
        block.events.append(
            XMLEventRecord(
                event: .startElement, isEmptyElement: place.isAtSlash, nameIndex: name, line: place.line,
                column: place.column, offset: place.offset, start: start, count: block.attributes.count - start))
    }

    mutating func endElement() {
        guard !hasFailed, let open = openElements.popLast() else { return }
        let place = placeOfTag()
        let offset = isInEntity ? -1 : unsafe XMLTagPlace.current(handle).offset
        block.events.append(
            XMLEventRecord(
                event: .endElement, nameIndex: open.nameIndex, line: place.line, column: place.column,
                offset: offset, start: 0, count: 0))
    }

    /// Whether the parser is in the text of an entity: then its position is the reference, and not that of the tag.
    private var isInEntity: Bool {
        guard let context = unsafe handle?.pointee else { return false }
        return unsafe context.depth > 0 || context.inputNr > 1
    }

    private func placeOfTag() -> XMLTagPlace {
        guard isInEntity else { return unsafe XMLTagPlace.startOfTag(handle, from: origin?.place) }
        var place = unsafe XMLTagPlace.current(handle)
        place.offset = -1
        return place
    }

    mutating func text(_ piece: UnsafeBufferPointer<xmlChar>) {
        guard !hasFailed, piece.count > 0 else { return }
        if let last = block.events.indices.last, block.events[last].event == .text {
            let room = limits.maximumTextLength - block.events[last].count
            guard piece.count <= room || limits.cutsLongTexts else {
                return fail(.tooLarge, "a text has more than \(limits.maximumTextLength) bytes")
            }
            let kept = max(0, min(piece.count, room))
            block.events[last].count += kept
            block.events[last].isBlank = false
            unsafe block.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<kept]))
            return
        } else {
            let place = unsafe XMLTagPlace.current(handle)
            block.events.append(
                XMLEventRecord(
                    event: .text, nameIndex: Int32(clamping: piece.count), line: place.line, column: place.column,
                    start: block.bytes.count, count: piece.count))
        }
        unsafe block.bytes.append(contentsOf: piece)
    }

    mutating func nameIndex(
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

/// The entities and default values that a document declares.
extension XMLRecording {
    mutating func declare(entity name: String, kind: Int32, text: String?) {
        hasDeclarations = true
        switch xmlEntityType(UInt32(bitPattern: kind)) {
        case XML_INTERNAL_GENERAL_ENTITY: entities.declare(name, text: text ?? "")
        // It is refused when it is used, since its declarations would be missing.
        case XML_INTERNAL_PARAMETER_ENTITY: return
        default: fail(.entityDeclaration, name)
        }
    }

    /// Returns the entity with a name, for a use within the limits; nil if there is none.
    mutating func entity(_ name: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
        guard !hasFailed, let name = unsafe name, let document = unsafe handle?.pointee.myDoc else { return nil }
        let text = unsafe String(cString: name)
        guard let size = entities.size(of: text) else { return nil }
        guard entities.depth(of: text, atMost: limits.maximumEntityDepth) != nil else {
            refuse(
                .tooLarge,
                "the entity \"\(text)\" contains itself, or more than \(limits.maximumEntityDepth) levels of other entities"
            )
            return nil
        }
        guard expand(by: size) else { return nil }
        return unsafe xmlGetDocEntity(document, name)
    }

    /// Counts bytes that are not in the document itself; returns false if they exceed the limit.
    mutating func expand(by count: Int) -> Bool {
        expansion += count
        let limit = limits.maximumExpansion
        guard expansion > (limit == 0 ? 0 : max(limit, bytesRead)) else { return true }
        guard limit > 0 else {
            refuse(.entityDeclaration, "")
            return false
        }
        refuse(.tooLarge, "its entities and default values add more than \(limits.maximumExpansion) bytes to it")
        return false
    }

    /// Records an error, and stops libxml2 in this slice of the document.
    mutating func refuse(_ code: DocumentError.Code, _ detail: String) {
        guard !hasFailed else { return }
        fail(code, detail)
        unsafe xmlStopParser(handle)
    }
}

extension XMLRecording {
    /// Records the first error; the default location is the parser's position.
    mutating func fail(
        _ code: DocumentError.Code, _ detail: String, at location: SourceLocation? = nil
    ) {
        guard !hasFailed else { return }
        let place = unsafe XMLTagPlace.current(handle)
        let here = SourceLocation(file: fileName, line: Int(place.line), column: Int(max(place.column, 1)))
        // After a failed conversion, libxml2's buffer contains data in two encodings.
        let excerpt = code == .encoding ? nil : excerpt()
        failure = DocumentError(code, detail, at: location ?? here, excerpt: excerpt)
        hasFailed = true
    }

    /// Counts a default value for an attribute in a DTD.
    mutating func countDefault() {
        defaultCount += 1
        hasDeclarations = true
        guard defaultCount > Self.maximumDefaultCount else { return }
        fail(.tooLarge, "the DOCTYPE has more than \(Self.maximumDefaultCount) default values")
        // The rest of this slice would already be slow.
        unsafe xmlStopParser(handle)
    }

    mutating func failForAttributes() {
        fail(.tooLarge, "an element has more than \(limits.maximumAttributeCount) attributes")
    }

    /// Receives an error of libxml2; only those that make the document unusable count.
    mutating func receive(_ error: borrowing xmlError) {
        guard !hasFailed else { return }
        let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
        let detail = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
        let (line, column) = unsafe (Int(error.line), Int(error.int2))
        let location = SourceLocation(file: fileName, line: max(line, 1), column: column > 0 ? column : nil)
        switch unsafe xmlParserErrors(rawValue: UInt32(bitPattern: error.code)) {
        case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
            let entity = unsafe error.str1.map { unsafe String(cString: $0) } ?? ""
            fail(.undefinedEntity, entity, at: location)
        case XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED,
            XML_I18N_NO_HANDLER:
            fail(.encoding, detail, at: location)
        case XML_ERR_INVALID_CHAR:
            // The same error number is used for bytes that are not UTF-8, and for characters that XML forbids.
            let code: DocumentError.Code = detail.hasPrefix("Input is not proper") ? .encoding : .malformed
            fail(code, detail, at: location)
        case XML_ERR_INTERNAL_ERROR where detail.contains("Huge input"):
            fail(.tooLarge, "an attribute, a comment or a name has more than 10 million bytes", at: location)
        case XML_ERR_ENTITY_LOOP:
            let detail = "its entities contain themselves, or make it more than ten times as large"
            fail(.tooLarge, detail, at: location)
        case XML_ERR_DOCUMENT_EMPTY:
            fail(.malformed, "it does not begin with an element, so this is not XML", at: location)
        case XML_ERR_DOCUMENT_END where !openElements.isEmpty:
            let open = openElements[openElements.count - 1]
            let name = names.names[Int(open.nameIndex)].qualifiedName
            fail(.truncated, "inside the element \"\(name)\" of line \(open.line)", at: location)
        default:
            guard unsafe error.level == XML_ERR_FATAL else { return }
            fail(.malformed, detail, at: location)
        }
    }

    private func excerpt() -> SourceExcerpt? {
        guard let input = unsafe handle?.pointee.input?.pointee, let base = unsafe input.base,
            let current = unsafe input.cur, let end = unsafe input.end, unsafe end > base, unsafe end >= current
        else { return nil }
        let buffer = unsafe UnsafeBufferPointer(start: base, count: end - base)
        // The replacement for a plain part is not part of the document.
        let foreign = origin.map { unsafe $0.place.offset - Int(bitPattern: input.consumed) } ?? -1
        let start = min(max(foreign, 0), buffer.count)
        let history = foreign >= 0 ? origin?.history ?? [] : []
        // The buffer is UTF-8, but the document may not be.
        let following = unsafe input.buf?.pointee.encoder == nil ? following : []
        let bytes = unsafe history + buffer[start...] + following
        return unsafe SourceExcerpt(of: bytes.span, at: current - base - start + history.count)
    }
}

/// The plain parts of the document, which libxml2 does not read.
extension XMLRecording {
    /// Returns a scanner for the content after the root's start tag, if libxml2's position is there, and the rest can
    /// be read without it.
    ///
    /// - Parameter beginning: the document up to that position.
    func plainScanner(after beginning: UnsafeBufferPointer<UInt8>) -> XMLPlainScanner? {
        let place = unsafe XMLTagPlace.current(handle)
        // The offset is known only for UTF-8.
        guard !hasFailed, !hasDeclarations, openElements.count == 1, block.events.count == 1,
            place.offset == beginning.count, unsafe handle?.pointee.instate == XML_PARSER_CONTENT
        else { return nil }
        return unsafe XMLPlainScanner(at: place.offset, place, after: beginning)
    }
}
