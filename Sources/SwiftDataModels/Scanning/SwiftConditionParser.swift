/// Evaluates the condition after `#if`, as far as a build for an Apple system determines it.
struct SwiftConditionParser {
    private var tokens: [SwiftToken]
    private let lexer: SwiftLexer
    private let defined: [String: Bool]
    private var index = 0
    private let text: String

    /// The maximum depth of conditions; deeper ones are not evaluated.
    private static let maximumDepth = 32

    /// - Parameter defined: whether names are defined.
    init(_ tokens: [SwiftToken], of lexer: SwiftLexer, defined: [String: Bool]) {
        self.tokens = tokens
        self.lexer = lexer
        self.defined = defined
        text = tokens.first.map { lexer.text($0.range.lowerBound..<(tokens.last?.range.upperBound ?? 0)) } ?? ""
    }

    mutating func condition() -> SwiftCondition {
        let result = disjunction(0)
        return index == tokens.count ? result : .unknown(text)
    }

    private mutating func disjunction(_ depth: Int) -> SwiftCondition {
        var result = conjunction(depth)
        while take("|") {
            _ = take("|")
            let other = conjunction(depth)
            result = result.negated.and(other.negated).negated
        }
        if case .unknown = result { return .unknown(text) }
        return result
    }

    private mutating func conjunction(_ depth: Int) -> SwiftCondition {
        var result = term(depth)
        while take("&") {
            _ = take("&")
            result = result.and(term(depth))
        }
        return result
    }

    private mutating func term(_ depth: Int) -> SwiftCondition {
        guard depth < Self.maximumDepth else { return .unknown(text) }
        if take("!") { return term(depth + 1).negated }
        if take("(") {
            let result = disjunction(depth + 1)
            return take(")") ? result : .unknown(text)
        }
        guard index < tokens.count, tokens[index].kind == .identifier else { return .unknown(text) }
        let name = lexer.text(tokens[index].range)
        index += 1
        guard take("(") else { return named(name) }
        let start = index
        while index < tokens.count, !tokens[index].isPunctuation(")") { index += 1 }
        let arguments = tokens[start..<index].map { lexer.text($0.range) }.joined()
        guard take(")") else { return .unknown(text) }
        return call(name, arguments)
    }

    private func named(_ name: String) -> SwiftCondition {
        switch name {
        case "true": .yes
        case "false": .no
        default: defined[name].map { $0 ? .yes : .no } ?? .unknown(text)
        }
    }

    private func call(_ name: String, _ arguments: String) -> SwiftCondition {
        if let known = defined["\(name)(\(arguments))"] { return known ? .yes : .no }
        switch name {
        case "canImport":
            return Self.importable.contains(arguments) ? .yes : .unknown(text)
        case "os":
            return Self.otherSystems.contains(arguments) ? .no : .unknown(text)
        case "swift", "compiler":
            return arguments.hasPrefix(">=") ? .yes : .unknown(text)
        default: return .unknown(text)
        }
    }

    /// Modules of every system that has SwiftData.
    private static let importable: Set<String> = [
        "SwiftData", "Foundation", "CoreData", "SwiftUI", "Observation", "Combine", "CloudKit", "CoreGraphics",
        "Darwin",
    ]

    private static let otherSystems: Set<String> = ["Linux", "Windows", "Android", "WASI", "FreeBSD"]

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < tokens.count, tokens[index].isPunctuation(character) else { return false }
        index += 1
        return true
    }
}
