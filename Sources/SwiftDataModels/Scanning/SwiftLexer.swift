/// Splits Swift source into tokens, one at a time. It never fails: bytes that form no other token are punctuation.
///
/// A copy can be used to return to an earlier position.
struct SwiftLexer {
    let bytes: [UInt8]
    var offset = 0
    var line = 1
    var lineStart = 0

    /// The preceding token, which determines whether a slash begins a regular expression.
    private var previous = SwiftToken.Kind.end
    private var previousFirst: UInt8 = 0
    private var previousIsKeyword = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark, and a line with an interpreter.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        if byte(at: offset) == UInt8(ascii: "#"), byte(at: offset + 1) == UInt8(ascii: "!") { skipLine() }
    }

    /// Returns the byte at an offset; 0 after the end.
    func byte(at offset: Int) -> UInt8 {
        offset < bytes.count ? bytes[offset] : 0
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func next() -> SwiftToken {
        let before = (offset: offset, line: line)
        skipTrivia()
        let isFirst = line != before.line || before.offset == 0
        let space = offset != before.offset
        let start = (offset: offset, line: line, lineStart: lineStart)
        guard offset < bytes.count else {
            return SwiftToken(
                kind: .end, first: 0, range: offset..<offset, line: line, lineStart: lineStart, isFirstOfLine: isFirst,
                followsSpace: space)
        }
        let first = bytes[offset]
        var range = offset..<offset
        let kind = token(first, isAfterSpace: space, &range)
        previous = kind
        previousFirst = first
        previousIsKeyword = kind == .identifier && Self.isBeforeExpression(bytes[range])
        return SwiftToken(
            kind: kind, first: first, range: range, line: start.line, lineStart: start.lineStart,
            isFirstOfLine: isFirst, followsSpace: space)
    }

    /// Skips the token that begins here.
    private mutating func token(_ first: UInt8, isAfterSpace: Bool, _ range: inout Range<Int>) -> SwiftToken.Kind {
        let start = offset
        defer { if range.isEmpty { range = start..<offset } }
        switch first {
        case _ where SwiftCharacters.beginsName(first):
            skipName()
            return .identifier
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            skipNumber()
            return .number
        case UInt8(ascii: "\""):
            skipString(pounds: 0)
            return .string
        case UInt8(ascii: "#"): return pound()
        case UInt8(ascii: "`"):
            var end = offset + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n") { end += 1 }
            guard byte(at: end) == UInt8(ascii: "`"), end > offset + 1 else { return single(.punctuation) }
            range = (offset + 1)..<end
            offset = end + 1
            return .escapedIdentifier
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return single(.open)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return single(.close)
        case UInt8(ascii: "/"):
            if beginsExpression(isAfterSpace: isAfterSpace), let end = regularExpressionEnd() {
                offset = end
                return .regularExpression
            }
            return single(.operator)
        case UInt8(ascii: "-") where byte(at: offset + 1) == UInt8(ascii: ">"):
            offset += 2
            return .arrow
        case _ where SwiftCharacters.isOperator(first): return single(.operator)
        default: return single(.punctuation)
        }
    }

    private mutating func single(_ kind: SwiftToken.Kind) -> SwiftToken.Kind {
        offset += 1
        return kind
    }

    /// Scans `#name`, `#"raw string"#`, `#/regular expression/#`, or a number sign.
    private mutating func pound() -> SwiftToken.Kind {
        var end = offset
        while byte(at: end) == UInt8(ascii: "#") { end += 1 }
        let pounds = end - offset
        switch byte(at: end) {
        case UInt8(ascii: "\""):
            offset = end
            skipString(pounds: pounds)
            return .string
        case UInt8(ascii: "/"):
            offset = end + 1
            skipExtendedExpression(pounds: pounds)
            return .regularExpression
        case let byte where pounds == 1 && SwiftCharacters.beginsName(byte):
            offset = end
            skipName()
            return .macro
        default: return single(.punctuation)
        }
    }

    mutating func skipName() {
        while offset < bytes.count, SwiftCharacters.continuesName(bytes[offset]) { offset += 1 }
    }

    /// Skips digits of any base, underscores, a fraction and an exponent.
    private mutating func skipNumber() {
        let isHexadecimal = byte(at: offset + 1) == UInt8(ascii: "x")
        var hasPoint = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if SwiftCharacters.continuesName(byte) {
                offset += 1
                let folded = byte | 0x20
                let isExponent = folded == UInt8(ascii: isHexadecimal ? "p" : "e")
                let sign = self.byte(at: offset)
                if isExponent, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { offset += 1 }
            } else if byte == UInt8(ascii: "."), !hasPoint, SwiftCharacters.isDigit(self.byte(at: offset + 1)) {
                hasPoint = true
                offset += 1
            } else {
                return
            }
        }
    }

    /// Skips spaces, line ends and comments.
    private mutating func skipTrivia() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"): endLine()
            case 0...0x20, 0x7F: offset += 1
            case UInt8(ascii: "/") where byte(at: offset + 1) == UInt8(ascii: "/"): skipLine()
            case UInt8(ascii: "/") where byte(at: offset + 1) == UInt8(ascii: "*"): skipComment()
            default: return
            }
        }
    }

    mutating func endLine() {
        offset += 1
        line += 1
        lineStart = offset
    }

    /// Skips to the end of the line, but not the line end.
    mutating func skipLine() {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Skips a comment, which may contain comments.
    mutating func skipComment() {
        var depth = 0
        while offset < bytes.count {
            let (byte, next) = (bytes[offset], self.byte(at: offset + 1))
            if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                depth += 1
                offset += 2
            } else if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                depth -= 1
                offset += 2
                if depth == 0 { return }
            } else if byte == UInt8(ascii: "\n") {
                endLine()
            } else {
                offset += 1
            }
        }
    }

    /// Returns whether an expression can begin at the current token, given the preceding one.
    private func beginsExpression(isAfterSpace: Bool) -> Bool {
        switch previous {
        case .end, .open, .punctuation, .arrow: true
        case .operator:
            // `x? / 2` divides; `= /x/` does not.
            switch previousFirst {
            case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: ">"): isAfterSpace && byte(at: offset + 1) > 0x20
            default: true
            }
        case .identifier: previousIsKeyword
        case .escapedIdentifier, .number, .string, .regularExpression, .close, .macro: false
        }
    }

    /// Returns whether an expression follows a keyword.
    private static func isBeforeExpression(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 6 else { return false }
        switch String(decoding: name, as: UTF8.self) {
        case "return", "case", "in", "where", "try", "await", "if", "guard", "while", "else", "is", "as", "throw",
            "yield", "switch":
            return true
        default: return false
        }
    }
}
