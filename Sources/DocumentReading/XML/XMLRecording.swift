import CLibXML

/// What the parser has reported and the reader has not passed on yet.
///
/// A structure of its own, so that a callback of the parser enters it once; the pointers that callbacks bring are valid
/// for the length of a call only.
@safe struct XMLRecording {
    /// The parser's; what callbacks find out about the place of an event comes from it.
    var handle: xmlParserCtxtPtr?

    /// Lent to the reader between two pieces of the document.
    var block = XMLEventBlock()

    private(set) var names = XMLNameTable()

    /// The first error; the events recorded before it are good.
    private(set) var failure: DocumentError?

    /// Whether there is an error: asked at every event, where the error itself would be copied.
    private(set) var hasFailed = false

    /// How many values a DTD gives to attributes by default.
    private var defaultCount = 0

    private var entities = XMLEntityTable()

    /// The bytes that entities and default values have added to the document.
    private var expansion = 0

    /// How many bytes of the document have been read.
    var bytesRead = 0

    /// Whether the document declares entities or default values, without which its elements cannot be read.
    private(set) var hasDeclarations = false

    let fileName: String
    let limits: XMLReadingLimits

    /// The indexes of the open elements' names, the lines of their start tags, and the namespaces declared so far.
    var openElements: [(nameIndex: Int32, line: Int32, namespaceCount: Int)] = []

    /// The namespaces that the root declares, and their prefixes, by their addresses.
    private(set) var rootNamespaces: [(prefix: UInt, uri: UInt)] = []

    /// Where libxml2 went on to read after a plain part, and the bytes before that place; nil if it read all.
    var origin: (place: XMLTagPlace, history: [UInt8])?

    /// What follows in the document behind that which libxml2 has got, for excerpts.
    var following: [UInt8] = []

    /// Whether libxml2 reads what stands for a plain part, and is recorded already.
    var isReplaying = false

    /// libxml2 goes through the default values at every element, however small it is.
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
                // libxml2 puts default values behind those that are written.
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

    /// Whether the parser is at the text of an entity: then it stands at the reference, and the tag is not there.
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

/// What a document declares of entities and default values.
extension XMLRecording {
    mutating func declare(entity name: String, kind: Int32, text: String?) {
        hasDeclarations = true
        switch xmlEntityType(UInt32(bitPattern: kind)) {
        case XML_INTERNAL_GENERAL_ENTITY: entities.declare(name, text: text ?? "")
        // It is refused where it is used, since what it declares would be missing.
        case XML_INTERNAL_PARAMETER_ENTITY: return
        default: fail(.entityDeclaration, name)
        }
    }

    /// The entity of a name, for a use of it that is within the limits; nil if there is none.
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

    /// Counts bytes that the document itself does not have; false if they are too many.
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

    /// Fails, and keeps libxml2 from going on in this slice of the document.
    mutating func refuse(_ code: DocumentError.Code, _ detail: String) {
        guard !hasFailed else { return }
        fail(code, detail)
        unsafe xmlStopParser(handle)
    }
}

extension XMLRecording {
    /// Records the first error; without a location it is where the parser stands.
    mutating func fail(
        _ code: DocumentError.Code, _ detail: String, at location: SourceLocation? = nil
    ) {
        guard !hasFailed else { return }
        let place = unsafe XMLTagPlace.current(handle)
        let here = SourceLocation(file: fileName, line: Int(place.line), column: Int(max(place.column, 1)))
        // After a failed conversion libxml2's buffer holds what is left of two encodings.
        let excerpt = code == .encoding ? nil : excerpt()
        failure = DocumentError(code, detail, at: location ?? here, excerpt: excerpt)
        hasFailed = true
    }

    /// Takes note of a value that a DTD gives to an attribute by default.
    mutating func countDefault() {
        defaultCount += 1
        hasDeclarations = true
        guard defaultCount > Self.maximumDefaultCount else { return }
        fail(.tooLarge, "the DOCTYPE has more than \(Self.maximumDefaultCount) default values")
        // What follows in this slice would be slow already.
        unsafe xmlStopParser(handle)
    }

    mutating func failForAttributes() {
        fail(.tooLarge, "an element has more than \(limits.maximumAttributeCount) attributes")
    }

    /// Takes an error of libxml2: only those that make the document unusable count.
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
            // One number for bytes that are not UTF-8, and for characters that XML forbids.
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
        // What stands for a plain part is not the document.
        let foreign = origin.map { unsafe $0.place.offset - Int(bitPattern: input.consumed) } ?? -1
        let start = min(max(foreign, 0), buffer.count)
        let history = foreign >= 0 ? origin?.history ?? [] : []
        // The buffer is UTF-8, the document may not be.
        let following = unsafe input.buf?.pointee.encoder == nil ? following : []
        let bytes = unsafe history + buffer[start...] + following
        return unsafe SourceExcerpt(of: bytes.span, at: current - base - start + history.count)
    }
}

/// Plain parts of the document, which libxml2 does not read.
extension XMLRecording {
    /// A scanner for what comes behind the root's start tag, if libxml2 stands there, and what it says so far lets the
    /// rest be read without it.
    ///
    /// - Parameter beginning: the document up to that place.
    func plainScanner(after beginning: UnsafeBufferPointer<UInt8>) -> XMLPlainScanner? {
        let place = unsafe XMLTagPlace.current(handle)
        // The offset is known for UTF-8 only.
        guard !hasFailed, !hasDeclarations, openElements.count == 1, block.events.count == 1,
            place.offset == beginning.count, unsafe handle?.pointee.instate == XML_PARSER_CONTENT
        else { return nil }
        return unsafe XMLPlainScanner(at: place.offset, place, after: beginning)
    }
}
