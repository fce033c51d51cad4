/// Finds the positions of tags in an XML document, skipping declarations, comments and CDATA sections.
///
/// It does not validate: a parser has done that before, or does it afterwards.
struct XMLTagScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the range of the next tag, from `<` to `>`; nil if there is no complete one.
    mutating func next() -> Range<Int>? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            if skip("<!--", to: "-->") || skip("<![CDATA[", to: "]]>") || skip("<?", to: "?>") { continue }
            let isDeclaration = bytes[start...].starts(with: "<!".utf8)
            guard let end = end(of: start, isDeclaration) else { return nil }
            position = end
            if !isDeclaration { return start..<end }
        }
        return nil
    }

    /// Skips a construct that begins here with a certain text; to the end if it is not closed.
    private mutating func skip(_ opening: String, to closing: String) -> Bool {
        guard bytes[position...].starts(with: opening.utf8) else { return false }
        let wanted = Array(closing.utf8)
        var index = position + opening.utf8.count
        while index + wanted.count <= bytes.count {
            if bytes[index..<index + wanted.count].elementsEqual(wanted) {
                position = index + wanted.count
                return true
            }
            index += 1
        }
        position = bytes.count
        return true
    }

    /// Returns the index after the `>` that ends a tag; one in quotes is text, and a declaration may contain others in
    /// brackets.
    private func end(of start: Int, _ isDeclaration: Bool) -> Int? {
        var quote: UInt8?
        var depth = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "[") where isDeclaration: depth += 1
            case UInt8(ascii: "]") where isDeclaration: depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return index + 1
            default: break
            }
        }
        return nil
    }
}
