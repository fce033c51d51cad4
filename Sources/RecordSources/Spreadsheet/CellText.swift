import DocumentReading

/// The text of a cell, with or without runs of different fonts.
enum CellText {
    /// Reads the text of the current element up to its end; phonetic guides are ignored.
    static func read(_ document: inout WorkbookPart) throws(SourceError) -> [UInt8] {
        let depth = document.events.depth - 1
        var text: [UInt8] = []
        var isInText = false
        var phoneticDepth: Int?
        while let event = try document.next() {
            switch event {
            case .startElement:
                if document.name == "rPh" { phoneticDepth = phoneticDepth ?? document.events.depth }
                isInText = document.name == "t" && phoneticDepth == nil
            case .endElement:
                isInText = false
                if let outer = phoneticDepth, document.events.depth < outer { phoneticDepth = nil }
                if document.events.depth <= depth { return unescaped(text) }
            case .text:
                guard isInText else { continue }
                document.events.withText { bytes in
                    for index in bytes.indices { text.append(bytes[index]) }
                }
            }
        }
        return unescaped(text)
    }

    /// Replaces escapes such as `_x000D_`, which stand for characters that XML does not allow (ECMA-376, part 1,
    /// 22.9.2.19).
    static func unescaped(_ text: [UInt8]) -> [UInt8] {
        guard let first = text.firstIndex(of: UInt8(ascii: "_")) else { return text }
        var result = Array(text[..<first])
        var place = first
        while place < text.count {
            if let unit = escape(text, at: place), let scalar = Unicode.Scalar(unit) {
                result += Array(String(Character(scalar)).utf8)
                place += 7
            } else {
                result.append(text[place])
                place += 1
            }
        }
        return result
    }

    private static func escape(_ text: [UInt8], at place: Int) -> UInt16? {
        guard place + 7 <= text.count, text[place] == UInt8(ascii: "_"), text[place + 1] == UInt8(ascii: "x"),
            text[place + 6] == UInt8(ascii: "_")
        else { return nil }
        let digits = text[place + 2..<place + 6]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
