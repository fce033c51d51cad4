/// A tokenizer for the words, quoted names and marks of an SQL statement.
struct SQLWords {
    enum Word: Hashable, Sendable {
        /// A bare word, in upper case.
        case word(String)
        /// A quoted name, without its quotes.
        case name(String)
        case mark(Character)
    }

    private var rest: Substring

    /// The last word or name as written.
    private(set) var lastText = ""

    init(_ sql: String) {
        rest = sql[...]
    }

    /// Returns the next token; nil at the end, and if a quote is not closed.
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

    /// Reads a quoted name, in which two closing quotes stand for one.
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
