import PredicateExpressions

/// The text of a derivation as it enters the version hash: that of the expression object, not that of Xcode.
struct DerivationText {
    let text: String

    /// Whether a real store confirms this form; the others are by analogy.
    let isProven: Bool

    /// `now()` and key paths stay as they are, `rel.@count` becomes `count:(rel)`.
    init(_ source: String) {
        switch try? Expression(format: source) {
        case .keyPath(.evaluatedObject, let path): self.init(path: path)
        case let expression?:
            let isPlainCount = Self.counted(expression).map(Self.isPlain) ?? false
            self.init(expression.format, isProven: isPlainCount || expression == .function("now", []))
        case nil: self.init(source, isProven: false)
        }
    }

    private init(path: String) {
        let steps = path.split(separator: ".", omittingEmptySubsequences: false)
        guard let marker = steps.firstIndex(where: { $0.hasPrefix("@") }), marker > 0 else {
            self.init(Expression.keyPath(path).format, isProven: Self.isPlain(path))
            return
        }
        let collection = steps[..<marker].joined(separator: ".")
        let rest = steps[(marker + 1)...].joined(separator: ".")
        let functions = ["@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:", "@average": "average:"]
        if steps[marker] == "@count", rest.isEmpty, Self.isPlain(collection) {
            self.init(Expression.function("count:", [.keyPath(collection)]).format, isProven: true)
        } else if let function = functions[String(steps[marker])], Self.isPlain(collection), Self.isPlain(rest) {
            self.init(Expression.function(function, [.keyPath(collection + "." + rest)]).format, isProven: false)
        } else {
            self.init(Expression.keyPath(path).format, isProven: false)
        }
    }

    private init(_ text: String, isProven: Bool) {
        self.text = text
        // How a name is hashed that Foundation takes for a keyword is not known.
        self.isProven = isProven && !text.contains("#")
    }

    /// The derivation as a source model writes it, where a compiled one has this expression.
    static func source(of expression: Expression) -> String {
        counted(expression).map { Expression.keyPath($0 + ".@count").format } ?? expression.format
    }

    /// The path whose objects an expression counts; nil where it does something else.
    private static func counted(_ expression: Expression) -> String? {
        guard case .function("count:", let arguments) = expression,
            case .keyPath(.evaluatedObject, let path)? = arguments.first
        else { return nil }
        return path
    }

    /// Whether a path has names only.
    private static func isPlain(_ path: String) -> Bool {
        path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { step in
            guard let first = step.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
                return false
            }
            return step.unicodeScalars.allSatisfy {
                $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
        }
    }
}
