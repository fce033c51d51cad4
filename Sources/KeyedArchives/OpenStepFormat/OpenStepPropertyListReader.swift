/// Converts OpenStep's brace format to values: `{ key = value; }`, `(a, b)`, `<0fbd77>`, text; includes `.strings`
/// files.
///
/// Numbers are text in this format, except for GNUstep's `<*I5>`, `<*R1.5>`, `<*BY>` and `<*D...>`.
public enum OpenStepPropertyListReader {
    /// Reads the outermost value, or the pairs of a dictionary without braces; the input may be hostile.
    /// - Throws: `PropertyListError` with the location where the input is malformed or exceeds a limit.
    public static func value(
        from bytes: [UInt8], limits: PropertyListLimits? = nil
    ) throws(PropertyListError) -> PropertyListValue {
        var reading = OpenStepPropertyListReading(
            bytes: ByteOrderMark.utf8(of: bytes), limits: limits ?? .proportional(to: bytes.count))
        return try reading.document()
    }
}

private struct OpenStepPropertyListReading {
    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private var position = 0

    init(bytes: [UInt8], limits: PropertyListLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(PropertyListError) -> PropertyListValue {
        try skipSpace()
        guard let first = current else { throw error(.notAPropertyList) }
        let start = position
        if first != UInt8(ascii: "{"), first != UInt8(ascii: "("), first != UInt8(ascii: "<") {
            let text = try text()
            try skipSpace()
            guard current != nil else { return .string(text) }
            position = start
            let pairs = try pairs(until: nil, depth: 0)
            return .dictionary(pairs)
        }
        let value = try value(depth: 0)
        try skipSpace()
        guard current == nil else { throw error(.trailingContent) }
        return value
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func error(
        _ code: PropertyListError.Code, at offset: Int? = nil, found: String? = nil
    ) -> PropertyListError {
        PropertyListError(code, at: TextPlace.place(of: offset ?? position, in: bytes), found: found)
    }

    private func unexpected() -> PropertyListError {
        guard let current else { return error(.unexpectedEnd) }
        return error(.unexpectedCharacter, found: String(decoding: [current], as: UTF8.self))
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(PropertyListError) {
        try skipSpace()
        guard current == UInt8(ascii: character) else { throw unexpected() }
        position += 1
    }

    /// Skips spaces and comments of both kinds.
    private mutating func skipSpace() throws(PropertyListError) {
        while let byte = current {
            if byte <= 0x20 {
                position += 1
            } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == byte {
                position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "*") {
                let start = position
                position += 2
                while position + 1 < bytes.count,
                    bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
                {
                    position += 1
                }
                guard position + 1 < bytes.count else { throw error(.unexpectedEnd, at: start) }
                position += 2
            } else {
                return
            }
        }
    }

    private mutating func value(depth: Int) throws(PropertyListError) -> PropertyListValue {
        try skipSpace()
        guard depth < limits.depth else { throw error(.tooDeep) }
        switch current {
        case UInt8(ascii: "{"):
            position += 1
            return .dictionary(try pairs(until: UInt8(ascii: "}"), depth: depth))
        case UInt8(ascii: "("):
            position += 1
            return try array(depth: depth)
        case UInt8(ascii: "<"):
            position += 1
            return current == UInt8(ascii: "*") ? try typed() : try data()
        default:
            return .string(try text())
        }
    }

    /// Reads `key = value;` pairs; `key;` alone means that the value is the key, as in `.strings` files.
    private mutating func pairs(until end: UInt8?, depth: Int) throws(PropertyListError) -> PropertyListDictionary {
        var dictionary = PropertyListDictionary()
        while true {
            try skipSpace()
            if current == end {
                position += end == nil ? 0 : 1
                return dictionary
            }
            let start = position
            let key = try text()
            try skipSpace()
            var value = PropertyListValue.string(key)
            if current == UInt8(ascii: "=") {
                position += 1
                value = try self.value(depth: depth + 1)
            }
            guard dictionary.insert(value, forKey: key) else { throw error(.keyRepeated, at: start, found: key) }
            try skipSpace()
            if current == UInt8(ascii: ";") {
                position += 1
            } else if current != end {
                throw unexpected()
            }
        }
    }

    private mutating func array(depth: Int) throws(PropertyListError) -> PropertyListValue {
        var elements: [PropertyListValue] = []
        while true {
            try skipSpace()
            if current == UInt8(ascii: ")") {
                position += 1
                return .array(elements)
            }
            elements.append(try value(depth: depth + 1))
            try skipSpace()
            if current == UInt8(ascii: ",") {
                position += 1
            } else if current != UInt8(ascii: ")") {
                throw unexpected()
            }
        }
    }

    private mutating func data() throws(PropertyListError) -> PropertyListValue {
        let start = position - 1
        var digits: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: ">") {
            if let digit = HexadecimalDigit.value(of: byte) {
                digits.append(digit)
            } else if byte > 0x20 {
                throw error(.dataInvalid)
            }
            position += 1
        }
        guard current != nil else { throw error(.unexpectedEnd, at: start) }
        guard digits.count.isMultiple(of: 2) else { throw error(.dataInvalid, at: start) }
        position += 1
        return .data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// Reads a typed value of GNUstep.
    private mutating func typed() throws(PropertyListError) -> PropertyListValue {
        let start = position - 1
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
            throw error(.unexpectedEnd, at: start)
        }
        let content = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        position = end + 1
        let text = content.dropFirst()
        switch content.first {
        case "I":
            if let integer = PropertyListNumber.integer(text) { return integer }
        case "R":
            if let real = PropertyListNumber.real(text) { return .real(real) }
        case "B" where text == "Y" || text == "N":
            return .boolean(text == "Y")
        case "D":
            // 2001-01-01 00:00:00 +0000
            let parts = text.split(separator: " ")
            if parts.count == 3, parts[2] == "+0000",
                let date = PropertyListDate.seconds(of: "\(parts[0])T\(parts[1])Z")
            {
                return .date(date)
            }
        default: break
        }
        throw error(.unexpectedCharacter, at: start, found: "<*\(content)>")
    }

    private mutating func text() throws(PropertyListError) -> String {
        try skipSpace()
        guard let first = current else { throw error(.unexpectedEnd) }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return try quoted(by: first)
        }
        let start = position
        while let byte = current, Self.isPlain(byte) {
            position += 1
        }
        guard position > start else { throw unexpected() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Returns whether a character needs no quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_$/:.-".utf8.contains(byte)
        }
    }

    private mutating func quoted(by quote: UInt8) throws(PropertyListError) -> String {
        let start = position
        position += 1
        var units: [UInt16] = []
        var plain = position
        while let byte = current {
            if byte == quote {
                try append(plain..<position, to: &units)
                position += 1
                guard let text = String(validating: units, as: UTF16.self) else {
                    throw error(.textInvalid, at: start)
                }
                return text
            }
            if byte == UInt8(ascii: "\\") {
                try append(plain..<position, to: &units)
                position += 1
                try escape(to: &units)
                plain = position
            } else {
                position += 1
            }
        }
        throw error(.unexpectedEnd, at: start)
    }

    private func append(_ range: Range<Int>, to units: inout [UInt16]) throws(PropertyListError) {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw error(.textInvalid, at: range.lowerBound)
        }
        units += text.utf16
    }

    /// Reads an escape after a backslash: one letter, up to three octal digits, or `U` and up to four hexadecimal
    /// digits.
    private mutating func escape(to units: inout [UInt16]) throws(PropertyListError) {
        guard let byte = current else { throw error(.unexpectedEnd) }
        position += 1
        switch byte {
        case UInt8(ascii: "a"): units.append(0x07)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "v"): units.append(0x0B)
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            var unit: UInt16 = 0
            var count = 0
            while count < 4, let byte = current, let digit = HexadecimalDigit.value(of: byte) {
                unit = unit << 4 | UInt16(digit)
                count += 1
                position += 1
            }
            units.append(unit)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var code = Int(byte - UInt8(ascii: "0"))
            var count = 1
            while count < 3, let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) {
                code = code * 8 + Int(byte - UInt8(ascii: "0"))
                count += 1
                position += 1
            }
            guard code < 0x80 else {
                // Above ASCII, octal codes are those of NeXTSTEP's own character set, which no known file uses.
                throw error(.textInvalid, at: position - count - 1, found: "\\" + String(code, radix: 8))
            }
            units.append(UInt16(code))
        default:
            // A backslash before any other character represents that character, also before one of several bytes.
            position -= 1
            let start = position
            position += 1
            while let next = current, next & 0xC0 == 0x80 { position += 1 }
            try append(start..<position, to: &units)
        }
    }
}
