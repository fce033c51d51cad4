import KeyedArchives
import TextEncodings

extension AttributeValue {
    /// Makes the value that a source model's text represents, or `.unparsed` if it is not a value of the type.
    init(_ text: String, of type: AttributeType) {
        self = Self.parsed(text, of: type) ?? .unparsed(text)
    }

    /// Makes the value that Xcode compiles from a text of an attribute's earlier type; nil if that is not known.
    ///
    /// The model caches of real stores contain 0 for integers with the default YES as well as NO.
    init?(compiling text: String, of type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64:
            guard text == "YES" || text == "NO" else { return nil }
            self = .integer(0)
        case .boolean:
            guard let number = Self.real(in: text), number == 0 || number == 1 else { return nil }
            self = .boolean(number == 1)
        default: return nil
        }
    }

    private static func parsed(_ text: String, of type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            guard let number = integer(in: text), type.integerRange?.contains(number) == true else { return nil }
            return .integer(number)
        case .decimal: return isDecimal(text) ? .decimal(text) : nil
        case .double, .float: return real(in: text).map { .real($0) }
        case .string: return .string(text)
        case .boolean:
            switch text {
            case "YES", "yes", "Yes", "true", "TRUE", "True", "1": return .boolean(true)
            case "NO", "no", "No", "false", "FALSE", "False", "0": return .boolean(false)
            default: return nil
            }
        case .date: return real(in: text).map { .date($0) }
        case .uuid: return uuid(in: text).map { .uuid($0) }
        case .uri: return .uri(text)
        // When the type of an attribute changes, Xcode leaves an empty text of a string's default.
        case .binaryData: return text.isEmpty ? nil : Base64.decode(text).map { .binary($0) }
        case .undefined, .transformable, .objectID, .composite: return nil
        }
    }

    /// Returns a finite number in decimal notation; Swift's own parser would also accept hexadecimal numbers and names.
    static func real(in text: String) -> Double? {
        guard isDecimal(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns an integer; Xcode also leaves `0.0` if the attribute once was a Double.
    private static func integer(in text: String) -> Int64? {
        if let number = Int64(text) { return number }
        guard let point = text.firstIndex(of: "."), text[text.index(after: point)...].utf8.allSatisfy({ $0 == 0x30 })
        else { return nil }
        return Int64(text[..<point])
    }

    /// Returns whether a text is a number: a sign, digits with at most one decimal point, and an exponent.
    private static func isDecimal(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        func skipSign() {
            if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest.removeFirst() }
        }
        func skipDigits() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }.count
            rest.removeFirst(digits)
            return digits
        }
        skipSign()
        var digits = skipDigits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            digits += skipDigits()
        }
        guard digits > 0 else { return false }
        if let first = rest.first, first == UInt8(ascii: "e") || first == UInt8(ascii: "E") {
            rest.removeFirst()
            skipSign()
            guard skipDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Returns the 16 bytes of `8-4-4-4-12` hexadecimal digits.
    private static func uuid(in text: String) -> [UInt8]? {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        return Hexadecimal.decode(groups.joined())
    }
}
