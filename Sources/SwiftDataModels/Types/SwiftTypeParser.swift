/// Parses a type from its text.
struct SwiftTypeParser {
    private var lexer: SwiftLexer
    private var token: SwiftToken
    private let text: String

    /// The maximum depth of types; deeper ones are not parsed.
    private static let maximumDepth = 32

    private init(_ text: String) {
        self.text = text
        lexer = SwiftLexer(Array(text.utf8))
        token = lexer.next()
    }

    static func type(_ text: String) -> SwiftType {
        var parser = SwiftTypeParser(text)
        guard let type = parser.type(0), parser.token.kind == .end else { return parser.other }
        return type
    }

    private var other: SwiftType {
        .other(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard token.isPunctuation(character) else { return false }
        token = lexer.next()
        return true
    }

    private mutating func type(_ depth: Int) -> SwiftType? {
        guard depth < Self.maximumDepth, var result = primary(depth) else { return nil }
        while take("?") || take("!") { result = .optional(result) }
        return result
    }

    private mutating func primary(_ depth: Int) -> SwiftType? {
        if take("[") {
            guard let element = type(depth + 1) else { return nil }
            if take(":") {
                guard let value = type(depth + 1), take("]") else { return nil }
                return .dictionary(element, value)
            }
            return take("]") ? .array(element) : nil
        }
        if take("(") {
            // Parentheses around a single type have no meaning.
            guard let inner = type(depth + 1), take(")") else { return nil }
            return inner
        }
        return name(depth)
    }

    private mutating func name(_ depth: Int) -> SwiftType? {
        var names: [String] = []
        var arguments: [SwiftType] = []
        repeat {
            guard token.kind == .identifier || token.kind == .escapedIdentifier else { return nil }
            let name = lexer.text(token.range)
            // `any P` and `some P` are not names of types.
            if token.kind == .identifier, ["any", "some", "inout", "borrowing"].contains(name), names.isEmpty {
                return nil
            }
            names.append(name)
            token = lexer.next()
            guard arguments.isEmpty else { return nil }
            if take("<") {
                repeat {
                    guard let argument = type(depth + 1) else { return nil }
                    arguments.append(argument)
                } while take(",")
                guard take(">") else { return nil }
            }
        } while take(".")
        if names.count > 1, ["Swift", "Foundation", "CoreGraphics"].contains(names[0]) { names.removeFirst() }
        guard !arguments.isEmpty else { return .named(names) }
        switch (names, arguments.count) {
        case (["Optional"], 1): return .optional(arguments[0])
        case (["Array"], 1): return .array(arguments[0])
        case (["Set"], 1): return .set(arguments[0])
        case (["Dictionary"], 2): return .dictionary(arguments[0], arguments[1])
        default: return nil
        }
    }
}
