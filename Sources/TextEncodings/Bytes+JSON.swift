extension [UInt8] {
    /// Appends a text as a JSON string, with quotation marks. The caller ensures that it is UTF-8.
    public mutating func append(json text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        // Characters that need no escaping are copied in one piece.
        var start = 0
        var index = 0
        while index < text.count {
            if index + 8 <= text.count, !Self.mayNeedEscape(ByteWord.word(of: text, at: index)) {
                index += 8
                continue
            }
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            append(copying: text.extracting(start..<index))
            index += 1
            start = index
            switch byte {
            case UInt8(ascii: "\""): append(text: "\\\"")
            case UInt8(ascii: "\\"): append(text: "\\\\")
            case UInt8(ascii: "\n"): append(text: "\\n")
            case UInt8(ascii: "\r"): append(text: "\\r")
            case UInt8(ascii: "\t"): append(text: "\\t")
            default:
                append(text: "\\u00")
                append(hexadecimal: byte)
            }
        }
        append(copying: text.extracting(start..<text.count))
        append(UInt8(ascii: "\""))
    }

    private static func mayNeedEscape(_ word: UInt64) -> Bool {
        ByteWord.zeros(in: word ^ ByteWord.each &* 0x22) | ByteWord.zeros(in: word ^ ByteWord.each &* 0x5C)
            | ByteWord.bytes(of: word, below: 0x20) != 0
    }
}
