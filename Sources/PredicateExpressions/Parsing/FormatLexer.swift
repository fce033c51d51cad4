/// Splits a text of the predicate format language into tokens.
struct FormatLexer {
    /// Longer signs first, since the first match is used.
    private static let signs = [
        ":=", "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "<<", ">>", "**", "=", "<", ">", "!", "&", "|", "^",
        "~", "+", "-", "*", "/", "(", ")", "{", "}", "[", "]", ",", ".", ":",
    ].map { Array($0.utf8) }

    let text: [UInt8]
    private var position = 0
    /// The arguments of the next placeholders.
    private var arguments: ArraySlice<ConstantValue>

    init(_ text: String, arguments: [ConstantValue] = []) {
        self.text = Array(text.utf8)
        self.arguments = arguments[...]
    }

    /// Returns all tokens, with placeholders replaced by their arguments; the last token is the end.
    static func tokens(of text: String, arguments: [ConstantValue] = []) throws(FormatError) -> [FormatToken] {
        var lexer = FormatLexer(text, arguments: arguments)
        var tokens: [FormatToken] = []
        repeat {
            tokens.append(try lexer.next())
        } while tokens.last?.kind != .end
        guard lexer.arguments.isEmpty else { throw lexer.error(.argumentUnused, from: lexer.position) }
        return tokens
    }

    private var current: UInt8? {
        position < text.count ? text[position] : nil
    }

    private func error(_ code: FormatError.Code, from start: Int, found: String? = nil) -> FormatError {
        FormatError(code, at: start..<max(start, position), in: text, found: found)
    }

    private mutating func next() throws(FormatError) -> FormatToken {
        while let byte = current, byte <= 0x20 {
            position += 1
        }
        let start = position
        guard let byte = current else { return FormatToken(kind: .end, range: start..<start) }
        let kind = try kind(startingWith: byte)
        return FormatToken(kind: kind, range: start..<position)
    }

    private mutating func kind(startingWith byte: UInt8) throws(FormatError) -> FormatToken.Kind {
        let start = position
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .string(try string(quote: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        case UInt8(ascii: "$"):
            position += 1
            // Foundation also prints a # here if a variable has the name of a keyword.
            if current == UInt8(ascii: "#") { position += 1 }
            return .variable(try name(from: start))
        case UInt8(ascii: "#"):
            position += 1
            if current == UInt8(ascii: "\"") {
                return .escapedWord(try string(quote: UInt8(ascii: "\"")))
            }
            return .escapedWord(try name(from: start))
        case UInt8(ascii: "@"):
            position += 1
            return .word("@" + (try name(from: start)))
        case UInt8(ascii: "%"):
            return try placeholder()
        case _ where Self.isNameStart(byte):
            return .word(try name(from: start))
        default:
            guard let sign = Self.signs.first(where: { text[position...].starts(with: $0) }) else {
                position += 1
                throw error(.unexpectedCharacter, from: start, found: String(decoding: [byte], as: UTF8.self))
            }
            position += sign.count
            return .sign(String(decoding: sign, as: UTF8.self))
        }
    }

    /// Reads `%@`, `%K`, or a number format of C, whose size (`%ld`, `%lld`) is ignored.
    private mutating func placeholder() throws(FormatError) -> FormatToken.Kind {
        let start = position
        position += 1
        while let byte = current, [UInt8(ascii: "l"), UInt8(ascii: "h"), UInt8(ascii: "q")].contains(byte) {
            position += 1
        }
        let conversion = current
        position = min(position + 1, text.count)
        guard let conversion, Array("@Kdiufge".utf8).contains(conversion), let argument = arguments.popFirst() else {
            position = min(start + 2, text.count)
            throw error(.placeholder, from: start)
        }
        switch (conversion, argument) {
        case (UInt8(ascii: "@"), _): return .argument(argument)
        case (UInt8(ascii: "K"), .string(let path)) where !path.isEmpty: return .escapedWord(path)
        case (UInt8(ascii: "d"), .integer), (UInt8(ascii: "i"), .integer), (UInt8(ascii: "u"), .integer),
            (UInt8(ascii: "f"), .real), (UInt8(ascii: "g"), .real), (UInt8(ascii: "e"), .real):
            return .argument(argument)
        case (UInt8(ascii: "d"), .boolean(let flag)), (UInt8(ascii: "i"), .boolean(let flag)):
            return .argument(.integer(flag ? 1 : 0))
        case (UInt8(ascii: "f"), .integer(let number)), (UInt8(ascii: "g"), .integer(let number)),
            (UInt8(ascii: "e"), .integer(let number)):
            return .argument(.real(Double(number)))
        default: throw error(.argumentUnfit, from: start)
        }
    }

    /// Returns whether a name can begin with a byte: letters, `_` and everything outside ASCII, since property names
    /// may be in any script.
    static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func name(from start: Int) throws(FormatError) -> String {
        let first = position
        guard let byte = current, Self.isNameStart(byte) else {
            throw error(
                .unexpectedCharacter, from: start, found: String(decoding: text[start..<position], as: UTF8.self))
        }
        while let byte = current, Self.isNamePart(byte) {
            position += 1
        }
        guard let name = String(validating: text[first..<position], as: UTF8.self) else {
            throw error(.unexpectedCharacter, from: start)
        }
        return name
    }

    private mutating func string(quote: UInt8) throws(FormatError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == quote {
                guard let string = String(validating: content, as: UTF8.self) else {
                    throw error(.unexpectedCharacter, from: start)
                }
                return string
            }
            if byte == UInt8(ascii: "\\") {
                try escape(to: &content)
            } else {
                content.append(byte)
            }
        }
        throw error(.textNotClosed, from: start)
    }

    private mutating func escape(to content: inout [UInt8]) throws(FormatError) {
        let start = position - 1
        guard let byte = current else { throw error(.textNotClosed, from: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "x"): content += try codePoint(digits: 2, from: start).utf8
        case UInt8(ascii: "u"): content += try codePoint(digits: 4, from: start).utf8
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "?"):
            content.append(byte)
        default:
            // The backslash of a regular expression that was not doubled: kept literally.
            content += [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func codePoint(digits: Int, from start: Int) throws(FormatError) -> String {
        let end = position + digits
        guard end <= text.count, let value = UInt32(String(decoding: text[position..<end], as: UTF8.self), radix: 16),
            text[position] != UInt8(ascii: "+"), let scalar = Unicode.Scalar(value)
        else { throw error(.escapeInvalid, from: start) }
        position = end
        return String(Character(scalar))
    }

    private mutating func number() throws(FormatError) -> FormatToken.Kind {
        let start = position
        if current == UInt8(ascii: "0"), position + 1 < text.count {
            let radix: Int? =
                switch text[position + 1] {
                case UInt8(ascii: "x"), UInt8(ascii: "X"): 16
                case UInt8(ascii: "o"): 8
                case UInt8(ascii: "b"): 2
                default: nil
                }
            if let radix {
                position += 2
                let digits = takeName()
                guard let value = UInt64(digits, radix: radix) else { throw error(.numberInvalid, from: start) }
                return .integer(String(value))
            }
        }
        takeDigits()
        var isReal = false
        if current == UInt8(ascii: "."), position + 1 < text.count, Self.isDigit(text[position + 1]) {
            isReal = true
            position += 1
            takeDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isReal = true
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") {
                position += 1
            }
            takeDigits()
        }
        let digits = String(decoding: text[start..<position], as: UTF8.self)
        let isEnded = current.map { !Self.isNamePart($0) } ?? true
        guard isEnded, let real = Double(digits), real.isFinite else { throw error(.numberInvalid, from: start) }
        return isReal ? .real(real) : .integer(digits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func takeDigits() {
        while let byte = current, Self.isDigit(byte) {
            position += 1
        }
    }

    private mutating func takeName() -> String {
        let start = position
        while let byte = current, Self.isNamePart(byte) {
            position += 1
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }
}
