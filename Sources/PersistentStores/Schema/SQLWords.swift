/// The words, quoted names and marks of an SQL statement, one after the other.
struct SQLWords {
    enum Word: Hashable, Sendable {
        /// A bare word, in upper case.
        case word(String)
        /// A name in quotes, without them.
        case name(String)
        case mark(Character)
    }

    private var rest: Substring

    /// The last word or name as it is written.
    private(set) var lastText = ""

    init(_ sql: String) {
        rest = sql[...]
    }

    /// The next one; nil at the end, and where quotes do not end.
    mutating func next() -> Word? {
        rest = rest.drop(while: \.isWhitespace)
        guard let first = rest.first else { return nil }
        if let end = Self.quotes[first] { return quoted(until: end) }
        if Self.isPart(first) {
            lastText = String(rest.prefix(while: Self.isPart))
            rest = rest.dropFirst(lastText.count)
            return .word(lastText.uppercased())
        }
        rest.removeFirst()
        return .mark(first)
    }

    private static let quotes: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$" || !character.isASCII
    }

    /// Two closing quotes stand for one in the name.
    private mutating func quoted(until end: Character) -> Word? {
        rest.removeFirst()
        lastText = ""
        while let character = rest.popFirst() {
            guard character == end else {
                lastText.append(character)
                continue
            }
            guard rest.first == end, end != "]" else { return .name(lastText) }
            lastText.append(character)
            rest.removeFirst()
        }
        return nil
    }
}
