/// Finds the tags and the text of an XML property list, skipping comments, instructions and the document type.
struct XMLPropertyListScanner {
    enum Token: Equatable {
        case open(String)
        case close(String)
        /// An empty element, `<name/>`.
        case empty(String)
        /// Text between two tags, with entities replaced, even if it is only spaces.
        case text(String)
        case end
    }

    private let bytes: [UInt8]
    /// The byte offset of the next token.
    private(set) var position = 0

    /// The text must be UTF-8 without a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns an error at the current position, or at an earlier one.
    func error(
        _ code: PropertyListError.Code, at offset: Int? = nil, found: String? = nil
    ) -> PropertyListError {
        PropertyListError(code, at: TextPlace.place(of: offset ?? position, in: bytes), found: found)
    }

    mutating func next() throws(PropertyListError) -> Token {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<"), !starts(with: "<![CDATA[") else {
                return .text(try text())
            }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!") {
                try skipDocumentType()
            } else {
                return try tag()
            }
        }
        return .end
    }

    private func starts(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<(position + length)]) }
    }

    private mutating func skip(past text: StaticString) throws(PropertyListError) {
        let start = position
        while position < bytes.count {
            if starts(with: text) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw error(.unexpectedEnd, at: start)
    }

    /// Skips `<!DOCTYPE ... [ ... ]>`: the declarations inside are ignored, so custom entities are unknown.
    private mutating func skipDocumentType() throws(PropertyListError) {
        let start = position
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                position += 1
                return
            default: break
            }
            position += 1
        }
        throw error(.unexpectedEnd, at: start)
    }

    private mutating func tag() throws(PropertyListError) -> Token {
        let start = position
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { throw error(.unexpectedEnd) }
        var content = bytes[(position + 1)..<end]
        position = end + 1
        let isClose = content.first == UInt8(ascii: "/")
        let isEmpty = content.last == UInt8(ascii: "/") && content.count > 1
        if isClose {
            content = content.dropFirst()
        } else if isEmpty {
            content = content.dropLast()
        }
        let name = content.prefix { $0 > 0x20 && $0 < 0x80 }
        guard !name.isEmpty else { throw error(.unexpectedCharacter, at: start, found: "<") }
        let text = String(decoding: name, as: UTF8.self)
        return isClose ? .close(text) : isEmpty ? .empty(text) : .open(text)
    }

    private mutating func text() throws(PropertyListError) -> String {
        let start = position
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<") {
                guard starts(with: "<![CDATA[") else { break }
                let from = position + 9
                try skip(past: "]]>")
                content += bytes[from..<(position - 3)]
            } else if byte == UInt8(ascii: "&") {
                try entity(to: &content)
            } else if byte == 0x0D {
                // XML 1.0, 2.11: line ends are read as a line feed.
                position += position + 1 < bytes.count && bytes[position + 1] == 0x0A ? 2 : 1
                content.append(0x0A)
            } else {
                content.append(byte)
                position += 1
            }
        }
        guard let text = String(validating: content, as: UTF8.self) else { throw error(.textInvalid, at: start) }
        return text
    }

    private mutating func entity(to content: inout [UInt8]) throws(PropertyListError) {
        // The longest entity is `&#1114111;`; leading zeros are possible.
        guard let end = bytes[position...].prefix(20).firstIndex(of: UInt8(ascii: ";")) else {
            throw error(.unexpectedCharacter, found: "&")
        }
        let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        switch name {
        case "amp": content.append(UInt8(ascii: "&"))
        case "lt": content.append(UInt8(ascii: "<"))
        case "gt": content.append(UInt8(ascii: ">"))
        case "quot": content.append(UInt8(ascii: "\""))
        case "apos": content.append(UInt8(ascii: "'"))
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
            guard name.hasPrefix("#"), digits.utf8.allSatisfy({ HexadecimalDigit.value(of: $0) != nil }),
                let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), number != 0,
                let scalar = Unicode.Scalar(number)
            else { throw error(.unexpectedCharacter, found: "&\(name);") }
            content += String(Character(scalar)).utf8
        }
        position = end + 1
    }
}
