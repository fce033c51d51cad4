internal import DocumentReading
internal import KeyedArchives

/// Makes values of the elements of a property list that stands inside another document.
struct PropertyListElements {
    private let reader: XMLPullReader
    private var depth = 0

    /// Metadata is a few levels deep; the limit keeps a made-up file from exhausting the stack.
    private static let maximumDepth = 64

    init(_ reader: XMLPullReader) {
        self.reader = reader
    }

    /// On a start tag: its value; the reader stands on the end tag afterwards.
    mutating func value() throws(DocumentError) -> PropertyListValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw reader.error("the property list is nested too deep") }
        switch reader.name.qualifiedName {
        case "dict": return .dictionary(try dictionary())
        case "array": return .array(try array())
        case "true", "false":
            let isTrue = reader.name.qualifiedName == "true"
            try reader.skipElement()
            return .boolean(isTrue)
        case "string": return .string(try XMLStoreReader.text(of: reader))
        case "integer":
            let text = try XMLStoreReader.text(of: reader)
            guard let value = Int64(text) else { throw reader.error("\"\(text)\" is no integer") }
            return .integer(value)
        case "real":
            let text = try XMLStoreReader.text(of: reader)
            guard let value = Double(text) else { throw reader.error("\"\(text)\" is no number") }
            return .real(value)
        case "date":
            let text = try XMLStoreReader.text(of: reader)
            guard let value = PropertyListDate.seconds(of: text) else { throw reader.error("\"\(text)\" is no date") }
            return .date(value)
        case "data":
            guard let bytes = Base64.decode(try XMLStoreReader.text(of: reader).utf8) else {
                throw reader.error("this is no base 64")
            }
            return .data(bytes)
        case let other: throw reader.error("a property list has no \"\(other)\"")
        }
    }

    private mutating func dictionary() throws(DocumentError) -> PropertyListDictionary {
        var result = PropertyListDictionary()
        while try XMLStoreReader.nextElement(of: reader) {
            guard reader.name.qualifiedName == "key" else { throw reader.error("a key is expected here") }
            let key = try XMLStoreReader.text(of: reader)
            guard try XMLStoreReader.nextElement(of: reader) else {
                throw reader.error("the key \"\(key)\" has no value")
            }
            result[key] = try value()
        }
        return result
    }

    private mutating func array() throws(DocumentError) -> [PropertyListValue] {
        var result: [PropertyListValue] = []
        while try XMLStoreReader.nextElement(of: reader) { result.append(try value()) }
        return result
    }
}
