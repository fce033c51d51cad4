public import DocumentReading

/// Holds an XML store against the structure of its document type (docs/format/xml-store.md#document-type): which
/// elements and attributes there are, where, and how often.
///
/// What they say is for the reader: types, numbers, and whether references lead to objects. Memory does not grow with
/// the file.
public enum XMLStoreValidator {
    /// Checks a file.
    /// - Throws: `DocumentError` with the line of the first place that is not as the document type has it.
    public static func validate(path: String) throws(DocumentError) {
        var stream = try XMLEventStream(path: path, limits: XMLStoreReader.limits)
        try validate(&stream)
    }

    /// Checks a store in memory; `name` stands for the file in messages.
    /// - Throws: `DocumentError` with the line of the first place that is not as the document type has it.
    public static func validate(bytes: [UInt8], name: String) throws(DocumentError) {
        var stream = XMLEventStream(bytes: bytes, name: name, limits: XMLStoreReader.limits)
        try validate(&stream)
    }

    private static func validate(_ stream: inout XMLEventStream) throws(DocumentError) {
        guard try stream.nextElement() else { throw stream.error("the document has no element") }
        try check(&stream, is: "database", of: "an XML store")
        guard try stream.nextElement() else { throw stream.error("\"database\" needs a \"databaseInfo\"") }
        try check(&stream, is: "databaseInfo", of: "\"database\" at its beginning")
        for name in ["version", "UUID", "nextObjectID"] {
            try child(name, of: "databaseInfo", &stream)
            _ = try stream.elementText()
        }
        try child("metadata", of: "databaseInfo", &stream)
        try child("plist", ["version"], of: "metadata", &stream)
        try stream.skipElement()
        for name in ["metadata", "databaseInfo"] {
            guard try stream.nextElement() else { continue }
            throw stream.error("\"\(name)\" ends here, and has no \"\(stream.name.qualifiedName)\"")
        }
        while try stream.nextElement() { try object(&stream) }
    }

    private static func object(_ stream: inout XMLEventStream) throws(DocumentError) {
        try check(&stream, is: "object", ["type", "id"], of: "\"database\"")
        while try stream.nextElement() {
            guard stream.name.qualifiedName == "relationship" else {
                try check(&stream, is: "attribute", ["name", "type"], of: "\"object\"")
                _ = try stream.elementText()
                continue
            }
            try attributes(["name", "type", "destination"], optional: "idrefs", &stream)
            let counts = (stream.attribute(named: "type") ?? "").split(separator: "/", omittingEmptySubsequences: false)
            guard counts.count == 2, counts.allSatisfy({ UInt64($0) != nil }) else {
                throw stream.error("the type of a relationship is two counts, such as 0/1 or 0/0")
            }
            guard case .endElement? = try stream.next() else { throw stream.error("\"relationship\" has no content") }
        }
    }

    /// Goes to the next element, which has to be there.
    private static func child(
        _ name: String, _ attributes: [String] = [], of parent: String, _ stream: inout XMLEventStream
    ) throws(DocumentError) {
        guard try stream.nextElement() else { throw stream.error("\"\(parent)\" needs a \"\(name)\"") }
        try check(&stream, is: name, attributes, of: "\"\(parent)\" here")
    }

    private static func check(
        _ stream: inout XMLEventStream, is name: String, _ required: [String] = [], of parent: String
    ) throws(DocumentError) {
        guard stream.name.qualifiedName == name else {
            throw stream.error("\(parent) has a \"\(name)\", not \"\(stream.name.qualifiedName)\"")
        }
        try attributes(required, &stream)
    }

    private static func attributes(
        _ required: [String], optional: String? = nil, _ stream: inout XMLEventStream
    ) throws(DocumentError) {
        let names = stream.attributes.map(\.name.qualifiedName)
        if let surplus = names.first(where: { !required.contains($0) && $0 != optional }) {
            throw stream.error("\"\(stream.name.qualifiedName)\" has no attribute \"\(surplus)\"")
        }
        if let missing = required.first(where: { !names.contains($0) }) {
            throw stream.error("\"\(stream.name.qualifiedName)\" needs the attribute \"\(missing)\"")
        }
    }
}
