internal import DocumentReading
internal import KeyedArchives
import TextEncodings

/// Converts the elements of a property list within another document to values.
struct PropertyListElements {
    private var depth = 0

    /// Metadata have a few levels; the limit prevents a malicious file from exhausting the stack.
    private static let maximumDepth = 64

    /// Returns the value of an element, from its start tag on; the reader is at the end tag afterwards.
    mutating func value(_ stream: inout XMLEventStream) throws(DocumentError) -> PropertyListValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw stream.error("the property list is nested too deeply") }
        switch stream.name.qualifiedName {
        case "dict": return .dictionary(try dictionary(&stream))
        case "array": return .array(try array(&stream))
        case "true", "false":
            let isTrue = stream.name.qualifiedName == "true"
            try stream.skipElement()
            return .boolean(isTrue)
        case "string": return .string(try stream.elementText())
        case "integer":
            let text = try stream.elementText()
            guard let value = Int64(text) else { throw stream.error("\"\(text)\" is not an integer") }
            return .integer(value)
        case "real":
            let text = try stream.elementText()
            guard let value = Double(text) else { throw stream.error("\"\(text)\" is not a number") }
            return .real(value)
        case "date":
            let text = try stream.elementText()
            guard let value = PropertyListDate.seconds(of: text) else {
                throw stream.error("\"\(text)\" is not a date")
            }
            return .date(value)
        case "data":
            guard let bytes = Base64.decode(try stream.elementText()) else {
                throw stream.error("this is not base 64")
            }
            return .data(bytes)
        case let other: throw stream.error("a property list has no \"\(other)\"")
        }
    }

    private mutating func dictionary(_ stream: inout XMLEventStream) throws(DocumentError) -> PropertyListDictionary {
        var result = PropertyListDictionary()
        while try stream.nextElement() {
            guard stream.name.qualifiedName == "key" else { throw stream.error("a key is expected here") }
            let key = try stream.elementText()
            guard try stream.nextElement() else {
                throw stream.error("the key \"\(key)\" has no value")
            }
            result[key] = try value(&stream)
        }
        return result
    }

    private mutating func array(_ stream: inout XMLEventStream) throws(DocumentError) -> [PropertyListValue] {
        var result: [PropertyListValue] = []
        while try stream.nextElement() { result.append(try value(&stream)) }
        return result
    }
}
