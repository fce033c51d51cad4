import ExternalPrograms
import KeyedArchives
import TextEncodings

/// Property list values as JSON. A value without a JSON form becomes an object with one key that begins with a dollar.
enum PropertyListJSON {
    private static let data = "$data"
    private static let date = "$date"
    private static let set = "$set"
    private static let real = "$real"
    /// The key for a dictionary that would otherwise be mistaken for one of these objects.
    private static let dictionary = "$dictionary"

    /// Writes a value.
    ///
    /// - Throws: `ValueTransformerError` for references into archives, and for text that is not well-formed.
    static func append(_ value: PropertyListValue, to line: inout [UInt8]) throws(ValueTransformerError) {
        switch value {
        case .null: line += Array("null".utf8)
        case .boolean(let flag): line += Array("\(flag)".utf8)
        case .integer(let number): line.append(integer: number)
        case .wideInteger(let number): line += Array("\(number)".utf8)
        case .real(let number): append(number, to: &line)
        case .single(let number): append(Double(number), to: &line)
        case .string(let text): line.append(json: text.utf8.span)
        case .data(let bytes): try wrap(data, &line) { $0 += Array("\"\(Base64.encode(bytes))\"".utf8) }
        case .date(let seconds): try wrap(date, &line) { append(seconds, to: &$0) }
        case .set(let values): try wrap(set, &line) { line throws(ValueTransformerError) in try list(values, &line) }
        case .array(let values): try list(values, &line)
        case .dictionary(let pairs):
            guard pairs.count == 1, let key = pairs.keys.first, key.utf8.first == UInt8(ascii: "$") else {
                return try members(pairs, &line)
            }
            try wrap(dictionary, &line) { line throws(ValueTransformerError) in try members(pairs, &line) }
        case .malformedText: throw ValueTransformerError("a text that is not well-formed has no form in JSON")
        case .uid: throw ValueTransformerError("a reference into an archive has no value without the archive")
        }
    }

    /// Reads a value.
    ///
    /// - Throws: `ValueTransformerError` for a form that `append` does not write.
    static func value(_ json: JSONValue) throws(ValueTransformerError) -> PropertyListValue {
        switch json {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .string(let text): return .string(text)
        case .number(let digits):
            if let number = Int128(digits) { return PropertyListValue(number) }
            guard let number = Double(digits) else { throw unknown(json) }
            return .real(number)
        case .array(let values):
            return .array(try values.map { value throws(ValueTransformerError) in try Self.value(value) })
        case .object(let members):
            guard members.count == 1, let member = members.first, member.key.utf8.first == UInt8(ascii: "$") else {
                return .dictionary(try pairs(members))
            }
            switch (member.key, member.value) {
            case (data, .string(let text)): if let bytes = Base64.decode(text) { return .data(bytes) }
            case (date, .number(let digits)): if let seconds = Double(digits) { return .date(seconds) }
            case (real, .string(let text)):
                if ["inf", "-inf", "nan"].contains(text), let number = Double(text) { return .real(number) }
            case (set, .array(let values)):
                return .set(try values.map { value throws(ValueTransformerError) in try Self.value(value) })
            case (dictionary, .object(let members)): return .dictionary(try pairs(members))
            default: break
            }
            throw unknown(json)
        }
    }

    private static func unknown(_ json: JSONValue) -> ValueTransformerError {
        guard case .object(let members) = json, let member = members.first else {
            return ValueTransformerError("\(json.kind) cannot be a value of a property list")
        }
        return ValueTransformerError(
            "\"\(member.key.prefix(40))\" with \(member.value.kind) cannot be a value of a property list")
    }

    private static func pairs(_ members: [JSONValue.Member]) throws(ValueTransformerError) -> PropertyListDictionary {
        var pairs = PropertyListDictionary()
        for member in members { pairs[member.key] = try value(member.value) }
        return pairs
    }

    /// Writes a real with a point or an exponent, which tells it from an integer; JSON has none that are not finite.
    private static func append(_ number: Double, to line: inout [UInt8]) {
        line += Array((number.isFinite ? "\(number)" : "{\"\(real)\":\"\(number)\"}").utf8)
    }

    private static func wrap(
        _ key: String, _ line: inout [UInt8], _ body: (inout [UInt8]) throws(ValueTransformerError) -> Void
    ) throws(ValueTransformerError) {
        line += Array("{\"\(key)\":".utf8)
        try body(&line)
        line.append(UInt8(ascii: "}"))
    }

    private static func list(
        _ values: [PropertyListValue], _ line: inout [UInt8]
    ) throws(ValueTransformerError) {
        line.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            try append(value, to: &line)
        }
        line.append(UInt8(ascii: "]"))
    }

    private static func members(
        _ pairs: PropertyListDictionary, _ line: inout [UInt8]
    ) throws(ValueTransformerError) {
        line.append(UInt8(ascii: "{"))
        for (index, pair) in pairs.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line.append(json: pair.key.utf8.span)
            line.append(UInt8(ascii: ":"))
            try append(pair.value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
    }
}
