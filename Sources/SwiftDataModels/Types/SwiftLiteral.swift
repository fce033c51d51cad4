/// The values of literals.
enum SwiftLiteral {
    /// Returns an integer in any base; nil for anything else, or beyond 64 bits.
    static func integer(_ text: String) -> Int64? {
        var digits = text.replacing("_", with: "")
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits.removeFirst() }
        guard digits.utf8.first.map(SwiftCharacters.isDigit) == true else { return nil }
        let bases = ["0x": 16, "0o": 8, "0b": 2]
        let radix = bases[String(digits.prefix(2))] ?? 10
        if radix != 10 { digits.removeFirst(2) }
        return Int64((isNegative ? "-" : "") + digits, radix: radix)
    }

    static func real(_ text: String) -> Double? {
        let digits = text.replacing("_", with: "")
        let unsigned = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
        guard unsigned.utf8.first.map(SwiftCharacters.isDigit) == true else { return nil }
        return Double(digits)
    }

    /// Returns the digits of a decimal literal.
    static func decimal(_ text: String) -> String? {
        let digits = text.replacing("_", with: "")
        let unsigned = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
        guard !unsigned.isEmpty, unsigned.utf8.first.map(SwiftCharacters.isDigit) == true,
            unsigned.utf8.allSatisfy({ SwiftCharacters.isDigit($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return digits
    }

    /// Returns the text of a single-line string literal without interpolations.
    static func string(_ text: String) -> String? {
        var pounds = 0
        var rest = text[...]
        while rest.first == "#" {
            pounds += 1
            rest.removeFirst()
        }
        guard rest.hasPrefix("\""), !rest.hasPrefix("\"\"\""), rest.utf8.count >= 2 + pounds,
            rest.hasSuffix("\"" + String(repeating: "#", count: pounds))
        else { return nil }
        var result = String.UnicodeScalarView()
        var scalars = rest.dropFirst().dropLast(1 + pounds).unicodeScalars[...]
        let escape = "\\" + String(repeating: "#", count: pounds)
        while let scalar = scalars.popFirst() {
            if scalar == "\n" || scalar == "\"" && pounds == 0 { return nil }
            guard scalar == "\\", scalars.starts(with: escape.dropFirst().unicodeScalars) else {
                result.append(scalar)
                continue
            }
            scalars.removeFirst(pounds)
            guard let escaped = escaped(&scalars) else { return nil }
            result.append(escaped)
        }
        return String(result)
    }

    private static func escaped(_ scalars: inout Substring.UnicodeScalarView.SubSequence) -> Unicode.Scalar? {
        switch scalars.popFirst() {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "0": return "\0"
        case "\\": return "\\"
        case "\"": return "\""
        case "'": return "'"
        case "u":
            guard scalars.popFirst() == "{", let end = scalars.firstIndex(of: "}"),
                let value = UInt32(String(scalars[..<end]), radix: 16)
            else { return nil }
            scalars = scalars[scalars.index(after: end)...]
            return Unicode.Scalar(value)
        default: return nil
        }
    }
}
