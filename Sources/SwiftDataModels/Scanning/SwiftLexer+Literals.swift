/// Strings and regular expressions, whose contents may include any delimiters of declarations.
extension SwiftLexer {
    /// The current content inside a string: the string itself, or code in it.
    private enum Part {
        case string(pounds: Int, isMultiline: Bool)
        case interpolation(depth: Int)
    }

    /// Skips the string that begins here, with the code in it, regardless of its depth.
    mutating func skipString(pounds: Int) {
        var parts = [beginString(pounds: pounds)]
        while let part = parts.popLast() {
            switch part {
            case .string(let pounds, let isMultiline):
                guard skipText(pounds: pounds, isMultiline: isMultiline) else { continue }
                parts.append(part)
                parts.append(.interpolation(depth: 1))
            case .interpolation(var depth):
                guard let string = skipCode(&depth) else { continue }
                parts.append(.interpolation(depth: depth))
                parts.append(string)
            }
        }
    }

    /// Skips the opening quotation marks.
    private mutating func beginString(pounds: Int) -> Part {
        let isMultiline = hasQuotes(at: offset, count: 3)
        offset += isMultiline ? 3 : 1
        return .string(pounds: pounds, isMultiline: isMultiline)
    }

    /// Skips to after the end of the string; or to after the `\(` of an interpolation, and returns true.
    private mutating func skipText(pounds: Int, isMultiline: Bool) -> Bool {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                // An unterminated string ends with its line.
                guard isMultiline else { return false }
                endLine()
            case UInt8(ascii: "\\"):
                guard hasPounds(pounds, at: offset + 1) else {
                    offset += 1
                    continue
                }
                offset += 1 + pounds
                if byte(at: offset) == UInt8(ascii: "(") {
                    offset += 1
                    return true
                }
                if byte(at: offset) != UInt8(ascii: "\n"), offset < bytes.count { offset += 1 }
            case UInt8(ascii: "\""):
                let count = isMultiline ? 3 : 1
                guard hasQuotes(at: offset, count: count), hasPounds(pounds, at: offset + count) else {
                    offset += 1
                    continue
                }
                offset += count + pounds
                return false
            default: offset += 1
            }
        }
        return false
    }

    /// Skips code in a string: to after its closing parenthesis, or into a string in it, which is returned.
    private mutating func skipCode(_ depth: inout Int) -> Part? {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "("):
                depth += 1
                offset += 1
            case UInt8(ascii: ")"):
                depth -= 1
                offset += 1
                if depth == 0 { return nil }
            case UInt8(ascii: "\""): return beginString(pounds: 0)
            case UInt8(ascii: "#"):
                let start = offset
                while byte(at: offset) == UInt8(ascii: "#") { offset += 1 }
                if byte(at: offset) == UInt8(ascii: "\"") { return beginString(pounds: offset - start) }
            case UInt8(ascii: "/") where byte(at: offset + 1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "\n"): endLine()
            default: offset += 1
            }
        }
        return nil
    }

    /// Returns the offset after the regular expression that begins here; nil if it does not end on this line.
    func regularExpressionEnd() -> Int? {
        var end = offset + 1
        // Swift treats a slash before a space as an operator.
        guard byte(at: end) > 0x20, byte(at: end) != UInt8(ascii: ")") else { return nil }
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            switch bytes[end] {
            case UInt8(ascii: "\\"): end += 2
            case UInt8(ascii: "/"): return end + 1
            default: end += 1
            }
        }
        return nil
    }

    /// Skips the regular expression between number signs, on one or several lines.
    mutating func skipExtendedExpression(pounds: Int) {
        let isMultiline = byte(at: offset) == UInt8(ascii: "\n")
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "/") where hasPounds(pounds, at: offset + 1):
                offset += 1 + pounds
                return
            case UInt8(ascii: "\n"):
                guard isMultiline else { return }
                endLine()
            case UInt8(ascii: "\\") where byte(at: offset + 1) != UInt8(ascii: "\n"):
                offset = min(offset + 2, bytes.count)
            default: offset += 1
            }
        }
    }

    private func hasQuotes(at offset: Int, count: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: offset + $0) == UInt8(ascii: "\"") }
    }

    private func hasPounds(_ count: Int, at offset: Int) -> Bool {
        count == 0 || (0..<count).allSatisfy { byte(at: offset + $0) == UInt8(ascii: "#") }
    }
}
