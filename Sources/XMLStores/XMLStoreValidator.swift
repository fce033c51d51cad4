public import DocumentReading

/// Validates the structure of an XML store against its document type (docs/format/xml-store.md#document-type): which
/// elements and attributes occur where, and how often.
///
/// Their contents are checked by the reader: types, numbers, and whether references lead to objects. Memory does not
/// grow with the file.
public enum XMLStoreValidator {
    /// The allowed content of an element: its attributes, the child elements that come first and once, and then others
    /// in any order; nil for text, or for anything.
    private struct Element {
        var attributes: [String] = []
        var optional: String?
        var first: [String]? = []
        var others: [String] = []
    }

    private static let elements: [String: Element] = [
        "database": Element(first: ["databaseInfo"], others: ["object"]),
        "databaseInfo": Element(first: ["version", "UUID", "nextObjectID", "metadata"]),
        "version": Element(first: nil), "UUID": Element(first: nil), "nextObjectID": Element(first: nil),
        "metadata": Element(first: ["plist"]),
        "object": Element(attributes: ["type", "id"], others: ["attribute", "relationship"]),
        "attribute": Element(attributes: ["name", "type"], first: nil),
        "relationship": Element(attributes: ["name", "type", "destination"], optional: "idrefs"),
    ]

    /// Checks a file.
    /// - Throws: `DocumentError` with the line of the first violation of the document type.
    public static func validate(path: String) throws(DocumentError) {
        try validate(XMLEventStream(path: path, limits: XMLStoreReader.limits))
    }

    /// Checks a store in memory; `name` is used in messages instead of a file name.
    /// - Throws: `DocumentError` with the line of the first violation of the document type.
    public static func validate(bytes: [UInt8], name: String) throws(DocumentError) {
        try validate(XMLEventStream(bytes: bytes, name: name, limits: XMLStoreReader.limits))
    }

    private static func validate(_ events: consuming XMLEventStream) throws(DocumentError) {
        guard try events.next() != nil, events.name.qualifiedName == "database" else {
            throw events.error("this is not an XML store: its outermost element is not \"database\"")
        }
        try check(&events)
        // The text after the root element may be malformed.
        while try events.next() != nil {}
    }

    /// Checks the element of the current start tag, up to its end tag; the table limits the depth.
    private static func check(_ stream: inout XMLEventStream) throws(DocumentError) {
        let name = stream.name.qualifiedName
        let element = elements[name] ?? Element(attributes: ["version"], first: nil)
        var missing = element.attributes
        for place in 0..<stream.attributeCount {
            let found = stream.name(at: stream.attributeNameIndex(at: place)).qualifiedName
            if let index = missing.firstIndex(of: found) {
                missing.remove(at: index)
            } else if found != element.optional {
                throw error("\"\(name)\" has no attribute \"\(found)\"", stream)
            }
        }
        if let missing = missing.first { throw error("\"\(name)\" needs the attribute \"\(missing)\"", stream) }
        guard let first = element.first else {
            if name == "plist" { try stream.skipElement() } else { _ = try stream.elementText() }
            return
        }
        if element.optional != nil, !isCounts(stream.attribute(named: "type") ?? "") {
            throw error("the type of a relationship is two counts, such as 0/1 or 0/0", stream)
        }
        var needed = first[...]
        while let event = try stream.next(), event != .endElement {
            if event == .text {
                if stream.isBlankText, element.optional == nil { continue }
                throw error("\"\(name)\" has no text", stream)
            }
            let found = stream.name.qualifiedName
            let wanted = needed.popFirst()
            if let wanted, wanted != found {
                throw error("\"\(name)\" needs a \"\(wanted)\" before \"\(found)\"", stream)
            } else if wanted == nil, !element.others.contains(found) {
                throw error("\"\(name)\" has no \"\(found)\" here", stream)
            }
            try check(&stream)
        }
        if let wanted = needed.first { throw error("\"\(name)\" needs a \"\(wanted)\"", stream) }
    }

    private static func isCounts(_ text: String) -> Bool {
        let counts = text.split(separator: "/", omittingEmptySubsequences: false)
        return counts.count == 2 && counts.allSatisfy { $0.utf8.allSatisfy { $0 &- 0x30 < 10 } && !$0.isEmpty }
    }

    @inline(never)
    private static func error(_ sentence: String, _ stream: XMLEventStream) -> DocumentError { stream.error(sentence) }
}
