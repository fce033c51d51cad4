import ManagedObjectModels

/// The expression of an initial value: its type, and its value if it is a literal.
struct SwiftInitialValue {
    private let text: String

    init(_ text: String) {
        self.text = text.trimmingBlanks
    }

    /// The type that Swift infers for a property without annotation; nil if the expression alone does not determine it.
    var type: SwiftType? {
        var lexer = SwiftLexer(Array(text.utf8))
        var token = lexer.next()
        var isNegative = false
        if token.isPunctuation("-") {
            isNegative = true
            token = lexer.next()
        }
        switch token.kind {
        case .number:
            guard isEnd(&lexer) else { return nil }
            let digits = lexer.text(token.range)
            let isReal =
                digits.contains(".") || !digits.hasPrefix("0x") && digits.contains { $0 == "e" || $0 == "E" }
            return .named([isReal ? "Double" : "Int"])
        case .string where !isNegative: return isEnd(&lexer) ? .named(["String"]) : nil
        case .identifier where !isNegative:
            let name = lexer.text(token.range)
            if name == "true" || name == "false" { return isEnd(&lexer) ? .named(["Bool"]) : nil }
            return calledType(name, lexer)
        case .open where token.first == UInt8(ascii: "["): return constructedCollection
        default: return nil
        }
    }

    private func isEnd(_ lexer: inout SwiftLexer) -> Bool {
        lexer.next().kind == .end
    }

    /// Returns the type for `Type(...)`, `Type.Inner(...)` and `Type<Element>(...)`, with nothing after it; also for
    /// `Type.member` of a type with an uppercase name, which may be something else, so the caller decides.
    private func calledType(_ first: String, _ start: SwiftLexer) -> SwiftType? {
        var lexer = start
        var depth = 0
        var end = lexer.offset
        var opening = lexer
        var sawCall = false
        while true {
            opening = lexer
            let token = lexer.next()
            if token.kind == .end { break }
            if depth == 0, token.kind == .open {
                guard token.first == UInt8(ascii: "("), !sawCall else { return nil }
                sawCall = true
                end = token.range.lowerBound
            }
            if depth == 0, sawCall, token.kind != .open { return nil }
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
        }
        _ = opening
        guard sawCall, depth == 0 else { return nil }
        let callee = String(decoding: Array(text.utf8)[..<end], as: UTF8.self)
        let type = SwiftTypeParser.type(callee.hasSuffix(".init") ? String(callee.dropLast(5)) : callee)
        // Functions begin with a lowercase letter, types with an uppercase one; the name is looked up later.
        if case .named(let names) = type, names.last?.first?.isUppercase != true { return nil }
        if case .other = type { return nil }
        return type
    }

    /// The type for `[Type]()` and `[Key: Value]()`.
    private var constructedCollection: SwiftType? {
        guard text.hasSuffix("()") else { return nil }
        switch SwiftTypeParser.type(String(text.dropLast(2))) {
        case .array(let element): return .array(element)
        case .dictionary(let key, let value): return .dictionary(key, value)
        default: return nil
        }
    }

    /// The type and the name of a member expression: `Color` and `red` for `Color.red`; nil for anything else.
    var member: (type: [String], name: String)? {
        var lexer = SwiftLexer(Array(text.utf8))
        var names: [String] = []
        var token = lexer.next()
        let isImplicit = token.isPunctuation(".")
        if isImplicit { token = lexer.next() }
        while token.kind == .identifier || token.kind == .escapedIdentifier {
            names.append(lexer.text(token.range))
            token = lexer.next()
            guard token.isPunctuation(".") else { break }
            token = lexer.next()
        }
        guard token.kind == .end, let name = names.popLast(), isImplicit == names.isEmpty else { return nil }
        return (names, name)
    }

    /// Returns the literal as a value of an attribute's type; nil if it is not a literal of it.
    func literal(of type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            guard let number = SwiftLiteral.integer(text), type.integerRange?.contains(number) == true else {
                return nil
            }
            return .integer(number)
        case .double, .float: return SwiftLiteral.real(text).map { .real($0) }
        case .decimal: return SwiftLiteral.decimal(text).map { .decimal($0) }
        case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .string: return SwiftLiteral.string(text).map { .string($0) }
        case .binaryData: return text == "Data()" || text == "Data.init()" || text == ".init()" ? .binary([]) : nil
        default: return nil
        }
    }
}

extension String {
    /// The text without leading and trailing spaces and line ends.
    var trimmingBlanks: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
