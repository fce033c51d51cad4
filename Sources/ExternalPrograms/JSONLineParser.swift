/// Parses the JSON value of one line.
package struct JSONLineParser {
    package struct Failure: Error {
        /// The column, counted from 1.
        package let column: Int
        package let reason: String
    }

    private let bytes: [UInt8]
    /// The beginning and end of the line.
    private let start: Int
    private let end: Int
    private var index: Int
    private var depth = 0

    /// The maximum depth of values; deeper ones could exceed a thread's stack.
    private static let maximumDepth = 64

    private init(_ bytes: [UInt8], _ line: Range<Int>) {
        self.bytes = bytes
        (start, end) = (line.lowerBound, line.upperBound)
        index = start
    }

    /// - Parameter line: the range of the line in the bytes.
    package static func value(_ bytes: [UInt8], in line: Range<Int>) throws(Failure) -> JSONValue {
        var parser = JSONLineParser(bytes, line)
        let value = try parser.value()
        parser.skipSpaces()
        guard parser.index == parser.end else { throw parser.failure("more text follows the value") }
        return value
    }

    private func failure(_ reason: String) -> Failure { Failure(column: index - start + 1, reason: reason) }

    private var byte: UInt8? { index < end ? bytes[index] : nil }

    private mutating func skipSpaces() {
        while index < end, bytes[index] <= 0x20 {
            guard bytes[index] == 0x20 || bytes[index] == 0x09 || bytes[index] == 0x0A || bytes[index] == 0x0D else {
                return
            }
            index += 1
        }
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipSpaces()
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw failure("the nesting is too deep") }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("a value is missing")
        case let byte?:
            guard byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                throw failure("no value begins like this")
            }
            return try number()
        }
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard bytes[index..<end].starts(with: text.utf8) else { throw failure("no value begins like this") }
        index += text.utf8.count
        return value
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = index
        func isPart(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        while let byte, isPart(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard Double(text) != nil, text.utf8.last != UInt8(ascii: ".") else {
            throw failure("\(text.prefix(40)) is not a number")
        }
        return .number(text)
    }

    private mutating func array() throws(Failure) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        skipSpaces()
        if byte == UInt8(ascii: "]") {
            index += 1
            return .array([])
        }
        while true {
            values.append(try value())
            skipSpaces()
            switch byte {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "]"):
                index += 1
                return .array(values)
            default: throw failure("\",\" or \"]\" is missing")
            }
        }
    }

    private mutating func object() throws(Failure) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        // Comparing a few keys is faster than hashing them.
        var keys: Set<String> = []
        func isNew(_ key: String) -> Bool {
            if members.count < 8 { return !members.contains { $0.key == key } }
            if keys.isEmpty { keys = Set(members.map(\.key)) }
            return keys.insert(key).inserted
        }
        skipSpaces()
        if byte == UInt8(ascii: "}") {
            index += 1
            return .object([])
        }
        while true {
            skipSpaces()
            guard byte == UInt8(ascii: "\"") else { throw failure("a key in double quotes is missing") }
            let key = try string()
            guard isNew(key) else { throw failure("the key \"\(key.prefix(40))\" occurs twice") }
            skipSpaces()
            guard byte == UInt8(ascii: ":") else { throw failure("\":\" is missing") }
            index += 1
            members.append(JSONValue.Member(key: key, value: try value()))
            skipSpaces()
            switch byte {
            case UInt8(ascii: ","): index += 1
            case UInt8(ascii: "}"):
                index += 1
                return .object(members)
            default: throw failure("\",\" or \"}\" is missing")
            }
        }
    }

    private mutating func string() throws(Failure) -> String {
        index += 1
        let first = index
        while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"), bytes[index] >= 0x20
        {
            index += 1
        }
        var text: [UInt8] = []
        if byte == UInt8(ascii: "\"") {
            guard let valid = String(validating: bytes[first..<index], as: UTF8.self) else {
                throw failure("the text is not UTF-8")
            }
            index += 1
            return valid
        }
        text += bytes[first..<index]
        while let byte {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(validating: text, as: UTF8.self) else {
                    throw failure("the text is not UTF-8")
                }
                return valid
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw failure("a control character must be escaped")
            default: text.append(byte)
            }
        }
        throw failure("the text does not end")
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard let byte else { throw failure("the text does not end") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try unit()
            if (0xD800..<0xDC00).contains(code), bytes[index..<end].starts(with: "\\u".utf8) {
                index += 2
                let low = try unit()
                guard (0xDC00..<0xE000).contains(low) else {
                    throw failure("half of a surrogate pair is not a character")
                }
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw failure("half of a surrogate pair is not a character")
            }
            text += Array(String(Character(scalar)).utf8)
        default: throw failure("no escape begins like this")
        }
    }

    private mutating func unit() throws(Failure) -> UInt32 {
        guard index + 4 <= end,
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
            bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-")
        else { throw failure("\\u needs four hexadecimal digits") }
        index += 4
        return code
    }
}
