import PredicateExpressions

/// The notation of the list of expressions that comes with the corpus.
enum ListedNotation {
    static func text(of expression: FormatExpression) -> String {
        switch expression {
        case .variable(let name): "$" + name
        case .keyPath(let operand, let path): "KEYPATH(\(text(of: operand))).valueForKeyPath:(kp:\(path))"
        case .function(let selector, let arguments): "FUNC(const:nil).\(selector)" + list(arguments)
        case .invocation(let target, let selector, let arguments):
            "FUNC(\(text(of: target))).\(selector)" + list(arguments)
        case .constant(.boolean(let value)): "const:" + (value ? "True" : "False")
        case .constant(.integer(let value)): "const:\(value)"
        case .constant(.string(let value)): "const:'\(value)'"
        default: "?"
        }
    }

    private static func list(_ arguments: [FormatExpression]) -> String {
        "(" + arguments.map { text(of: $0) }.joined(separator: ", ") + ")"
    }

    /// Filters come from XML stores, which write some characters as the two bytes of their UTF-16, the lower one first.
    static func unescaped(_ text: String) -> String {
        text.replacing("\\u3c00", with: "<").replacing("\\u3e00", with: ">")
    }
}
