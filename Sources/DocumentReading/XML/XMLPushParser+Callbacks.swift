import CLibXML

/// The functions that libxml2 calls. The user data is the parser, which outlives its handle.
extension XMLPushParser {
    static func makeHandler() -> xmlSAXHandler {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = { context, localName, prefix, uri, _, _, count, defaulted, fields in
            // Values that a DTD adds are not the document's, and could be large ones for tiny elements.
            unsafe XMLPushParser.with(context) { parser in
                unsafe parser.startElement(localName, prefix, uri, Int(count - defaulted), fields)
            }
        }
        unsafe handler.endElementNs = { context, _, _, _ in
            unsafe XMLPushParser.with(context) { $0.endElement() }
        }
        // The same function for all three: otherwise libxml2 looks at every text to tell blank ones.
        let text: charactersSAXFunc = { context, characters, count in
            unsafe XMLPushParser.with(context) { unsafe $0.text(characters, Int(count)) }
        }
        unsafe handler.characters = text
        unsafe handler.ignorableWhitespace = text
        unsafe handler.cdataBlock = text
        unsafe handler.entityDecl = { context, name, _, _, _, _ in
            unsafe XMLPushParser.with(context) {
                unsafe $0.fail(.entityDeclaration, name.map { unsafe String(cString: $0) } ?? "")
            }
        }
        unsafe handler.reference = { context, name in
            unsafe XMLPushParser.with(context) {
                unsafe $0.fail(.undefinedEntity, name.map { unsafe String(cString: $0) } ?? "")
            }
        }
        unsafe handler.serror = receiveError
        return unsafe handler
    }

    /// Serves the parser's own errors and, while it runs, those that belong to no parser.
    static let receiveError: xmlStructuredErrorFunc = { context, error in
        guard let error = unsafe error else { return }
        unsafe XMLPushParser.with(context) { unsafe $0.receive(error.pointee) }
    }

    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (XMLPushParser) -> Void) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<XMLPushParser>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
}
